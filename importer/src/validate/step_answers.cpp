// SPDX-License-Identifier: BSD-2-Clause
// Rule 36 for Co-Simulation: what a step answers is true. FMI 2.0 answers with a status alone.
#include <fmt/format.h>

#include <cmath>

#include "run_checks.hpp"

namespace saltus::importer::validation {
namespace {

constexpr std::size_t kMostAnswers = 200;
constexpr double kSameTime = 1e-9;

struct Contradiction {
  Rule rule;
  std::string what;
  const char* remedy;
};

/// What is wrong with the answer to a step from `t` to `goal`, without event mode and without leave
/// to return early; nothing: an empty text.
Contradiction contradiction(const StepOutcome& outcome, double t, double goal) {
  const double last = outcome.last_successful_time;
  const double room = kSameTime * std::max(1.0, std::abs(goal - t));
  if (outcome.event_handling_needed) {
    return {{36, "run.step.event"},
            "eventHandlingNeeded, although Event Mode is not used",
            "handle events inside the step where eventModeUsed is false"};
  }
  if (outcome.early_return) {
    return {{36, "run.step.early"},
            "earlyReturn, although that is not allowed",
            "return early only where earlyReturnAllowed is true"};
  }
  if (!(last >= t - room)) {
    return {{36, "run.step.time"},
            fmt::format("lastSuccessfulTime {}, before the beginning of the step", last),
            "answer with the time that was reached"};
  }
  return {{36, ""}, "", ""};
}

}  // namespace

void check_step_answers(RunContext& context) {
  const ModelDescription& description = context.description();
  if (description.major_version == 2 || context.has_clocks()) return;
  watch(context.findings, [&] {
    const Experiment experiment = experiment_of(description);
    const double h = communication_step(description);
    LedInstance led(context, InterfaceType::co_simulation);
    led.initialize();
    double t = experiment.start;
    for (std::size_t i = 1; i <= kMostAnswers; ++i) {
      const double goal = experiment.start + static_cast<double>(i) * h;
      if (goal > experiment.stop * (1.0 + 1e-12)) break;
      const StepOutcome outcome = led->do_step(t, goal - t);
      if (outcome.eval == Eval::discard || outcome.terminate) break;
      const Contradiction found = contradiction(outcome, t, goal);
      if (!found.what.empty()) {
        context.findings.add(
            found.rule, Severity::error,
            fmt::format("the step from t = {} to {} answers {}", t, goal, found.what),
            found.remedy);
        break;
      }
      t = outcome.last_successful_time;
      if (!(t > goal - 0.5 * h)) break;  // a fixed step inside: it is where it says
    }
  });
}

}  // namespace saltus::importer::validation
