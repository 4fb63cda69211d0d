// SPDX-License-Identifier: BSD-2-Clause
// A fully implicit equation. README.md has it.

#include <math.h>

#include "plain_fmu.h"

enum { vr_as_dae = 1, vr_x, vr_der_x, vr_pull, vr_balance, vr_law, vr_z, vr_count };

static const Variable variables[vr_count] = {
    [vr_time] = {type_float64, role_time, 0.0},
    [vr_as_dae] = {type_boolean, role_structural, 0.0},
    [vr_x] = {type_float64, role_state, 0.0},
    [vr_der_x] = {type_float64, role_slope, 0.0},
    [vr_pull] = {type_float64, role_algebraic, 0.0},
    [vr_balance] = {type_float64, role_calculated, 0.0},
    [vr_law] = {type_float64, role_calculated, 0.0},
    [vr_z] = {type_float64, role_calculated, 0.0},
};
static const fmi3ValueReference states[] = {vr_x};
static const fmi3ValueReference derivatives[] = {vr_der_x};
static const fmi3ValueReference indicators[] = {vr_z};

static bool is_dae(const Instance* self) { return self->now.values[vr_as_dae] != 0.0; }

static fmi3Status calculate(Instance* self) {
  double* value = self->now.values;
  if (!is_dae(self)) {
    value[vr_pull] = 2.0 * cos(value[vr_x]);
    // The one real root of s^3 + s = pull, by Cardano.
    const double half = 0.5 * value[vr_pull], root = sqrt(half * half + 1.0 / 27.0);
    value[vr_der_x] = cbrt(half + root) + cbrt(half - root);
  }
  const double slope = value[vr_der_x];
  value[vr_balance] = slope * slope * slope + slope - value[vr_pull];
  value[vr_law] = value[vr_pull] - 2.0 * cos(value[vr_x]);
  value[vr_z] = slope - 0.5;
  return fmi3OK;
}

static unsigned sets_algebraics(const Instance* self) {
  return is_dae(self) ? mode_instantiated | mode_continuous_time : mode_instantiated;
}

const Model the_model = {
    .version = fmi3Version,
    .instantiation_token = "saltus-plain-c-cubic-slope-1",
    .offers_model_exchange = true,
    .variables = variables,
    .variable_count = vr_count,
    .states = states,
    .derivatives = derivatives,
    .state_count = 1,
    .indicators = indicators,
    .indicator_count = 1,
    .calculate = calculate,
    .has_switch = true,
    .sets_algebraics = sets_algebraics,
};
