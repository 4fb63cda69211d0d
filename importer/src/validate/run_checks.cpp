// SPDX-License-Identifier: BSD-2-Clause
// Rules 24 and 35 to 39 on a running FMU; rule 40 stands in dae_checks.cpp. It is driven like any
// other, by the mode controller; what it answers is watched by a decorator that asks a little more
// than an integrator would.
#include "run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "../number_text.hpp"
#include "rules.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/model_decorator.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/automatic_integrator.hpp"

namespace saltus::importer::validation {
namespace {

// A look at the behaviour, not a simulation: long runs are cut off, and not every step is probed.
constexpr std::size_t kMostSteps = 2000;
constexpr std::size_t kProbesPerPhase = 5;
constexpr std::size_t kMostProbes = 200;
// How far a trial point is from the last step, as a part of the run; integrators try such points.
constexpr double kTrialStep = 1e-3;

/// Rule 38: the nominal values, as the FMU gives them. `FmuModel` replaces those that cannot be
/// used, so they are read from the log of the calls.
class NominalWatch : public CallLog {
 public:
  explicit NominalWatch(RunFindings& findings) : findings_(findings) {}
  void call(std::string_view line) override {
    if (line.find("GetNominalsOfContinuousStates") == std::string_view::npos) return;
    std::size_t begin = line.find('[');
    if (begin == std::string_view::npos) return;
    ++begin;
    std::string text(line.substr(begin, line.find(']', begin) - begin));
    std::replace(text.begin(), text.end(), ',', ' ');
    for (const std::string_view word : split(text)) {
      double nominal = 0.0;
      if (read_number(word, nominal) && nominal > 0.0) continue;
      findings_.add({38, "run.nominal"}, Severity::error,
                    fmt::format("the nominal value of a state is {}", word),
                    "nominal values are positive");
    }
  }

 private:
  RunFindings& findings_;
};

/// What an FMU answers at a point.
struct Answer {
  std::vector<double> values;  ///< derivatives, then indicators
  bool is_evaluable = false;
};

class ProbedModel : public EventDecorator {
 public:
  ProbedModel(FmuModel& model, const ModelDescription& description, RunFindings& findings)
      : EventDecorator(model),
        fmu_(model),
        findings_(findings),
        major_version_(description.major_version) {
    for (const Unknown& unknown : description.structure.continuous_state_derivatives) {
      const Variable* const state = description.state_of(unknown);
      states_.insert(states_.end(),
                     description.element_count(description.variables[unknown.variable]), state);
    }
  }

  void initialize(const Experiment& experiment, Vec y) override {
    EventDecorator::initialize(experiment, y);
    experiment_ = experiment;
    is_initial_ = true;
    steps_ = probes_ = 0;
  }

  EventUpdate update_discrete_states(double t, Vec y) override {
    const std::vector<double> before(y.begin(), y.end());
    const EventUpdate update = wrapped().update_discrete_states(t, y);
    if (!is_initial_ && major_version_ == 3) check_jump(before, y, update);
    if (!is_initial_ && major_version_ > 1 && !update.states_changed) check_silent_jump(t, y);
    next_event_time_ = update.next_event_time;
    if (!update.iterate && update.next_event_time <= t) {
      findings_.add({36, "run.next_event_time"}, Severity::error,
                    fmt::format("at t = {} the FMU announces its next event for {}", t,
                                update.next_event_time),
                    "the next event lies in the future");
    }
    return update;
  }

  void enter_continuous_mode(double t, ConstVec y) override {
    EventDecorator::enter_continuous_mode(t, y);
    is_initial_ = false;
    probes_of_phase_ = 0;
    const std::size_t states = shape().states;
    const Answer answer = this->answer(t, y, true);
    for (std::size_t i = states; i < answer.values.size() && answer.is_evaluable; ++i) {
      if (answer.values[i] != 0.0) continue;
      findings_.add({36, "run.indicator.zero"}, Severity::warning,
                    fmt::format("after the event at t = {} the indicator \"{}\" is zero", t,
                                indicator_name(i - states)),
                    "shift it away from zero in event mode");
    }
    probe(t, y, answer);
  }

