// SPDX-License-Identifier: BSD-2-Clause
// The calls that carry an instance of FMI 2.0 through time, and its saved states.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "call_text.hpp"
#include "fmi2_instance.hpp"
#include "saltus/core/error.hpp"

namespace saltus::importer {

std::size_t Fmi2Instance::number_of_continuous_states() {
  return description().structure.continuous_state_derivatives.size();
}

std::size_t Fmi2Instance::number_of_event_indicators() {
  return description().structure.unnamed_event_indicators;
}

Eval Fmi2Instance::set_time(double t) {
  begin("fmi2SetTime");
  time_ = t;
  return finish(
      "fmi2SetTime", functions_.fmi2SetTime(handle_, t), [&] { return fmt::format("time={}", t); },
      kNothing);
}

Eval Fmi2Instance::set_continuous_states(ConstVec x) {
  begin("fmi2SetContinuousStates");
  const fmi2Status status = functions_.fmi2SetContinuousStates(handle_, x.data(), x.size());
  return finish(
      "fmi2SetContinuousStates", status, [&] { return list("x", x); }, kNothing);
}

Eval Fmi2Instance::get_continuous_state_derivatives(Vec xp) {
  begin("fmi2GetDerivatives");
  const Vec room = room_for(xp);
  const fmi2Status status = functions_.fmi2GetDerivatives(handle_, room.data(), room.size());
  bring_home(room, xp);
  return finite(
      finish("fmi2GetDerivatives", status, kNothing, [&] { return list("derivatives", xp); }), xp);
}

Eval Fmi2Instance::get_event_indicators(Vec z) {
  begin("fmi2GetEventIndicators");
  const Vec room = room_for(z);
  const fmi2Status status = functions_.fmi2GetEventIndicators(handle_, room.data(), room.size());
  bring_home(room, z);
  return finite(finish("fmi2GetEventIndicators", status, kNothing,
                       [&] { return list("eventIndicators", z); }),
                z);
}

template <class Get>
[[gnu::always_inline]] inline Eval Fmi2Instance::ask_at(Point& point, double t, ConstVec y,
                                                        const Get& get) {
  return LoadedInstance::ask_at(point, t, y,
                                Named{[] { return "fmi2SetTime"; },
                                      [&] { return functions_.fmi2SetTime(handle_, point.time); }},
                                Named{[] { return "fmi2SetContinuousStates"; },
                                      [&] {
                                        return functions_.fmi2SetContinuousStates(
                                            handle_, point.states.data(), point.states.size());
                                      }},
                                get);
}

Eval Fmi2Instance::derivatives_at(double t, ConstVec y, Vec xp, Point& point) {
  if (!asks_at_once_) return Instance::derivatives_at(t, y, xp, point);
  return finite(
      ask_at(point, t, y,
             Named{[] { return "fmi2GetDerivatives"; },
                   [&] { return functions_.fmi2GetDerivatives(handle_, xp.data(), xp.size()); }}),
      xp);
}

Eval Fmi2Instance::indicators_at(double t, ConstVec y, Vec z, Point& point) {
  if (!asks_at_once_) return Instance::indicators_at(t, y, z, point);
  return finite(
      ask_at(point, t, y,
             Named{[] { return "fmi2GetEventIndicators"; },
                   [&] { return functions_.fmi2GetEventIndicators(handle_, z.data(), z.size()); }}),
      z);
}

void Fmi2Instance::get_continuous_states(Vec x) {
  begin("fmi2GetContinuousStates");
  const Vec room = room_for(x);
  const fmi2Status status = functions_.fmi2GetContinuousStates(handle_, room.data(), room.size());
  bring_home(room, x);
  require(finish("fmi2GetContinuousStates", status, kNothing, [&] { return list("x", x); }),
          "fmi2GetContinuousStates");
}

// Some FMUs do without; the nominal values of the description stand then.
void Fmi2Instance::get_nominals(Vec nominals) {
  if (functions_.fmi2GetNominalsOfContinuousStates == nullptr) return;
  begin("fmi2GetNominalsOfContinuousStates");
  const Vec room = room_for(nominals);
  const fmi2Status status =
      functions_.fmi2GetNominalsOfContinuousStates(handle_, room.data(), room.size());
  bring_home(room, nominals);
  require(finish("fmi2GetNominalsOfContinuousStates", status, kNothing,
                 [&] { return list("x_nominal", nominals); }),
          "fmi2GetNominalsOfContinuousStates");
}

StepVerdict Fmi2Instance::completed_integrator_step(bool may_go_back) {
  may_go_back = may_go_back || may_return_;
  begin("fmi2CompletedIntegratorStep");
  note_change();
  fmi2Boolean enter_event = fmi2False;
  fmi2Boolean terminate = fmi2False;
  const fmi2Status status =
      functions_.fmi2CompletedIntegratorStep(handle_, !may_go_back, &enter_event, &terminate);
  require(
      finish(
          "fmi2CompletedIntegratorStep", status,
          [&] { return fmt::format("noSetFMUStatePriorToCurrentPoint={}", may_go_back ? 0 : 1); },
          [&] {
            return fmt::format("enterEventMode={}, terminateSimulation={}", enter_event, terminate);
          }),
      "fmi2CompletedIntegratorStep");
  StepVerdict verdict;
  verdict.enter_event_mode = enter_event != fmi2False;
  verdict.terminate = terminate != fmi2False;
  return verdict;
}

StepOutcome Fmi2Instance::do_step(double t, double h) {
  begin("fmi2DoStep");
  note_change();
  time_ = t;
  int status = functions_.fmi2DoStep(handle_, t, h, !may_return_);
  if (status == fmi2Pending) status = wait_for_step();
  const Eval eval = finish(
      "fmi2DoStep", status,
      [&] {
        return fmt::format(
            "currentCommunicationPoint={}, communicationStepSize={}, "
            "noSetFMUStatePriorToCurrentPoint={}",
            t, h, may_return_ ? 0 : 1);
      },
      kNothing);
  if (eval == Eval::discard) return judge_discarded_step(t, h);
  time_ = t + h;
  StepOutcome outcome;
  outcome.last_successful_time = t + h;
  return outcome;
}

/// 4.2.1: the slave computes on; its status is asked for until it has one.
int Fmi2Instance::wait_for_step() {
  if (functions_.fmi2GetStatus == nullptr) {
    throw ModelError("fmi2DoStep", time_,
                     "the FMU returned fmi2Pending, but has no fmi2GetStatus to ask for the end");
  }
  fmi2Status status = fmi2Pending;
  for (auto pause = std::chrono::microseconds(1); status == fmi2Pending;
       pause = std::min(2 * pause, std::chrono::microseconds(1000))) {
    std::this_thread::sleep_for(pause);
    const fmi2Status answer = functions_.fmi2GetStatus(handle_, fmi2DoStepStatus, &status);
    if (answer > fmi2Warning) return answer;
  }
  return status;
}

/// 4.2.2: fmi2Discard from a step means that only a part of it was computed. Where the FMU says how
/// far it got, it is there; where it says that it has terminated, that is no failure.
StepOutcome Fmi2Instance::judge_discarded_step(double t, double h) {
  StepOutcome outcome;
  outcome.eval = Eval::discard;
  fmi2Boolean terminated = fmi2False;
  fmi2Real last = t;
  const auto answers = [&](const char* function, auto* call, fmi2StatusKind kind, auto& value,
                           const char* what) {
    if (call == nullptr) return false;
    const fmi2Status status = call(handle_, kind, &value);
    if (call_log_ != nullptr) trace(function, status, what, fmt::format("value={}", value));
    return status == fmi2OK || status == fmi2Warning;
  };
  const bool knows_end = answers("fmi2GetBooleanStatus", functions_.fmi2GetBooleanStatus,
                                 fmi2Terminated, terminated, "fmi2Terminated");
  const bool knows_time = answers("fmi2GetRealStatus", functions_.fmi2GetRealStatus,
                                  fmi2LastSuccessfulTime, last, "fmi2LastSuccessfulTime");
  outcome.terminate = knows_end && terminated != fmi2False;
  const bool has_moved = knows_time && last > t && last <= t + h;
  if (!outcome.terminate && !has_moved) return outcome;
  outcome.eval = Eval::ok;
  outcome.early_return = true;
  outcome.last_successful_time = knows_time && std::isfinite(last) ? std::clamp(last, t, t + h) : t;
  time_ = outcome.last_successful_time;
  return outcome;
}

void Fmi2Instance::save(FmuState& state) {
  if (functions_.fmi2GetFMUstate == nullptr || functions_.fmi2SetFMUstate == nullptr ||
      functions_.fmi2FreeFMUstate == nullptr) {
    refuse_states("fmi2GetFMUstate, fmi2SetFMUstate, fmi2FreeFMUstate",
                  "not all of them are in the binary");
  }
  begin("fmi2GetFMUstate");
  finish_state_call("fmi2GetFMUstate", functions_.fmi2GetFMUstate(handle_, &state.handle), state);
  if (state.handle == nullptr) refuse_states("fmi2GetFMUstate", "the state it gave is NULL");
  state.mode = mode_;
  state.revision = revision_;
}

void Fmi2Instance::restore(const FmuState& state) {
  begin("fmi2SetFMUstate");
  finish_state_call("fmi2SetFMUstate", functions_.fmi2SetFMUstate(handle_, state.handle), state);
  mode_ = state.mode;
  revision_ = state.revision;
}

void Fmi2Instance::release(FmuState& state) {
  if (state.handle == nullptr) return;
  begin("fmi2FreeFMUstate");
  const fmi2Status status = functions_.fmi2FreeFMUstate(handle_, &state.handle);
  state.handle = nullptr;
  finish_state_call("fmi2FreeFMUstate", status, state);
}

std::vector<std::uint8_t> Fmi2Instance::serialize(const FmuState& state) {
  std::size_t size = 0;
  begin("fmi2SerializedFMUstateSize");
  finish_state_call("fmi2SerializedFMUstateSize",
                    functions_.fmi2SerializedFMUstateSize(handle_, state.handle, &size), state);
  std::vector<std::uint8_t> bytes(size);
  begin("fmi2SerializeFMUstate");
  const fmi2Status status = functions_.fmi2SerializeFMUstate(
      handle_, state.handle, reinterpret_cast<fmi2Byte*>(bytes.data()), size);
  finish_state_call("fmi2SerializeFMUstate", status, state);
  return bytes;
}

Instance::FmuState Fmi2Instance::deserialize(std::span<const std::uint8_t> bytes, Mode mode) {
  FmuState state;
  begin("fmi2DeSerializeFMUstate");
  const fmi2Status status = functions_.fmi2DeSerializeFMUstate(
      handle_, reinterpret_cast<const fmi2Byte*>(bytes.data()), bytes.size(), &state.handle);
  finish_state_call("fmi2DeSerializeFMUstate", status, state);
  if (state.handle == nullptr) {
    refuse_states("fmi2DeSerializeFMUstate", "the state it gave is NULL");
  }
  state.mode = mode;
  state.revision = ++last_revision_;
  return state;
}

}  // namespace saltus::importer
