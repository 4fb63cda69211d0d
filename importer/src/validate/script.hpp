// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../instance.hpp"
#include "../start_values.hpp"
#include "run_findings.hpp"
#include "saltus/importer/validate.hpp"

namespace saltus::importer::validation {

/// One call, or two, of a run of Model Exchange.
struct Move {
  enum class Kind {
    update,  ///< one pass of an event
    phase,   ///< continuous-time mode begins
    step,    ///< a point is reached: time, states, the call after a completed step
    event    ///< the same point, where event mode is entered
  };
  Kind kind = Kind::step;
  double t = 0.0;
  std::vector<double> y = {};
  bool iterates = false;  ///< of an update: what it answered

  /// Makes the calls. What an update answers is the answer.
  EventUpdate play(Instance& instance) const;
  /// Makes the calls. False: the FMU answers otherwise than in the run, as one may that iterates,
  /// and the script leads no further.
  bool repeat(Instance& instance) const { return play(instance).iterate == iterates; }
};

/// A run, written down so that it can be repeated call by call, in part, with other calls between:
/// what happens after initialisation.
using Script = std::vector<Move>;

/// Runs the FMU through its default experiment, or some hundred steps of it. Where it fails the
/// script ends: another check says so. In a process of its own, if the FMU can be instantiated only
/// once in one.
Script write_script(Fmu& fmu, const ValidationOptions& options);

/// What the checks of a running FMU need; the script is written when the first asks for it.
struct RunContext {
  Fmu& fmu;
  const ValidationOptions& options;
  RunFindings& findings;
  std::optional<Script> written = {};

  const ModelDescription& description() const { return fmu.description(); }
  bool has_clocks() const;
  const Script& script() {
    if (!written) written = write_script(fmu, options);
    return *written;
  }
};

/// An instance led by hand. Nothing is done for it: no events, no inputs, no reset. As
/// Co-Simulation it has no event mode, except where clocks demand one.
class LedInstance {
 public:
  LedInstance(const RunContext& context, InterfaceType type);

  Instance& operator*() { return *instance_; }
  Instance* operator->() { return instance_.get(); }

  void configure() { start_values_.configure(*instance_); }
  void begin_initialization();
  /// From the beginning to the end of initialization mode.
  void initialize();

  /// Derivatives and indicators, where there are such, then all outputs that are numbers. NaN where
  /// the FMU cannot answer.
  std::vector<double> observe();
  /// Of what `observe` answers, for messages.
  std::string name_of(std::size_t observed) const;

 private:
  const Experiment experiment_;
  StartValues start_values_;
  std::unique_ptr<Instance> instance_;
  std::vector<std::pair<VariableType, std::vector<ValueReference>>> outputs_;
  std::vector<std::string> names_;
  std::size_t states_ = 0, indicators_ = 0;
};

/// The largest difference of numbers, relative to their size; 0: equal to the last bit.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b,
                          std::size_t* where = nullptr);

// An FMU that iterates from where it last ended differs from itself by its own tolerance. Beyond
// the usual tolerance of a run the difference is no longer that.
inline constexpr double kIterationError = 1e-6;

}  // namespace saltus::importer::validation