  StepVerdict completed_step(double t, ConstVec y) override {
    StepVerdict verdict = EventDecorator::completed_step(t, y);
    if (++steps_ > kMostSteps) verdict.terminate = true;
    probe(t, y, answer(t, y, true));
    return verdict;
  }

 private:
  /// In one order or the other: neither may matter.
  Answer answer(double t, ConstVec y, bool derivatives_first) {
    const Shape size = shape();
    Answer answer{.values = std::vector<double>(size.states + size.indicators)};
    const Vec all(answer.values);
    const auto derivatives = [&] { return wrapped().derivatives(t, y, all.first(size.states)); };
    const auto indicators = [&] { return wrapped().indicators(t, y, all.last(size.indicators)); };
    const bool first = derivatives_first ? derivatives() == Eval::ok : indicators() == Eval::ok;
    const bool second = derivatives_first ? indicators() == Eval::ok : derivatives() == Eval::ok;
    answer.is_evaluable = first && second;
    return answer;
  }

  /// Rule 24: states move in event mode only where the description says so.
  void check_jump(const std::vector<double>& before, ConstVec y, const EventUpdate& update) {
    bool has_reinit = false;
    for (std::size_t i = 0; i < states_.size() && i < y.size(); ++i) {
      has_reinit = has_reinit || states_[i]->reinit;
      if (states_[i]->reinit || before[i] == y[i]) continue;
      findings_.add({24, "run.reinit"}, Severity::error,
                    fmt::format("the state \"{}\" moved from {} to {} in event mode",
                                states_[i]->name, before[i], y[i]),
                    "declare reinit=\"true\"", states_[i]);
    }
    if (!update.states_changed || has_reinit) return;
    findings_.add({24, "run.reinit.flag"}, Severity::error,
                  "the FMU says that states have changed, and none has reinit=\"true\"",
                  "declare it, or do not say so");
  }

  /// Rule 36: states that move are announced, or importers go on with the old ones.
  void check_silent_jump(double t, ConstVec y) {
    for (std::size_t i = 0; i < states_.size() && i < y.size(); ++i) {
      if (states_[i] == nullptr) continue;  // an FMU of FMI 2.0 that does not say
      const Variable& state = *states_[i];
      if (state.type != VariableType::float64 || !state.dimensions.empty()) continue;
      double now = y[i];
      fmu_.variables().read_numbers(state.type, {state.reference}, Vec(&now, 1));
      if (now == y[i] || (std::isnan(now) && std::isnan(y[i]))) continue;
      findings_.add({36, "run.states_changed"}, Severity::error,
                    fmt::format("at t = {} the state \"{}\" moved from {} to {} in event mode, and "
                                "valuesOfContinuousStatesChanged is false",
                                t, state.name, y[i], now),
                    "say so in the update");
    }
  }

  /// Rules 37 and 39: asks at a trial point as an integrator does, comes back, and compares; then
  /// once more with a saved state instead of a way back.
  void probe(double t, ConstVec y, const Answer& here) {
    if (!here.is_evaluable || ++probes_of_phase_ > kProbesPerPhase || ++probes_ > kMostProbes) {
      return;
    }
    const double length = experiment_.stop - experiment_.start;
    const double h = std::min({kTrialStep * length, next_event_time_ - t, experiment_.stop - t});
    if (!(h > 0.0)) return;
    std::vector<double> trial(y.begin(), y.end());
    for (std::size_t i = 0; i < shape().states; ++i) trial[i] += h * here.values[i];
    static_cast<void>(answer(t + h, trial, false));
    compare({37, "run.impure"}, t, here, answer(t, y, false),
            "derivatives and indicators depend on what was asked before",
            "between events they are functions of time, states and inputs alone");
    if (!fmu_.can_be_saved()) return;
    const std::shared_ptr<const SavedFmu> saved = fmu_.save();
    static_cast<void>(answer(t + h, trial, true));
    fmu_.restore(*saved);
    compare({39, "run.state"}, t, here, answer(t, y, true),
            "a restored FMU state does not give what the saved one gave",
            "save all that the equations depend on");
  }

