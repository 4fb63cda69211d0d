// SPDX-License-Identifier: BSD-2-Clause
// A well-behaved model, x' = -x with a time event and a state event, that misbehaves on request.
// README.md has the table of lies. They start at `misbehave_from`, so that a run has rows to keep.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plain_fmu.h"

#ifndef LIAR_VERSION
#define LIAR_VERSION fmi3Version
#endif

enum { vr_x = 1, vr_der_x, vr_indicator, vr_ticks, vr_lie, vr_count };

enum {
  memory_time_event_done,
  memory_below,
  memory_latest_time,
  memory_announced,
  memory_disturbed
};

// The values of the parameter `lie`. Tests know them by number: append, never renumber.
enum {
  honest = 0,
  error_entering_initialization = 1,
  error_leaving_initialization = 2,
  error_in_derivatives = 3,
  error_in_indicators = 4,
  error_in_completed_step = 5,
  error_in_update = 6,
  error_in_getter = 7,
  fatal_in_derivatives = 8,
  unknown_status = 9,
  warning_everywhere = 10,
  discard_forever = 11,
  nan_derivative = 12,
  nan_indicator = 13,
  infinite_derivative = 14,
  endless_update = 15,
  event_time_in_the_past = 16,
  event_time_now = 17,
  chattering_indicator = 18,
  terminate_in_update = 19,
  zero_nominal = 20,
  nan_state_in_event = 21,
  crash = 22,
  hang = 23,
  error_saving_state = 24,
  error_restoring_state = 25,
  error_freeing_state = 26,
  remembering_derivative = 27,
  zero_indicator = 28,
  state_not_restored = 29,
  error_in_step = 30,
  step_without_progress = 31,
  step_backwards = 32,
  event_without_event_mode = 33,
  early_return_without_permission = 34,
  discarded_step = 35,
  nan_time_after_step = 36,
  terminate_in_step = 37,
  creeping_steps = 38,
  reset_remembered = 39,
  silent_jump = 40,
  forgiving = 41,
  crash_when_misused = 42,
  refused_start_value = 43,
  neighbours_matter = 44,
  silent_nominals = 45,
  endless_ticks = 46,
  announced_once = 47,
  bytes_not_restored = 48,
  nonlinear_derivative = 49,
  factor_of_events = 50
};

static const double misbehave_from = 0.5;
static const double ln2 = 0.69314718055994530942;

static const Variable variables[vr_count] = {
    [vr_time] = {type_float64, role_time, 0.0},
    [vr_x] = {type_float64, role_reinit_state, 1.0},
    [vr_der_x] = {type_float64, role_calculated, 0.0},
    [vr_indicator] = {type_float64, role_calculated, 0.0},
    [vr_ticks] = {type_int32, role_discrete, 0.0},
    [vr_lie] = {type_int32, role_parameter, honest},
};

static const fmi3ValueReference states[] = {vr_x};
static const fmi3ValueReference derivatives[] = {vr_der_x};
static const fmi3ValueReference indicators[] = {vr_indicator};

// False answers to functions that otherwise did their work.
static const struct {
  int lie;
  const char* function;
  fmi3Status answer;
  double from;
} false_answers[] = {
    {error_entering_initialization, "fmi3EnterInitializationMode", fmi3Error, -HUGE_VAL},
    {error_leaving_initialization, "fmi3ExitInitializationMode", fmi3Error, -HUGE_VAL},
    {error_in_derivatives, "fmi3GetContinuousStateDerivatives", fmi3Error, misbehave_from},
    {error_in_indicators, "fmi3GetEventIndicators", fmi3Error, misbehave_from},
    {error_in_completed_step, "fmi3CompletedIntegratorStep", fmi3Error, misbehave_from},
    {error_in_update, "fmi3UpdateDiscreteStates", fmi3Error, misbehave_from},
    {error_in_getter, "fmi3GetFloat64", fmi3Error, misbehave_from},
    {fatal_in_derivatives, "fmi3GetContinuousStateDerivatives", fmi3Fatal, misbehave_from},
    {unknown_status, "fmi3GetContinuousStateDerivatives", (fmi3Status)42, misbehave_from},
    {discard_forever, "fmi3GetContinuousStateDerivatives", fmi3Discard, misbehave_from},
    {error_saving_state, "fmi3GetFMUState", fmi3Error, -HUGE_VAL},
    {error_restoring_state, "fmi3SetFMUState", fmi3Error, -HUGE_VAL},
    {error_freeing_state, "fmi3FreeFMUState", fmi3Error, -HUGE_VAL},
    {error_in_step, "fmi3DoStep", fmi3Error, misbehave_from},
    {refused_start_value, "fmi3SetFloat64", fmi3Error, -HUGE_VAL},
};

