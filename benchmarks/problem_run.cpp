// SPDX-License-Identifier: BSD-2-Clause
#include "problem_run.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "processor_time.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/observer.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::benchmarks {
namespace {

class Watcher : public Observer {
 public:
  Watcher(Outcome& outcome, std::function<int()> mode)
      : outcome_(outcome), mode_(std::move(mode)) {}

  void sample(double, Moment moment) override {
    if (!mode_) {
      return;
    }
    const int now = mode_();
    if (moment == Moment::after_event && now == last_mode_) {
      outcome_.events.pop_back();
    }
    last_mode_ = now;
  }
  void event(const EventRecord& record) override {
    outcome_.events.push_back({record.kind, record.time});
  }

 private:
  Outcome& outcome_;
  std::function<int()> mode_;
  int last_mode_ = 0;
};

class FirstLook : public Observer {
 public:
  FirstLook(Outcome& outcome, const SlidingModel& model) : outcome_(outcome), model_(model) {}
  void sample(double, Moment moment) override {
    if (moment == Moment::initial) {
      outcome_.began_sliding = model_.surfaces() > 0;
    }
  }

 private:
  Outcome& outcome_;
  const SlidingModel& model_;
};

void drive(Model& model, const problems::Problem& problem, const RunOptions& options,
           std::span<Observer* const> observers, Outcome& outcome) {
  const ProcessorTime elapsed;
  DormandPrince integrator(model, options.integrator);
  IntegratedModel system(model, integrator, options.events);
  ModeController controller(system);
  for (Observer* observer : observers) {
    controller.add(*observer);
  }
  try {
    controller.run({.stop = problem.stop, .tolerance = options.integrator.relative_tolerance});
    outcome.last.assign(system.unknowns().begin(), system.unknowns().end());
  } catch (const Error& error) {
    outcome.failure = error.what();
  }
  outcome.microseconds = elapsed.microseconds();
  outcome.rhs_evaluations = integrator.stats().rhs_evaluations;
  outcome.indicator_evaluations = system.crossing_stats().indicator_evaluations;
  outcome.integrator = integrator.stats();
}

}  // namespace

bool Outcome::is_complete(const problems::Problem& problem) const {
  if (events.size() != problem.events.size() || began_sliding != problem.begins_sliding) {
    return false;
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind != problem.events[i].kind) {
      return false;
    }
  }
  return true;
}

double Outcome::time_error(const problems::Problem& problem, double until) const {
  if (!is_complete(problem)) {
    return std::numeric_limits<double>::infinity();
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < events.size() && problem.events[i].time < until; ++i) {
    worst = std::fmax(worst, std::fabs(events[i].time - problem.events[i].time));
  }
  return worst;
}

double Outcome::last_error(const problems::Problem& problem) const {
  if (last.size() != problem.last.size()) {
    return std::numeric_limits<double>::infinity();
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < last.size(); ++i) {
    sum += (last[i] - problem.last[i]) * (last[i] - problem.last[i]);
  }
  return std::sqrt(sum);
}

// Errors of two codes at one tolerance agree in size, not in digits: a tenth more is as good.
// Without it a last bit of a step-size control would decide.
static constexpr double kAsGood = 1.1;

bool Outcome::is_as_good_in_time(const problems::Problem& problem,
                                 const problems::Published& as) const {
  return time_error(problem, as.until) <= kAsGood * as.time_error;
}

bool Outcome::is_as_good_at_the_end(const problems::Problem& problem,
                                    const problems::Published& as) const {
  return as.until < problem.stop || last_error(problem) <= kAsGood * as.last_error;
}

Outcome run(Model& model, const problems::Problem& problem, const RunOptions& options) {
  Outcome outcome;
  Watcher watcher(outcome, options.mode);
  drive(model, problem, options, std::array<Observer*, 1>{&watcher}, outcome);
  return outcome;
}

Outcome run_sliding(Model& model, const problems::Problem& problem, const RunOptions& options) {
  Outcome outcome;
  SlidingModel sliding(model);
  FirstLook first_look(outcome, sliding);
  Watcher watcher(outcome, options.mode);
  drive(sliding, problem, options, std::array<Observer*, 2>{&first_look, &watcher}, outcome);
  outcome.rhs_evaluations = sliding.stats().rhs_evaluations;
  outcome.indicator_evaluations =
      sliding.stats().indicator_evaluations + sliding.stats().rate_evaluations;
  return outcome;
}

}  // namespace saltus::benchmarks