  void compare(Rule rule, double t, const Answer& before, const Answer& after, const char* what,
               const char* remedy) {
    const double error = after.is_evaluable ? largest_difference(before.values, after.values) : 1.0;
    if (error == 0.0) return;
    findings_.add(rule, error > kIterationError ? Severity::error : Severity::warning,
                  fmt::format("{}: at t = {} they differ by {:.1e}", what, t, error), remedy);
  }

  FmuModel& fmu_;
  RunFindings& findings_;
  int major_version_;
  std::vector<const Variable*> states_;
  Experiment experiment_;
  double next_event_time_ = kNever;
  bool is_initial_ = true;
  std::size_t steps_ = 0;
  std::size_t probes_ = 0;
  std::size_t probes_of_phase_ = 0;
};

}  // namespace

void report_failure(RunFindings& findings) {
  try {
    throw;
  } catch (const FmuError& error) {
    const bool is_count = error.thing().starts_with("number of ");
    findings.add(is_count ? Rule{38, "run.count"} : Rule{35, "run.refused"}, Severity::error,
                 error.thing().empty() ? error.reason()
                                       : fmt::format("{}: {}", error.thing(), error.reason()),
                 "let the binary do what the description declares");
  } catch (const EventError& error) {
    // That a motion chatters says little about the FMU.
    const bool is_fault = error.reason() == EventError::Reason::iteration ||
                          error.reason() == EventError::Reason::event_in_the_past;
    findings.add({36, "run.events"}, is_fault ? Severity::error : Severity::note, error.what(),
                 is_fault ? "let events come to an end" : "");
  } catch (const ModelError& error) {
    findings.add({35, "run.failed"}, Severity::error,
                 fmt::format("a legal call failed: {}", error.what()),
                 "the standard allows it here: let it succeed");
  } catch (const std::exception& error) {
    // Nor does it that it cannot be integrated.
    findings.add({35, "run.ended"}, Severity::note,
                 fmt::format("the run ended before its end: {}", error.what()));
  }
}

void run_model_exchange(RunContext& context) {
  NominalWatch nominals(context.findings);
  watch(context.findings, [&] {
    const auto model = context.fmu.instantiate_model_exchange(
        "validate", {.start_values = context.options.start_values, .call_log = &nominals});
    ProbedModel probed(*model, context.description(), context.findings);
    const Experiment experiment = experiment_of(context.description());
    std::vector<double> ends[2];
    for (std::vector<double>& end : ends) {
      AutomaticIntegrator integrator(probed,
                                     {.relative_tolerance = experiment.tolerance,
                                      .max_step = (experiment.stop - experiment.start) / 50});
      IntegratedModel system(probed, integrator);
      ModeController(system).run(experiment);
      end.assign(system.unknowns().begin(), system.unknowns().end());
    }
    if (ends[0] == ends[1]) return;
    context.findings.add({37, "run.reset"}, Severity::warning,
                         "a second run after a reset ends with other states",
                         "reset all that the equations depend on");
  });
}

void run_co_simulation(RunContext& context) {
  watch(context.findings, [&] {
    const auto system = context.fmu.instantiate_co_simulation(
        "validate", {.start_values = context.options.start_values});
    Experiment experiment = experiment_of(context.description());
    const double interval = communication_step(context.description());
    experiment.stop =
        std::min(experiment.stop, experiment.start + static_cast<double>(kMostSteps) * interval);
    ModeController(*system, {.report_interval = interval}).run(experiment);
  });
}

}  // namespace saltus::importer::validation
