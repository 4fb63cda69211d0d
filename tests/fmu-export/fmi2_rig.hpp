// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "saltus/fmi/fmi2_functions.h"

/// The importer of `rig.hpp` in FMI 2.0: it owns one instance of the model, hears its messages, and
/// turns every status other than `fmi2OK` into a failed test unless the test asks for the status.
namespace rig2 {

const std::string& guid();

class Fmu {
 public:
  explicit Fmu(fmi2Type type, bool logging = false);
  static Fmu model_exchange() { return Fmu(fmi2ModelExchange); }
  static Fmu co_simulation() { return Fmu(fmi2CoSimulation); }
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;
  Fmu(Fmu&& other) noexcept;
  Fmu& operator=(Fmu&&) = delete;
  ~Fmu();

  fmi2Component c() const { return component_; }
  /// The messages since the last call of this.
  std::string messages();

  double number(const std::string& name) const;
  int integer(const std::string& name) const;
  bool truth(const std::string& name) const;
  std::string text(const std::string& name) const;
  fmi2Status set(const std::string& name, double value) const;
  fmi2Status set_integer(const std::string& name, int value) const;
  fmi2Status set_text(const std::string& name, const std::string& text) const;
  fmi2Status set_truth(const std::string& name, bool value) const;
  /// All variables, as bits are compared.
  std::vector<double> everything() const;

  void set_up(double start = 0.0, double tolerance = 1e-7) const;
  void enter_initialization(double start = 0.0) const;
  void initialize(double start = 0.0) const;
  fmi2EventInfo update() const;
  /// Iterates, and leaves Event Mode; answers the last update.
  fmi2EventInfo settle_and_leave() const;
  void step(double from, double size) const;
  /// Steps of equal size up to `end`: the values at each point, one after the other.
  std::vector<double> run(double from, double end, double size) const;

 private:
  static void hear(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);

  std::unique_ptr<std::string> log_;  // where the callback finds it
  std::unique_ptr<fmi2CallbackFunctions> callbacks_;
  fmi2Component component_ = nullptr;
};

/// A saved FMU state, given back at the end.
class Saved {
 public:
  explicit Saved(const Fmu& fmu);
  Saved(const Fmu& fmu, const std::vector<fmi2Byte>& bytes);
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;
  ~Saved();
  void into(const Fmu& fmu) const;
  std::vector<fmi2Byte> bytes() const;

 private:
  const Fmu& fmu_;
  fmi2FMUstate state_ = nullptr;
};

}  // namespace rig2
