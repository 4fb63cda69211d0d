// SPDX-License-Identifier: BSD-2-Clause
// An oscillator that changes its representation at step events. README.md has the equations.

#include "plain_fmu.h"

enum {
  vr_x = 1,
  vr_v,
  vr_der_x,
  vr_der_v,
  vr_position,
  vr_velocity,
  vr_flips,
  vr_sign,
  vr_stop_after_flips,
  vr_count
};

enum { memory_flip_requested, memory_just_flipped };

static const double pi = 3.14159265358979323846;
static const double flip_below = -0.5;

static const Variable variables[vr_count] = {
    [vr_time] = {type_float64, role_time, 0.0},
    [vr_x] = {type_float64, role_reinit_state, 1.0},
    [vr_v] = {type_float64, role_reinit_state, 0.0},
    [vr_der_x] = {type_float64, role_calculated, 0.0},
    [vr_der_v] = {type_float64, role_calculated, 0.0},
    [vr_position] = {type_float64, role_calculated, 0.0},
    [vr_velocity] = {type_float64, role_calculated, 0.0},
    [vr_flips] = {type_int32, role_discrete, 0.0},
    [vr_sign] = {type_int32, role_discrete, 1.0},
    [vr_stop_after_flips] = {type_int32, role_parameter, 0.0},
};

static const fmi3ValueReference states[] = {vr_x, vr_v};
static const fmi3ValueReference derivatives[] = {vr_der_x, vr_der_v};

static fmi3Status calculate(Instance* self) {
  double* value = self->now.values;
  value[vr_der_x] = value[vr_v];
  value[vr_der_v] = -pi * pi * value[vr_x];
  value[vr_position] = value[vr_sign] * value[vr_x];
  value[vr_velocity] = value[vr_sign] * value[vr_v];
  return fmi3OK;
}

// FMI 3.0, 3.2.1: states do not change here, only in Event Mode. The step is accepted; whether its
// end is a good place to go on in this representation is what an FMU with state selection asks now.
static void completed_step(Instance* self, bool* enter_event_mode, bool* terminate) {
  const double* value = self->now.values;
  *enter_event_mode = value[vr_x] < flip_below;
  *terminate = value[vr_stop_after_flips] > 0.0 && value[vr_flips] >= value[vr_stop_after_flips];
  self->now.memory[memory_flip_requested] = *enter_event_mode;
}

static void enter_event(Instance* self) {
  if (self->now.memory[memory_flip_requested] == 0.0) return;
  double* value = self->now.values;
  value[vr_x] = -value[vr_x];
  value[vr_v] = -value[vr_v];
  value[vr_sign] = -value[vr_sign];
  value[vr_flips] += 1.0;
  self->now.memory[memory_flip_requested] = 0.0;
  self->now.memory[memory_just_flipped] = 1.0;
}

static void update(Instance* self, Update* answer) {
  answer->values_changed = self->now.memory[memory_just_flipped] != 0.0;
  self->now.memory[memory_just_flipped] = 0.0;
}

const Model the_model = {
    .version = fmi3Version,
    .instantiation_token = "saltus-plain-c-step-event-1",
    .offers_model_exchange = true,
    .variables = variables,
    .variable_count = vr_count,
    .states = states,
    .derivatives = derivatives,
    .state_count = 2,
    .calculate = calculate,
    .completed_step = completed_step,
    .enter_event = enter_event,
    .update = update,
};
