// SPDX-License-Identifier: BSD-2-Clause
// Event Mode, as both interfaces share it (FMI 3.0, 2.3.5), and the steps of Co-Simulation (4.2.1).

#include <math.h>

#include "plain_fmu.h"

void start_event(Instance* self) {
  self->now.mode = mode_event;
  self->now.event_iteration_finished = false;
  self->now.last_event_time = time_of(self);
  if (the_model.enter_event != NULL) the_model.enter_event(self);
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_continuous_time | mode_step)) return fmi3Error;
  if (self->interface == interface_co_simulation && !self->event_mode_used) {
    report(self, fmi3Error, "%s: the instance was made without event mode", __func__);
    return finish(self, __func__, fmi3Error);
  }
  start_event(self);
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate,
                                    fmi3Boolean* terminateSimulation,
                                    fmi3Boolean* nominalsOfContinuousStatesChanged,
                                    fmi3Boolean* valuesOfContinuousStatesChanged,
                                    fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_event)) return fmi3Error;
  Update update = {0};
  if (the_model.update != NULL) the_model.update(self, &update);
  self->now.event_iteration_finished = !update.need_update;
  *discreteStatesNeedUpdate = update.need_update;
  *terminateSimulation = update.terminate;
  *nominalsOfContinuousStatesChanged = update.nominals_changed;
  *valuesOfContinuousStatesChanged = update.values_changed;
  *nextEventTimeDefined = update.next_event_defined;
  *nextEventTime = update.next_event_time;
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_event)) return fmi3Error;
  if (self->interface != interface_co_simulation || !self->now.event_iteration_finished) {
    report(self, fmi3Error, "%s: %s", __func__,
           self->interface != interface_co_simulation
               ? "belongs to Co-Simulation"
               : "the discrete states need a (further) update first");
    return finish(self, __func__, fmi3Error);
  }
  self->now.mode = mode_step;
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                      fmi3Float64 communicationStepSize,
                      fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                      fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                      fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
  (void)noSetFMUStatePriorToCurrentPoint;  // A snapshot is a copy: nothing here has to be flushed.
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_step)) return fmi3Error;
  const double time = time_of(self);
  const double target = currentCommunicationPoint + communicationStepSize;
  // The importer's time may differ from ours by rounding. More means that it ignored an early
  // return.
  const bool out_of_step =
      !(fabs(currentCommunicationPoint - time) <= 1e-9 * fmax(1.0, fabs(time)));
  if (out_of_step || !(communicationStepSize > 0.0) || is_after_stop(self, target)) {
    report(self, fmi3Error, "%s: no step from %.17g by %.17g at time %.17g", __func__,
           currentCommunicationPoint, communicationStepSize, time);
    return finish(self, __func__, fmi3Error);
  }
  StepResult result = {0};
  const fmi3Status status = the_model.do_step(self, target, &result);
  *eventHandlingNeeded = result.event_needed;
  *terminateSimulation = result.terminate;
  *earlyReturn = result.early_return;
  *lastSuccessfulTime = time_of(self);
  return finish(self, __func__, status);
}