// Outside of all instances: what fmi3Reset ought to forget, what no other instance ought to see.
static int resets = 0;
static const Instance* last_to_enter = NULL;
static bool comes_from_bytes = false;

static int lie_of(const Instance* self) { return (int)self->now.values[vr_lie]; }

static bool is_time_to(const Instance* self, int lie) {
  return lie_of(self) == lie && time_of(self) >= misbehave_from;
}

static fmi3Status answer(Instance* self, const char* function, fmi3Status honest_answer) {
  if (honest_answer != fmi3OK) return honest_answer;
  if (strcmp(function, "fmi3Reset") == 0) ++resets;
  if (strcmp(function, "fmi3EnterInitializationMode") == 0) last_to_enter = self;
  if (strcmp(function, "fmi3ExitInitializationMode") == 0) {
    self->now.memory[memory_disturbed] = last_to_enter != self;
  }
  if (strcmp(function, "fmi3DeserializeFMUState") == 0) comes_from_bytes = true;
  if (strcmp(function, "fmi3SetFMUState") == 0 &&
      (lie_of(self) == state_not_restored ||
       (lie_of(self) == bytes_not_restored && comes_from_bytes))) {
    self->now.memory[memory_below] = self->now.memory[memory_below] == 0.0;
  }
  if (lie_of(self) == warning_everywhere) {
    report(self, fmi3Warning, "%s worked, and this warning is harmless", function);
    return fmi3Warning;
  }
  for (size_t i = 0; i < sizeof false_answers / sizeof false_answers[0]; ++i) {
    if (lie_of(self) == false_answers[i].lie && time_of(self) >= false_answers[i].from &&
        strcmp(function, false_answers[i].function) == 0) {
      report(self, false_answers[i].answer, "%s fails on request, lie %d", function, lie_of(self));
      return false_answers[i].answer;
    }
  }
  return honest_answer;
}

static bool forgives(const Instance* self) {
  if (lie_of(self) == crash_when_misused) abort();
  return lie_of(self) == forgiving;
}

static void crash_or_hang(const Instance* self) {
  if (is_time_to(self, crash)) abort();
  if (is_time_to(self, hang)) {
    for (;;) {  // A constant condition: otherwise a compiler may take it for granted that it ends.
    }
  }
}

static fmi3Status calculate(Instance* self) {
  double* value = self->now.values;
  crash_or_hang(self);
  value[vr_der_x] = -value[vr_x];
  // Hysteresis (FMI 3.0, 3.1.1): shifted while below, so that it is not zero after the event.
  value[vr_indicator] = value[vr_x] - 0.5 - (self->now.memory[memory_below] != 0.0 ? 1e-9 : 0.0);
  if (lie_of(self) == remembering_derivative) {
    double* latest = &self->now.memory[memory_latest_time];
    *latest = fmax(*latest, time_of(self));
    value[vr_der_x] -= *latest - time_of(self);
  }
  if (lie_of(self) == nonlinear_derivative) value[vr_der_x] *= value[vr_x];
  if (lie_of(self) == factor_of_events) value[vr_der_x] *= 1.0 + value[vr_ticks];
  if (lie_of(self) == neighbours_matter && self->now.memory[memory_disturbed] != 0.0) {
    value[vr_der_x] *= 2.0;
  }
  if (lie_of(self) == reset_remembered) value[vr_der_x] *= 1.0 + 1e-3 * resets;
  if (is_time_to(self, zero_indicator)) value[vr_indicator] = 0.0;
  if (is_time_to(self, nan_derivative)) value[vr_der_x] = NAN;
  if (is_time_to(self, infinite_derivative)) value[vr_der_x] = HUGE_VAL;
  if (is_time_to(self, nan_indicator)) value[vr_indicator] = NAN;
  // Falls through zero soon after every event, for ever.
  if (is_time_to(self, chattering_indicator)) {
    value[vr_indicator] = self->now.last_event_time + 1e-12 - time_of(self);
  }
  return fmi3OK;
}

