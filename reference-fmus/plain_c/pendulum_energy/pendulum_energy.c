// SPDX-License-Identifier: BSD-2-Clause
// A pendulum with an invariant. README.md has the equations.

#include <math.h>

#include "plain_fmu.h"

enum {
  vr_as_dae = 1,
  vr_angle,
  vr_der_angle,
  vr_speed,
  vr_der_speed,
  vr_force,
  vr_law,
  vr_energy,
  vr_count
};

static const Variable variables[vr_count] = {
    [vr_time] = {type_float64, role_time, 0.0},
    [vr_as_dae] = {type_boolean, role_structural, 0.0},
    [vr_angle] = {type_float64, role_state, 1.0},
    [vr_der_angle] = {type_float64, role_calculated, 0.0},
    [vr_speed] = {type_float64, role_state, 0.0},
    [vr_der_speed] = {type_float64, role_calculated, 0.0},
    [vr_force] = {type_float64, role_algebraic, 0.0},
    [vr_law] = {type_float64, role_calculated, 0.0},
    [vr_energy] = {type_float64, role_calculated, 0.0},
};
static const fmi3ValueReference states[] = {vr_angle, vr_speed};
static const fmi3ValueReference derivatives[] = {vr_der_angle, vr_der_speed};

static bool is_dae(const Instance* self) { return self->now.values[vr_as_dae] != 0.0; }

static fmi3Status calculate(Instance* self) {
  double* value = self->now.values;
  if (!is_dae(self)) value[vr_force] = -sin(value[vr_angle]);
  value[vr_der_angle] = value[vr_speed];
  value[vr_der_speed] = value[vr_force];
  value[vr_law] = value[vr_force] + sin(value[vr_angle]);
  value[vr_energy] = 0.5 * value[vr_speed] * value[vr_speed] - cos(value[vr_angle]);
  return fmi3OK;
}

static unsigned sets_algebraics(const Instance* self) {
  return is_dae(self) ? mode_instantiated | mode_continuous_time : mode_instantiated;
}

const Model the_model = {
    .version = fmi3Version,
    .instantiation_token = "saltus-plain-c-pendulum-energy-1",
    .offers_model_exchange = true,
    .variables = variables,
    .variable_count = vr_count,
    .states = states,
    .derivatives = derivatives,
    .state_count = 2,
    .calculate = calculate,
    .has_switch = true,
    .sets_algebraics = sets_algebraics,
};
