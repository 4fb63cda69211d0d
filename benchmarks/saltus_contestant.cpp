// SPDX-License-Identifier: BSD-2-Clause
#include <stdexcept>

#include "impact_problem.hpp"
#include "processor_time.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/observer.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"

namespace saltus::benchmarks {
namespace {

class Impacts : public Observer {
 public:
  Impacts(std::size_t count, const IntegratedModel& system) : system_(system) {
    times.reserve(count);
  }
  void sample(double, Moment moment) override {
    if (moment == Moment::after_event) {
      last_speed = system_.unknowns()[1];
    }
  }
  void event(const EventRecord& record) override { times.push_back(record.time); }
  std::vector<double> times;
  double last_speed = 0.0;

 private:
  const IntegratedModel& system_;
};

}  // namespace

EventRate run_saltus(const char* name, const ImpactProblem& problem, Model& model, double tolerance,
                     std::size_t impacts) {
  DormandPrince integrator(model, {.relative_tolerance = tolerance});
  IntegratedModel system(model, integrator);
  ModeController controller(system);
  Impacts seen(impacts, system);
  controller.add(seen);
  const double stop = 0.5 * (problem.impact_time(impacts) + problem.impact_time(impacts + 1));
  const ProcessorTime elapsed;
  controller.run({.stop = stop, .tolerance = tolerance});
  const double microseconds = elapsed.microseconds();
  if (seen.times.size() != impacts) {
    throw std::runtime_error(problem.name + ": expected " + std::to_string(impacts) +
                             " impacts, found " + std::to_string(seen.times.size()));
  }
  const auto per_event = [&](auto total) {
    return static_cast<double>(total) / static_cast<double>(impacts);
  };
  return {.solver = name,
          .microseconds = per_event(microseconds),
          .rhs_evaluations = per_event(integrator.stats().rhs_evaluations),
          .indicator_evaluations = per_event(system.crossing_stats().indicator_evaluations),
          .steps = per_event(integrator.stats().steps),
          .worst_time_error = problem.worst_error(seen.times),
          .speed_error = std::fabs(seen.last_speed / problem.impact_speed - 1.0)};
}

}  // namespace saltus::benchmarks
