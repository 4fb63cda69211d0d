// SPDX-License-Identifier: BSD-2-Clause
// A model that cannot be evaluated everywhere. README.md has the equations and the two regions.

#include <math.h>

#include "plain_fmu.h"

enum { vr_x = 1, vr_der_x, vr_indicator, vr_low, vr_count };

enum { memory_accepted_time };

static const Variable variables[vr_count] = {
    [vr_time] = {type_float64, role_time, 0.0},
    [vr_x] = {type_float64, role_state, 1.0},
    [vr_der_x] = {type_float64, role_calculated, 0.0},
    [vr_indicator] = {type_float64, role_calculated, 0.0},
    [vr_low] = {type_boolean, role_discrete, 0.0},
};

static const fmi3ValueReference states[] = {vr_x};
static const fmi3ValueReference derivatives[] = {vr_der_x};
static const fmi3ValueReference indicators[] = {vr_indicator};

// The stretch of time that can only be crossed in small strides from accepted point to accepted
// point, as in a model whose inner solver starts from the last one and converges only nearby.
static const double stretch_start = 0.5;
static const double stretch_end = 0.8;
static const double longest_stride = 0.02;

static const double lowest_state = -0.5;

// FMI 3.0, 3.1.1: hysteresis is the FMU's business. While low, the indicator is shifted down; so it
// is never zero after an event, and the first event is exactly where the equations have it.
static const double shift = 1e-9;

static fmi3Status calculate(Instance* self) {
  double* value = self->now.values;
  const double accepted = self->now.memory[memory_accepted_time];
  const double stride = fmin(time_of(self), stretch_end) - fmax(accepted, stretch_start);
  if (!(value[vr_x] >= 0.0)) {
    report(self, fmi3Discard, "#%d# = %g has no square root", vr_x, value[vr_x]);
    return fmi3Discard;
  }
  if (stride > longest_stride) {
    report(self, fmi3Discard, "time %g is too far from the last accepted time %g", time_of(self),
           accepted);
    return fmi3Discard;
  }
  const double root = sqrt(value[vr_x]);
  value[vr_der_x] = -root;
  value[vr_indicator] = root - 0.5 - (value[vr_low] != 0.0 ? shift : 0.0);
  return fmi3OK;
}

// FMI 3.0, 3.2.1: states that the FMU rejects are answered with fmi3Discard already when set.
static fmi3Status check_states(const Instance* self, const double x[]) {
  if (x[0] >= lowest_state) return fmi3OK;
  report(self, fmi3Discard, "#%d# = %g is rejected", vr_x, x[0]);
  return fmi3Discard;
}

static void accept_point(Instance* self) { self->now.memory[memory_accepted_time] = time_of(self); }

static void completed_step(Instance* self, bool* enter_event_mode, bool* terminate) {
  (void)enter_event_mode;
  (void)terminate;
  accept_point(self);
}

// The relation lives here: it is decided anew in Event Mode and frozen between events.
static void enter_event(Instance* self) {
  accept_point(self);
  double* value = self->now.values;
  if (calculate(self) == fmi3OK) value[vr_low] = !(value[vr_indicator] > 0.0);
}

const Model the_model = {
    .version = fmi3Version,
    .instantiation_token = "saltus-plain-c-discarder-1",
    .offers_model_exchange = true,
    .variables = variables,
    .variable_count = vr_count,
    .states = states,
    .derivatives = derivatives,
    .state_count = 1,
    .indicators = indicators,
    .indicator_count = 1,
    .calculate = calculate,
    .check_states = check_states,
    .initialize = accept_point,
    .completed_step = completed_step,
    .enter_event = enter_event,
};
