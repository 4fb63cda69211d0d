// SPDX-License-Identifier: BSD-2-Clause
// The calls that carry an instance of FMI 1.0 through time.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "call_text.hpp"
#include "fmi1_instance.hpp"
#include "saltus/core/error.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {

std::size_t Fmi1Instance::number_of_continuous_states() {
  return description().structure.unnamed_continuous_states;
}

std::size_t Fmi1Instance::number_of_event_indicators() {
  return description().structure.unnamed_event_indicators;
}

// Names are a courtesy: an FMU that has none, or no function for them, goes on without.
void Fmi1Instance::name_states(std::vector<std::string>& names) {
  if (functions_.fmi1GetStateValueReferences == nullptr || names.empty()) return;
  begin("fmiGetStateValueReferences");
  std::vector<fmi1ValueReference> references(names.size(), fmi1UndefinedValueReference);
  const fmi1Status status =
      functions_.fmi1GetStateValueReferences(handle_, references.data(), references.size());
  if (call_log_ != nullptr) {
    trace("fmiGetStateValueReferences", status, "", list("vrx", references));
  }
  if (status == fmi1Fatal) fmu_->declare_fatal();  // the next call is refused
  if (status != fmi1OK && status != fmi1Warning) return;
  std::unordered_map<fmi1ValueReference, const Variable*> reals;
  for (const Variable& variable : description().variables) {
    if (variable.type != VariableType::float64 || variable.is_negated) continue;
    const Variable*& known = reals[variable.binary_reference];
    if (known == nullptr || known->is_alias) known = &variable;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = reals.find(references[i]);
    if (references[i] != fmi1UndefinedValueReference && found != reals.end()) {
      names[i] = found->second->name;
    }
  }
}

Eval Fmi1Instance::set_time(double t) {
  begin("fmiSetTime");
  time_ = t;
  is_step_accepted_ = false;
  return finish(
      "fmiSetTime", functions_.fmi1SetTime(handle_, t), [&] { return fmt::format("time={}", t); },
      kNothing);
}

/// FMI for Model Exchange 1.0, the state machine: `fmiSetTime` leads from the accepted step to the
/// next one; states cannot be set before.
Eval Fmi1Instance::begin_step() { return is_step_accepted_ ? set_time(time_) : Eval::ok; }

Eval Fmi1Instance::set_continuous_states(ConstVec x) {
  if (begin_step() == Eval::discard) return Eval::discard;
  begin("fmiSetContinuousStates");
  const fmi1Status status = functions_.fmi1SetContinuousStates(handle_, x.data(), x.size());
  return finish(
      "fmiSetContinuousStates", status, [&] { return list("x", x); }, kNothing);
}

Eval Fmi1Instance::get_continuous_state_derivatives(Vec xp) {
  begin("fmiGetDerivatives");
  const fmi1Status status = functions_.fmi1GetDerivatives(handle_, xp.data(), xp.size());
  return finite(
      finish("fmiGetDerivatives", status, kNothing, [&] { return list("derivatives", xp); }), xp);
}

Eval Fmi1Instance::get_event_indicators(Vec z) {
  begin("fmiGetEventIndicators");
  const fmi1Status status = functions_.fmi1GetEventIndicators(handle_, z.data(), z.size());
  return finite(
      finish("fmiGetEventIndicators", status, kNothing, [&] { return list("eventIndicators", z); }),
      z);
}

void Fmi1Instance::get_continuous_states(Vec x) {
  begin("fmiGetContinuousStates");
  const fmi1Status status = functions_.fmi1GetContinuousStates(handle_, x.data(), x.size());
  require(finish("fmiGetContinuousStates", status, kNothing, [&] { return list("states", x); }),
          "fmiGetContinuousStates");
}

// Some FMUs do without; the nominal values are 1 then.
void Fmi1Instance::get_nominals(Vec nominals) {
  if (functions_.fmi1GetNominalContinuousStates == nullptr) return;
  begin("fmiGetNominalContinuousStates");
  const fmi1Status status =
      functions_.fmi1GetNominalContinuousStates(handle_, nominals.data(), nominals.size());
  require(finish("fmiGetNominalContinuousStates", status, kNothing,
                 [&] { return list("x_nominal", nominals); }),
          "fmiGetNominalContinuousStates");
}

StepVerdict Fmi1Instance::completed_integrator_step(bool /*may_go_back*/) {
  begin("fmiCompletedIntegratorStep");
  note_change();
  fmi1Boolean event_update = fmi1False;
  const fmi1Status status = functions_.fmi1CompletedIntegratorStep(handle_, &event_update);
  require(finish("fmiCompletedIntegratorStep", status, kNothing,
                 [&] { return fmt::format("callEventUpdate={:d}", event_update); }),
          "fmiCompletedIntegratorStep");
  is_step_accepted_ = true;
  StepVerdict verdict;
  verdict.enter_event_mode = event_update != fmi1False;
  return verdict;
}

StepOutcome Fmi1Instance::do_step(double t, double h) {
  begin("fmiDoStep");
  note_change();
  time_ = t;
  int status = functions_.fmi1DoStep(handle_, t, h, fmi1True);
  if (status == fmi1Pending) status = wait_for_step();
  const Eval eval = finish(
      "fmiDoStep", status,
      [&] {
        return fmt::format("currentCommunicationPoint={}, communicationStepSize={}, newStep=1", t,
                           h);
      },
      kNothing);
  if (eval == Eval::discard) return judge_discarded_step(t, h);
  time_ = t + h;
  StepOutcome outcome;
  outcome.last_successful_time = t + h;
  return outcome;
}

/// The slave computes on; its status is asked for until it has one.
int Fmi1Instance::wait_for_step() {
  if (functions_.fmi1GetStatus == nullptr) {
    throw ModelError("fmiDoStep", time_,
                     "the FMU returned fmiPending, but has no fmiGetStatus to ask for the end");
  }
  fmi1Status status = fmi1Pending;
  for (auto pause = std::chrono::microseconds(1); status == fmi1Pending;
       pause = std::min(2 * pause, std::chrono::microseconds(1000))) {
    std::this_thread::sleep_for(pause);
    const fmi1Status answer = functions_.fmi1GetStatus(handle_, fmi1DoStepStatus, &status);
    if (answer > fmi1Warning) return answer;
  }
  return status;
}

/// fmiDiscard from a step means that only a part of it was computed. Where the FMU says how far it
/// got, it is there.
StepOutcome Fmi1Instance::judge_discarded_step(double t, double h) {
  StepOutcome outcome;
  outcome.eval = Eval::discard;
  if (functions_.fmi1GetRealStatus == nullptr) return outcome;
  fmi1Real last = t;
  const fmi1Status status = functions_.fmi1GetRealStatus(handle_, fmi1LastSuccessfulTime, &last);
  if (call_log_ != nullptr) {
    trace("fmiGetRealStatus", status, "fmiLastSuccessfulTime", fmt::format("value={}", last));
  }
  if (status > fmi1Warning || !(last > t) || last > t + h) return outcome;
  outcome.eval = Eval::ok;
  outcome.early_return = true;
  outcome.last_successful_time = last;
  time_ = last;
  return outcome;
}

// Nobody asks: the description says that there are none.
void Fmi1Instance::save(FmuState& /*state*/) {
  throw FmuError(path(), "", 0, "FMI 1.0 has no function to save the state of an FMU");
}

void Fmi1Instance::restore(const FmuState& /*state*/) {
  throw FmuError(path(), "", 0, "FMI 1.0 has no function to restore the state of an FMU");
}

void Fmi1Instance::release(FmuState& /*state*/) {}

}  // namespace saltus::importer
