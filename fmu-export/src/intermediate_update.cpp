// SPDX-License-Identifier: BSD-2-Clause
#include "intermediate_update.hpp"

#include <utility>

namespace saltus::fmu_export {

WatchedModel::WatchedModel(Model& model, Completed completed)
    : EventDecorator(model), completed_(std::move(completed)) {}

StepVerdict WatchedModel::completed_step(double t, ConstVec y) {
  StepVerdict verdict = wrapped().completed_step(t, y);
  const StepVerdict outside = completed_(t, y);
  verdict.pause = verdict.pause || outside.pause;
  verdict.equations_changed = verdict.equations_changed || outside.equations_changed;
  return verdict;
}

StoppableSystem::StoppableSystem(HybridSystem& system, std::function<bool()> stop)
    : system_(system), stop_(std::move(stop)) {}

Arrival StoppableSystem::advance(Horizon horizon) {
  // An event at the very point of the stop is handled first; then the next advance ends here.
  stopped_ = stop_();
  if (stopped_) {
    return {.time = time_, .why = Stop::terminate};
  }
  Arrival arrival = system_.advance(horizon);
  time_ = arrival.time;
  stopped_ = arrival.why == Stop::report && stop_();
  if (stopped_) {
    arrival.why = Stop::terminate;
  }
  return arrival;
}

}  // namespace saltus::fmu_export
