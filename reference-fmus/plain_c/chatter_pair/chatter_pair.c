// SPDX-License-Identifier: BSD-2-Clause
// Two bodies that rub against each other, as a model that knows nothing of sliding writes them: the
// direction of friction is frozen and flips at events. README.md has the equations.

#include <math.h>
#include <string.h>

#include "plain_fmu.h"

enum {
  vr_v1 = 1,
  vr_v2,
  vr_p1,
  vr_p2,
  vr_der_v1,
  vr_der_v2,
  vr_der_p1,
  vr_der_p2,
  vr_z,
  vr_direction,
  vr_friction,
  vr_flips,
  vr_hysteresis,
  vr_oriented,
  vr_jump,
  vr_wear,
  vr_count
};

enum { memory_jumped };

static const double greatest_friction = 0.4;

static const Variable variables[vr_count] = {
    [vr_time] = {type_float64, role_time, 0.0},
    [vr_v1] = {type_float64, role_state, 0.0},
    [vr_v2] = {type_float64, role_state, 0.0},
    [vr_p1] = {type_float64, role_reinit_state, 1.0},
    [vr_p2] = {type_float64, role_state, 1.0},
    [vr_der_v1] = {type_float64, role_calculated, 0.0},
    [vr_der_v2] = {type_float64, role_calculated, 0.0},
    [vr_der_p1] = {type_float64, role_calculated, 0.0},
    [vr_der_p2] = {type_float64, role_calculated, 0.0},
    [vr_z] = {type_float64, role_calculated, 0.0},
    [vr_direction] = {type_int32, role_discrete, 0.0},
    [vr_friction] = {type_float64, role_calculated, 0.0},
    [vr_flips] = {type_int32, role_discrete, 0.0},
    [vr_hysteresis] = {type_float64, role_parameter, 1e-10},
    [vr_oriented] = {type_boolean, role_parameter, 0.0},
    [vr_jump] = {type_float64, role_parameter, 0.0},
    [vr_wear] = {type_float64, role_parameter, 0.0},
};

static const fmi3ValueReference states[] = {vr_v1, vr_v2, vr_p1, vr_p2};
static const fmi3ValueReference derivatives[] = {vr_der_v1, vr_der_v2, vr_der_p1, vr_der_p2};
static const fmi3ValueReference indicators[] = {vr_z};

static fmi3Status calculate(Instance* self) {
  double* value = self->now.values;
  const double w = value[vr_v1] - value[vr_v2];
  const double s = value[vr_direction];
  value[vr_friction] = greatest_friction * s * (1.0 + value[vr_wear] * value[vr_flips]);
  value[vr_der_v1] = sin(time_of(self)) - value[vr_friction];
  value[vr_der_v2] = value[vr_friction];
  value[vr_der_p1] = value[vr_v1];
  value[vr_der_p2] = value[vr_v2];
  const double shifted = w + s * value[vr_hysteresis];
  value[vr_z] = value[vr_oriented] != 0.0 ? s * shifted : shifted;
  return fmi3OK;
}

static void initialize(Instance* self) {
  double* value = self->now.values;
  value[vr_direction] = value[vr_v1] < value[vr_v2] ? -1.0 : 1.0;
}

// The domain of an indicator changes between z > 0 and z <= 0 (FMI 3.0, 3.1.1). One decision for
// each stay in Event Mode, so that it ends also where no direction is right.
static void enter_event(Instance* self) {
  double* value = self->now.values;
  calculate(self);
  const bool expected = value[vr_oriented] != 0.0 || value[vr_direction] > 0.0;
  if ((value[vr_z] > 0.0) == expected) return;
  value[vr_direction] = -value[vr_direction];
  value[vr_flips] += 1.0;
  value[vr_p1] += value[vr_jump];
  self->now.memory[memory_jumped] = value[vr_jump] != 0.0;
}

static void update(Instance* self, Update* answer) {
  answer->values_changed = self->now.memory[memory_jumped] != 0.0;
  self->now.memory[memory_jumped] = 0.0;
}

#ifdef CHATTER_WITHOUT_STATES
static const bool offers_states = false;
#else
static const bool offers_states = true;
#endif

static fmi3Status answer(Instance* self, const char* function, fmi3Status honest) {
  if (offers_states || strstr(function, "FMUState") == NULL) return honest;
  report(self, fmi3Error, "%s: this FMU does not offer that", function);
  return fmi3Error;
}

const Model the_model = {
    .version = fmi3Version,
    .instantiation_token = "saltus-plain-c-chatter-pair-1",
    .offers_model_exchange = true,
    .variables = variables,
    .variable_count = vr_count,
    .states = states,
    .derivatives = derivatives,
    .state_count = 4,
    .indicators = indicators,
    .indicator_count = 1,
    .calculate = calculate,
    .initialize = initialize,
    .enter_event = enter_event,
    .update = update,
    .answer = answer,
};
