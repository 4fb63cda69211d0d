// SPDX-License-Identifier: BSD-2-Clause
// A model that gives every function of both interfaces something to do: x' = p, y' = -y, an event
// where x = 0.55, a time event at t = 0.3. What makes an FMU of it misbehave is in saboteur.c.

#include <math.h>

#include "plain_fmu.h"

enum { vr_x = 1, vr_y, vr_der_x, vr_der_y, vr_z, vr_events, vr_p, vr_text, vr_count };

static const double time_event = 0.3;
static const double surface = 0.55;

static const Variable variables[vr_count] = {
    [vr_time] = {type_float64, role_time, 0.0},
    [vr_x] = {type_float64, role_state, 0.0},
    [vr_y] = {type_float64, role_state, 1.0},
    [vr_der_x] = {type_float64, role_calculated, 0.0},
    [vr_der_y] = {type_float64, role_calculated, 0.0},
    [vr_z] = {type_float64, role_calculated, 0.0},
    [vr_events] = {type_int32, role_discrete, 0.0},
    [vr_p] = {type_float64, role_parameter, 1.0},
    [vr_text] = {type_boolean, role_discrete, 0.0},  // a string, which saboteur.c serves itself
};

static const fmi3ValueReference states[] = {vr_x, vr_y};
static const fmi3ValueReference derivatives[] = {vr_der_x, vr_der_y};
static const fmi3ValueReference indicators[] = {vr_z};

static fmi3Status calculate(Instance* self) {
  double* value = self->now.values;
  value[vr_der_x] = value[vr_p];
  value[vr_der_y] = -value[vr_y];
  value[vr_z] = value[vr_x] - surface;
  return fmi3OK;
}

static void update(Instance* self, Update* update) {
  const double time = time_of(self);
  if (time > self->now.start_time) self->now.values[vr_events] += 1.0;
  update->next_event_defined = time < time_event;
  update->next_event_time = time_event;
}

static fmi3Status do_step(Instance* self, double target, StepResult* result) {
  double* value = self->now.values;
  const double time = time_of(self);
  double end = target;
  const double crossing = time + (surface - value[vr_x]) / value[vr_p];
  if (value[vr_x] < surface && self->event_mode_used && self->early_return_allowed &&
      crossing < target) {
    end = crossing;
    result->early_return = true;
    result->event_needed = true;
  } else if (self->event_mode_used && time < time_event && target >= time_event) {
    result->event_needed = true;
  }
  value[vr_x] = result->early_return ? surface : value[vr_x] + value[vr_p] * (end - time);
  value[vr_y] *= exp(time - end);
  value[vr_time] = end;
  return fmi3OK;
}

const Model the_model = {
    .version = "3.0",
    .instantiation_token = "saltus-test-saboteur-1",
    .offers_model_exchange = true,
    .offers_co_simulation = true,
    .has_event_mode = true,
    .variables = variables,
    .variable_count = vr_count,
    .states = states,
    .derivatives = derivatives,
    .state_count = 2,
    .indicators = indicators,
    .indicator_count = 1,
    .calculate = calculate,
    .update = update,
    .do_step = do_step,
};
