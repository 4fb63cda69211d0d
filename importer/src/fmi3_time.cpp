// SPDX-License-Identifier: BSD-2-Clause
// The calls that carry an instance through time: points and slopes, or steps.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>

#include "call_text.hpp"
#include "fmi3_instance.hpp"

namespace saltus::importer {

std::size_t Fmi3Instance::number_of_continuous_states() {
  begin("fmi3GetNumberOfContinuousStates");
  std::size_t count = 0;
  const fmi3Status status = functions_.fmi3GetNumberOfContinuousStates(handle_, &count);
  const auto results = [&] { return fmt::format("nContinuousStates={}", count); };
  require(finish("fmi3GetNumberOfContinuousStates", status, kNothing, results),
          "fmi3GetNumberOfContinuousStates");
  return count;
}

std::size_t Fmi3Instance::number_of_event_indicators() {
  begin("fmi3GetNumberOfEventIndicators");
  std::size_t count = 0;
  const fmi3Status status = functions_.fmi3GetNumberOfEventIndicators(handle_, &count);
  const auto results = [&] { return fmt::format("nEventIndicators={}", count); };
  require(finish("fmi3GetNumberOfEventIndicators", status, kNothing, results),
          "fmi3GetNumberOfEventIndicators");
  return count;
}

Eval Fmi3Instance::set_time(double t) {
  begin("fmi3SetTime");
  time_ = t;
  return finish(
      "fmi3SetTime", functions_.fmi3SetTime(handle_, t), [&] { return fmt::format("time={}", t); },
      kNothing);
}

Eval Fmi3Instance::set_continuous_states(ConstVec x) {
  begin("fmi3SetContinuousStates");
  const fmi3Status status = functions_.fmi3SetContinuousStates(handle_, x.data(), x.size());
  return finish(
      "fmi3SetContinuousStates", status, [&] { return list("continuousStates", x); }, kNothing);
}

Eval Fmi3Instance::get_continuous_state_derivatives(Vec xp) {
  begin("fmi3GetContinuousStateDerivatives");
  const Vec room = room_for(xp);
  const fmi3Status status =
      functions_.fmi3GetContinuousStateDerivatives(handle_, room.data(), room.size());
  bring_home(room, xp);
  return finite(finish("fmi3GetContinuousStateDerivatives", status, kNothing,
                       [&] { return list("derivatives", xp); }),
                xp);
}

Eval Fmi3Instance::get_event_indicators(Vec z) {
  begin("fmi3GetEventIndicators");
  const Vec room = room_for(z);
  const fmi3Status status = functions_.fmi3GetEventIndicators(handle_, room.data(), room.size());
  bring_home(room, z);
  return finite(finish("fmi3GetEventIndicators", status, kNothing,
                       [&] { return list("eventIndicators", z); }),
                z);
}

template <class Get>
[[gnu::always_inline]] inline Eval Fmi3Instance::ask_at(Point& point, double t, ConstVec y,
                                                        const Get& get) {
  return LoadedInstance::ask_at(point, t, y,
                                Named{[] { return "fmi3SetTime"; },
                                      [&] { return functions_.fmi3SetTime(handle_, point.time); }},
                                Named{[] { return "fmi3SetContinuousStates"; },
                                      [&] {
                                        return functions_.fmi3SetContinuousStates(
                                            handle_, point.states.data(), point.states.size());
                                      }},
                                get);
}

Eval Fmi3Instance::derivatives_at(double t, ConstVec y, Vec xp, Point& point) {
  if (!asks_at_once_) return Instance::derivatives_at(t, y, xp, point);
  return finite(ask_at(point, t, y,
                       Named{[] { return "fmi3GetContinuousStateDerivatives"; },
                             [&] {
                               return functions_.fmi3GetContinuousStateDerivatives(
                                   handle_, xp.data(), xp.size());
                             }}),
                xp);
}

Eval Fmi3Instance::indicators_at(double t, ConstVec y, Vec z, Point& point) {
  if (!asks_at_once_) return Instance::indicators_at(t, y, z, point);
  return finite(
      ask_at(point, t, y,
             Named{[] { return "fmi3GetEventIndicators"; },
                   [&] { return functions_.fmi3GetEventIndicators(handle_, z.data(), z.size()); }}),
      z);
}

void Fmi3Instance::get_continuous_states(Vec x) {
  begin("fmi3GetContinuousStates");
  const Vec room = room_for(x);
  const fmi3Status status = functions_.fmi3GetContinuousStates(handle_, room.data(), room.size());
  bring_home(room, x);
  require(finish("fmi3GetContinuousStates", status, kNothing,
                 [&] { return list("continuousStates", x); }),
          "fmi3GetContinuousStates");
}

void Fmi3Instance::get_nominals(Vec nominals) {
  begin("fmi3GetNominalsOfContinuousStates");
  const Vec room = room_for(nominals);
  const fmi3Status status =
      functions_.fmi3GetNominalsOfContinuousStates(handle_, room.data(), room.size());
  bring_home(room, nominals);
  require(finish("fmi3GetNominalsOfContinuousStates", status, kNothing,
                 [&] { return list("nominals", nominals); }),
          "fmi3GetNominalsOfContinuousStates");
}

StepVerdict Fmi3Instance::completed_integrator_step(bool may_go_back) {
  may_go_back = may_go_back || may_return_;
  begin("fmi3CompletedIntegratorStep");
  note_change();
  fmi3Boolean enter_event = fmi3False;
  fmi3Boolean terminate = fmi3False;
  const fmi3Status status =
      functions_.fmi3CompletedIntegratorStep(handle_, !may_go_back, &enter_event, &terminate);
  require(finish(
              "fmi3CompletedIntegratorStep", status,
              [&] { return fmt::format("noSetFMUStatePriorToCurrentPoint={}", !may_go_back); },
              [&] {
                return fmt::format("enterEventMode={}, terminateSimulation={}", enter_event,
                                   terminate);
              }),
          "fmi3CompletedIntegratorStep");
  StepVerdict verdict;
  verdict.enter_event_mode = enter_event;
  verdict.terminate = terminate;
  return verdict;
}

StepOutcome Fmi3Instance::do_step(double t, double h) {
  begin("fmi3DoStep");
  time_ = t;
  fmi3Boolean event = fmi3False;
  fmi3Boolean terminate = fmi3False;
  fmi3Boolean early = fmi3False;
  fmi3Float64 last = t + h;  // what an FMU that forgets to say so has reached
  const fmi3Status status =
      functions_.fmi3DoStep(handle_, t, h, !may_return_, &event, &terminate, &early, &last);
  if (mode_ == Mode::intermediate_update) mode_ = Mode::step;
  end_call();
  if (pending_) std::rethrow_exception(std::exchange(pending_, nullptr));
  StepOutcome outcome;
  outcome.eval = finish(
      "fmi3DoStep", status,
      [&] {
        return fmt::format(
            "currentCommunicationPoint={}, communicationStepSize={}, "
            "noSetFMUStatePriorToCurrentPoint=true",
            t, h);
      },
      [&] {
        return fmt::format(
            "eventHandlingNeeded={}, terminateSimulation={}, earlyReturn={}, "
            "lastSuccessfulTime={}",
            event, terminate, early, last);
      });
  outcome.event_handling_needed = event;
  outcome.terminate = terminate;
  outcome.early_return = early;
  outcome.last_successful_time = last;
  if (outcome.eval == Eval::ok && std::isfinite(last)) time_ = last;
  return outcome;
}

void Fmi3Instance::intermediate_update(fmi3InstanceEnvironment environment, fmi3Float64 time,
                                       fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                       fmi3Boolean step_finished, fmi3Boolean /*can_return_early*/,
                                       fmi3Boolean* early_return_requested,
                                       fmi3Float64* early_return_time) {
  if (early_return_requested != nullptr) *early_return_requested = fmi3False;
  if (early_return_time != nullptr) *early_return_time = time;
  auto* instance = static_cast<Fmi3Instance*>(environment);
  if (instance == nullptr || !instance->on_intermediate_update || instance->pending_) return;
  instance->mode_ = Mode::intermediate_update;
  try {
    instance->on_intermediate_update({.time = time,
                                      .set_requested = set_requested,
                                      .get_allowed = get_allowed,
                                      .step_finished = step_finished});
  } catch (...) {  // it may not cross the FMU; `do_step` lets it out
    instance->pending_ = std::current_exception();
  }
  instance->mode_ = Mode::step;
  begin_call("fmi3DoStep");  // which goes on
}

}  // namespace saltus::importer
