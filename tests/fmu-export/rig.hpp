// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "saltus/fmi/fmi3_functions.h"

/// An importer for the tests: it owns one instance of the rig, hears its messages, and turns every
/// status other than `fmi3OK` into a failed test unless the test asks for the status itself.
namespace rig {

/// The value reference of a variable, or of the i-th event indicator.
fmi3ValueReference reference(const std::string& name);
fmi3ValueReference indicator_reference(std::size_t i);
const std::string& token();

/// One call of the intermediate update: what the FMU said, and what the importer answers.
struct Intermediate {
  fmi3Instance instance;
  double time;
  bool set_requested, get_allowed, step_finished, can_return_early;
  bool return_requested = false;
  double return_time = 0.0;
};

struct CoSimulation {
  bool event_mode = false;
  bool early_return = false;
  std::vector<std::string> intermediate = {};
  std::function<void(Intermediate&)> callback = {};
};

/// What one discrete update answered.
struct Update {
  bool iterate = false, terminate = false, nominals = false, states = false, defined = false;
  double next = 0.0;
};
struct Step {
  bool event = false, terminate = false, early = false;
  double time = 0.0;
};

/// Where two runs part, in words; empty when they agree in every bit. Rows of numbers are nothing
/// to read in a report.
std::string difference(const std::vector<double>& a, const std::vector<double>& b);

class Fmu {
 public:
  static Fmu model_exchange();
  static Fmu co_simulation(const CoSimulation& settings = {});
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;
  Fmu(Fmu&& other) noexcept;
  Fmu& operator=(Fmu&&) = delete;
  ~Fmu();

  fmi3Instance instance() const { return instance_; }
  /// The messages since the last call of this.
  std::string messages();

  double number(const std::string& name) const;
  /// Of a Float32, its bits.
  std::int64_t whole(const std::string& name) const;
  std::string text(const std::string& name) const;
  fmi3Status set_text(const std::string& name, const std::string& text);
  fmi3Status set(const std::string& name, double value);
  fmi3Status set_whole(const std::string& name, std::int64_t value);
  /// All variables, as bits are compared.
  std::vector<double> everything() const;

  void enter_initialization(double start = 0.0, double tolerance = 1e-7) const;
  void initialize(double start = 0.0, double tolerance = 1e-7) const;
  Update update() const;
  /// Iterates, and leaves Event Mode; answers the last update.
  Update settle_and_leave() const;
  Step step(double from, double size) const;
  /// Steps of equal size up to `end`, events included: the values at each point, one after the
  /// other.
  std::vector<double> run(double from, double end, double size) const;

 private:
  /// Where the callbacks of the instance find their importer.
  struct Environment {
    std::string log;
    fmi3Instance instance = nullptr;
    std::function<void(Intermediate&)> callback;
  };
  explicit Fmu(bool me) : me_(me), environment_(std::make_unique<Environment>()) {}
  static void hear(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
  static void intermediate_update(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean, fmi3Boolean,
                                  fmi3Boolean, fmi3Boolean, fmi3Boolean*, fmi3Float64*);
  const std::string& log() const { return environment_->log; }

  bool me_;
  std::unique_ptr<Environment> environment_;
  fmi3Instance instance_ = nullptr;
};

}  // namespace rig
