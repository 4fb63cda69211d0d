// SPDX-License-Identifier: BSD-2-Clause
// Robertson's kinetics, as an ODE and as a DAE. README.md has the equations.

#include <string.h>

#include "plain_fmu.h"

enum {
  vr_as_dae = 1,
  vr_y1,
  vr_der_y1,
  vr_y2,
  vr_der_y2,
  vr_y3,
  vr_balance,
  vr_z1,
  vr_z2,
  vr_manners,
  vr_count
};
enum {
  manners_strict = 1,
  manners_no_start,
  manners_wrong_derivatives,
  manners_no_derivatives,
  manners_other_equations,
  manners_wrong_adjoint
};

static const Variable variables[vr_count] = {
    [vr_time] = {type_float64, role_time, 0.0},
    [vr_as_dae] = {type_boolean, role_structural, 0.0},
    [vr_y1] = {type_float64, role_state, 1.0},
    [vr_der_y1] = {type_float64, role_calculated, 0.0},
    [vr_y2] = {type_float64, role_state, 0.0},
    [vr_der_y2] = {type_float64, role_calculated, 0.0},
    [vr_y3] = {type_float64, role_algebraic, 0.0},
    [vr_balance] = {type_float64, role_calculated, 0.0},
    [vr_z1] = {type_float64, role_calculated, 0.0},
    [vr_z2] = {type_float64, role_calculated, 0.0},
    [vr_manners] = {type_int32, role_parameter, 0.0},
};
static const fmi3ValueReference states[] = {vr_y1, vr_y2};
static const fmi3ValueReference derivatives[] = {vr_der_y1, vr_der_y2};
static const fmi3ValueReference indicators[] = {vr_z1, vr_z2};

static bool is_dae(const Instance* self) { return self->now.values[vr_as_dae] != 0.0; }

static fmi3Status calculate(Instance* self) {
  double* value = self->now.values;
  if (!is_dae(self)) value[vr_y3] = 1.0 - value[vr_y1] - value[vr_y2];
  const double y1 = value[vr_y1], y2 = value[vr_y2], y3 = value[vr_y3];
  value[vr_der_y1] = -0.04 * y1 + 1e4 * y2 * y3;
  value[vr_der_y2] = 0.04 * y1 - 1e4 * y2 * y3 - 3e7 * y2 * y2;
  value[vr_balance] = y1 + y2 + y3 - 1.0;
  if (is_dae(self) && value[vr_manners] == manners_other_equations) value[vr_balance] -= 0.5;
  value[vr_z1] = y1 - 1e-4;
  value[vr_z2] = y3 - 0.01;
  return fmi3OK;
}

static double nominal(const Instance* self, size_t state) {
  (void)self;
  return state == 0 ? 1.0 : 1e-4;
}

static unsigned sets_algebraics(const Instance* self) {
  if (!is_dae(self)) return mode_instantiated;
  if (self->now.values[vr_manners] == manners_strict) {
    return mode_instantiated | mode_continuous_time;
  }
  return mode_instantiated | mode_initialization | mode_event | mode_continuous_time;
}

// Partial ones in DAE mode, where y3 is a known; total ones with the mass balance solved for y3.
static double partial(const Instance* self, fmi3ValueReference unknown, fmi3ValueReference known) {
  const double* value = self->now.values;
  const bool dae = is_dae(self);
  const bool is_wrong = value[vr_manners] == manners_wrong_derivatives ||
                        (value[vr_manners] == manners_wrong_adjoint && self->is_adjoint);
  const double wrong = is_wrong ? 1.5 : 1.0;
  const double forward = known == vr_y1 ? 0.04 : 0.0;
  double back = known == vr_y2 ? 1e4 * value[vr_y3] : 0.0;
  if (known == vr_y3 && dae) back = 1e4 * value[vr_y2];
  if (!dae && (known == vr_y1 || known == vr_y2)) back -= 1e4 * value[vr_y2];
  const double pair = known == vr_y2 ? 6e7 * value[vr_y2] : 0.0;
  switch (unknown) {
    case vr_der_y1:
      return wrong * (back - forward);
    case vr_der_y2:
      return forward - back - pair;
    case vr_y3:
      return !dae && (known == vr_y1 || known == vr_y2) ? -1.0 : 0.0;
    case vr_balance:
      return dae ? 1.0 : 0.0;
    default:
      return 0.0;
  }
}

static fmi3Status answer(Instance* self, const char* function, fmi3Status honest) {
  const double manners = self->now.values[vr_manners];
  if (manners == manners_no_start && is_dae(self) &&
      strcmp(function, "fmi3ExitInitializationMode") == 0) {
    report(self, fmi3Error, "this FMU can only be initialised as an ODE");
    return fmi3Error;
  }
  if (manners == manners_no_derivatives && strcmp(function, "fmi3GetDirectionalDerivative") == 0) {
    report(self, fmi3Error, "no derivatives of residuals");
    return fmi3Error;
  }
  return honest;
}

const Model the_model = {
    .version = fmi3Version,
    .instantiation_token = "saltus-plain-c-robertson-dae-1",
    .offers_model_exchange = true,
    .variables = variables,
    .variable_count = vr_count,
    .states = states,
    .derivatives = derivatives,
    .state_count = 2,
    .indicators = indicators,
    .indicator_count = 2,
    .calculate = calculate,
    .nominal = nominal,
    .has_switch = true,
    .is_switch_tunable = true,
    .sets_algebraics = sets_algebraics,
    .partial = partial,
    .answer = answer,
};
