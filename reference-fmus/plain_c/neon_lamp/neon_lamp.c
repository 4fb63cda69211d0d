// SPDX-License-Identifier: BSD-2-Clause
// A neon lamp across a capacitor, as an ODE and as a DAE. README.md has the equations.

#include "plain_fmu.h"

enum {
  vr_as_dae = 1,
  vr_capacitor,
  vr_der_capacitor,
  vr_lamp,
  vr_current,
  vr_loop,
  vr_law,
  vr_z_lamp,
  vr_z_alarm,
  vr_lit,
  vr_alarm,
  vr_source,
  vr_count
};
enum { memory_decided };

static const double charging = 10e3, capacity = 100e-6, wire = 100.0;
static const double fires_at = 90.0, goes_out_at = 6e-3, burning = 60.0, lit_resistance = 900.0;
static const double leak = 1e-9, high_current = 10e-3;

static const Variable variables[vr_count] = {
    [vr_time] = {type_float64, role_time, 0.0},
    [vr_as_dae] = {type_boolean, role_structural, 0.0},
    [vr_capacitor] = {type_float64, role_state, 0.0},
    [vr_der_capacitor] = {type_float64, role_calculated, 0.0},
    [vr_lamp] = {type_float64, role_algebraic, 0.0},
    [vr_current] = {type_float64, role_algebraic, 0.0},
    [vr_loop] = {type_float64, role_calculated, 0.0},
    [vr_law] = {type_float64, role_calculated, 0.0},
    [vr_z_lamp] = {type_float64, role_calculated, 0.0},
    [vr_z_alarm] = {type_float64, role_calculated, 0.0},
    [vr_lit] = {type_boolean, role_discrete, 0.0},
    [vr_alarm] = {type_boolean, role_discrete, 0.0},
    [vr_source] = {type_float64, role_input, 120.0},
};
static const fmi3ValueReference states[] = {vr_capacitor};
static const fmi3ValueReference derivatives[] = {vr_der_capacitor};
static const fmi3ValueReference indicators[] = {vr_z_lamp, vr_z_alarm};

static bool is_dae(const Instance* self) { return self->now.values[vr_as_dae] != 0.0; }

static fmi3Status calculate(Instance* self) {
  double* value = self->now.values;
  const bool lit = value[vr_lit] != 0.0;
  if (!is_dae(self)) {
    const double voltage = value[vr_capacitor];
    value[vr_current] =
        lit ? (voltage - burning) / (wire + lit_resistance) : voltage * leak / (1.0 + wire * leak);
    value[vr_lamp] = voltage - wire * value[vr_current];
  }
  const double lamp = value[vr_lamp], current = value[vr_current];
  value[vr_der_capacitor] =
      ((value[vr_source] - value[vr_capacitor]) / charging - current) / capacity;
  value[vr_loop] = value[vr_capacitor] - lamp - wire * current;
  value[vr_law] = lit ? lamp - burning - lit_resistance * current : current - leak * lamp;
  value[vr_z_lamp] = lit ? current - goes_out_at : lamp - fires_at;
  value[vr_z_alarm] = current - high_current;
  return fmi3OK;
}

// What it decides is decided at the values that it holds. In DAE mode those are what the importer
// gave, which say nothing any more once the lamp has switched: then it decides once for each event.
static void update(Instance* self, Update* answer) {
  double* value = self->now.values;
  if (is_dae(self) && self->now.memory[memory_decided] != 0.0) return;
  calculate(self);
  const double lit = value[vr_z_lamp] > 0.0, alarm = value[vr_z_alarm] > 0.0;
  answer->need_update = lit != value[vr_lit] || alarm != value[vr_alarm];
  value[vr_lit] = lit;
  value[vr_alarm] = alarm;
  self->now.memory[memory_decided] = 1.0;
}

static void enter_event(Instance* self) { self->now.memory[memory_decided] = 0.0; }

static unsigned sets_algebraics(const Instance* self) {
  return is_dae(self) ? mode_instantiated | mode_continuous_time : mode_instantiated;
}

const Model the_model = {
    .version = fmi3Version,
    .instantiation_token = "saltus-plain-c-neon-lamp-1",
    .offers_model_exchange = true,
    .variables = variables,
    .variable_count = vr_count,
    .states = states,
    .derivatives = derivatives,
    .state_count = 1,
    .indicators = indicators,
    .indicator_count = 2,
    .calculate = calculate,
    .enter_event = enter_event,
    .update = update,
    .has_switch = true,
    .sets_algebraics = sets_algebraics,
};
