// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "problems/problem.hpp"
#include "saltus/core/model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus::benchmarks {

/// What a run of a problem found and cost.
struct Outcome {
  std::vector<problems::ExpectedEvent> events;
  bool began_sliding = false;
  std::vector<double> last;
  std::size_t rhs_evaluations = 0;
  std::size_t indicator_evaluations = 0;  ///< and of their rates
  IntegratorStats integrator;
  double microseconds = 0.0;
  std::string failure;  ///< why the run ended early, if it did

  /// Whether the events are those of the problem: how many, of what kind, in this order.
  bool is_complete(const problems::Problem& problem) const;
  /// The largest error of an event's time, of those expected before `until`; infinite where the
  /// events are not those of the problem.
  double time_error(const problems::Problem& problem, double until = kNever) const;
  /// The 2-norm of the error at the end; infinite where the run did not get there.
  double last_error(const problems::Problem& problem) const;
  /// Whether neither error is larger than what was published.
  bool is_as_good_in_time(const problems::Problem& problem, const problems::Published& as) const;
  bool is_as_good_at_the_end(const problems::Problem& problem, const problems::Published& as) const;
};

struct RunOptions {
  IntegratorOptions integrator = {};
  EventOptions events = {};
  /// Where given, only events that change its value count.
  std::function<int()> mode = {};
};

/// Runs the model as it is. An error of the solver ends up in `failure`; what was seen until then
/// is kept.
Outcome run(Model& model, const problems::Problem& problem, const RunOptions& options);
/// Runs it with sliding. Counts are those of the model itself, over all its configurations.
Outcome run_sliding(Model& model, const problems::Problem& problem, const RunOptions& options);
/// With default settings but for the tolerance.
inline RunOptions at_tolerance(double tolerance) {
  return {.integrator = {.relative_tolerance = tolerance}};
}

}  // namespace saltus::benchmarks
