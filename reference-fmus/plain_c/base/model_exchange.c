// SPDX-License-Identifier: BSD-2-Clause
// Model Exchange (FMI 3.0, 3.2): time, states, derivatives, indicators, completed steps.

#include <math.h>

#include "plain_fmu.h"

static const unsigned modes_to_look =
    mode_initialization | mode_event | mode_continuous_time | mode_terminated;

// The guard of all functions here: the right interface, the right mode.
static bool may(Instance* self, const char* function, unsigned modes) {
  if (!is_allowed(self, function, modes)) return false;
  if (self->interface == interface_model_exchange) return true;
  report(self, fmi3Error, "%s belongs to Model Exchange", function);
  self->now.mode = mode_terminated;
  return false;
}

static bool is_length(const Instance* self, const char* function, size_t given, size_t expected) {
  if (given == expected) return true;
  report(self, fmi3Error, "%s: a vector of length %zu instead of %zu", function, given, expected);
  return false;
}

static fmi3Status calculate_into(Instance* self, const fmi3ValueReference references[],
                                 size_t count, double values[]) {
  const fmi3Status status = the_model.calculate(self);
  for (size_t i = 0; status == fmi3OK && i < count; ++i) {
    values[i] = self->now.values[references[i]];
  }
  return status;
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  Instance* self = instance;
  if (!may(self, __func__, mode_event)) return fmi3Error;
  if (!self->now.event_iteration_finished) {
    report(self, fmi3Error, "%s: the discrete states need a (further) update first", __func__);
    return finish(self, __func__, fmi3Error);
  }
  self->now.mode = mode_continuous_time;
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
  Instance* self = instance;
  if (!may(self, __func__, mode_continuous_time)) return fmi3Error;
  // FMI 3.0, 3.2.1: how far back time may go.
  const double earliest = fmax(self->now.second_last_step_time, self->now.last_event_time);
  if (!(time >= earliest) || is_after_stop(self, time)) {
    report(self, fmi3Error, "%s: %.17g is outside [%.17g, %.17g]", __func__, time, earliest,
           self->now.stop_time_defined ? self->now.stop_time : HUGE_VAL);
    return finish(self, __func__, fmi3Error);
  }
  self->now.values[vr_time] = time;
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 continuousStates[],
                                   size_t nContinuousStates) {
  Instance* self = instance;
  if (!may(self, __func__, mode_continuous_time)) return fmi3Error;
  if (!is_length(self, __func__, nContinuousStates, the_model.state_count)) {
    return finish(self, __func__, fmi3Error);
  }
  fmi3Status status = fmi3OK;
  if (the_model.check_states != NULL) status = the_model.check_states(self, continuousStates);
  for (size_t i = 0; status == fmi3OK && i < nContinuousStates; ++i) {
    self->now.values[the_model.states[i]] = continuousStates[i];
  }
  return finish(self, __func__, status);
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 continuousStates[],
                                   size_t nContinuousStates) {
  Instance* self = instance;
  if (!may(self, __func__, modes_to_look)) return fmi3Error;
  if (!is_length(self, __func__, nContinuousStates, the_model.state_count)) {
    return finish(self, __func__, fmi3Error);
  }
  for (size_t i = 0; i < nContinuousStates; ++i) {
    continuousStates[i] = self->now.values[the_model.states[i]];
  }
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[],
                                             size_t nContinuousStates) {
  Instance* self = instance;
  if (!may(self, __func__, modes_to_look)) return fmi3Error;
  if (!is_length(self, __func__, nContinuousStates, the_model.state_count)) {
    return finish(self, __func__, fmi3Error);
  }
  return finish(self, __func__,
                calculate_into(self, the_model.derivatives, nContinuousStates, derivatives));
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 eventIndicators[],
                                  size_t nEventIndicators) {
  Instance* self = instance;
  if (!may(self, __func__, modes_to_look)) return fmi3Error;
  if (!is_length(self, __func__, nEventIndicators, the_model.indicator_count)) {
    return finish(self, __func__, fmi3Error);
  }
  return finish(self, __func__,
                calculate_into(self, the_model.indicators, nEventIndicators, eventIndicators));
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[],
                                             size_t nContinuousStates) {
  Instance* self = instance;
  if (!may(self, __func__, modes_to_look)) return fmi3Error;
  if (!is_length(self, __func__, nContinuousStates, the_model.state_count)) {
    return finish(self, __func__, fmi3Error);
  }
  for (size_t i = 0; i < nContinuousStates; ++i) {
    nominals[i] = the_model.nominal != NULL ? the_model.nominal(self, i) : 1.0;
  }
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t* nContinuousStates) {
  Instance* self = instance;
  if (!may(self, __func__, mode_instantiated | mode_event)) return fmi3Error;
  *nContinuousStates = the_model.state_count;
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t* nEventIndicators) {
  Instance* self = instance;
  if (!may(self, __func__, mode_instantiated | mode_event)) return fmi3Error;
  *nEventIndicators = the_model.indicator_count;
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance,
                                       fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                       fmi3Boolean* enterEventMode,
                                       fmi3Boolean* terminateSimulation) {
  (void)noSetFMUStatePriorToCurrentPoint;  // A snapshot is a copy: nothing here has to be flushed.
  Instance* self = instance;
  if (!may(self, __func__, mode_continuous_time)) return fmi3Error;
  self->now.second_last_step_time = self->now.last_step_time;
  self->now.last_step_time = time_of(self);
  *enterEventMode = false;
  *terminateSimulation = false;
  if (the_model.completed_step != NULL) {
    the_model.completed_step(self, enterEventMode, terminateSimulation);
  }
  return finish(self, __func__, fmi3OK);
}