static double nominal(const Instance* self, size_t state) {
  (void)state;
  if (lie_of(self) == silent_nominals && self->now.memory[memory_time_event_done] != 0.0)
    return 2.0;
  return lie_of(self) == zero_nominal ? 0.0 : 1.0;
}

static void enter_event(Instance* self) {
  double* value = self->now.values;
  double* memory = self->now.memory;
  const bool below = !(value[vr_x] - 0.5 > 0.0);
  if (below && memory[memory_below] == 0.0) value[vr_ticks] += 1.0;
  memory[memory_below] = below;
  if (memory[memory_time_event_done] == 0.0 && time_of(self) >= misbehave_from) {
    memory[memory_time_event_done] = 1.0;
    value[vr_ticks] += 1.0;
    if (lie_of(self) == nan_state_in_event) value[vr_x] = NAN;
    if (lie_of(self) == silent_jump) value[vr_x] *= 0.9;
  }
}

static void update(Instance* self, Update* result) {
  result->next_event_defined = self->now.memory[memory_time_event_done] == 0.0;
  result->next_event_time = misbehave_from;
  if (lie_of(self) == announced_once && self->now.memory[memory_announced]++ > 0.0) {
    result->next_event_defined = false;
  }
  if (is_time_to(self, endless_ticks)) self->now.values[vr_ticks] += 1.0;
  result->need_update = is_time_to(self, endless_update);
  result->terminate = is_time_to(self, terminate_in_update);
  result->values_changed = is_time_to(self, nan_state_in_event);
  if (is_time_to(self, event_time_in_the_past) || is_time_to(self, event_time_now)) {
    result->next_event_defined = true;
    result->next_event_time = time_of(self) - (lie_of(self) == event_time_now ? 0.0 : 0.25);
  }
}

static fmi3Status do_step(Instance* self, double target, StepResult* result) {
  double* value = self->now.values;
  const double t = time_of(self);
  if (is_time_to(self, step_without_progress) || is_time_to(self, step_backwards) ||
      is_time_to(self, nan_time_after_step)) {
    if (lie_of(self) == step_backwards) value[vr_time] = t - 0.1;
    if (lie_of(self) == nan_time_after_step) value[vr_time] = NAN;
    result->early_return = true;
    return fmi3OK;
  }
  // Moves on, by ever so little: nothing in it is wrong but that it never arrives.
  if (is_time_to(self, creeping_steps)) {
    value[vr_x] *= exp(-1e-14);
    value[vr_time] = t + 1e-14;
    result->early_return = true;
    return fmi3OK;
  }
  crash_or_hang(self);
  // Truthful in one thing: after fmi3Discard nothing has changed (FMI 3.0, 2.2).
  if (lie_of(self) == discarded_step && target > misbehave_from) {
    report(self, fmi3Discard, "no step reaches beyond %g, however small", misbehave_from);
    return fmi3Discard;
  }
  if (t < 0.5 && target >= 0.5) value[vr_ticks] += 1.0;
  if (t < ln2 && target >= ln2) value[vr_ticks] += 1.0;
  value[vr_x] *= exp(t - target);
  value[vr_time] = target;
  result->event_needed = is_time_to(self, event_without_event_mode);
  result->early_return = is_time_to(self, early_return_without_permission);
  result->terminate = is_time_to(self, terminate_in_step);
  return fmi3OK;
}

const Model the_model = {
    .version = LIAR_VERSION,
    .instantiation_token = "saltus-plain-c-liar-1",
    .offers_model_exchange = true,
    .offers_co_simulation = true,
    .variables = variables,
    .variable_count = vr_count,
    .states = states,
    .derivatives = derivatives,
    .state_count = 1,
    .indicators = indicators,
    .indicator_count = 1,
    .calculate = calculate,
    .nominal = nominal,
    .enter_event = enter_event,
    .update = update,
    .do_step = do_step,
    .answer = answer,
    .forgives = forgives,
};
