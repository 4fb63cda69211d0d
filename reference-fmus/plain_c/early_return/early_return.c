// SPDX-License-Identifier: BSD-2-Clause
// A ramp whose slope changes at known times, and which likes to be interrupted. README.md has the
// solution and says what fmi3DoStep answers under which permissions.

#include <math.h>

#include "plain_fmu.h"

enum { vr_x = 1, vr_rate, vr_ticks, vr_count };

enum { memory_segment_start, memory_segment_x, memory_event_signalled };

static const double tick_times[] = {0.3, 0.7, 1.1, 1.9};
static const double rates[] = {1.0, -2.0, 0.5, 3.0, -1.0};
enum { tick_count = sizeof tick_times / sizeof tick_times[0], announced_tick = 2 };

// Where the FMU asks for a communication point although nothing happens.
static const double pause_time = 1.5;

static const Variable variables[vr_count] = {
    [vr_time] = {type_float64, role_time, 0.0},
    [vr_x] = {type_float64, role_calculated, 0.0},
    [vr_rate] = {type_float64, role_discrete, 1.0},
    [vr_ticks] = {type_int32, role_discrete, 0.0},
};

static size_t ticks(const Instance* self) { return (size_t)self->now.values[vr_ticks]; }

static double next_tick_time(const Instance* self) {
  return ticks(self) < tick_count ? tick_times[ticks(self)] : HUGE_VAL;
}

// From the start of the segment, so that the rounding of many steps does not add up.
static double x_at(const Instance* self, double t) {
  const double* memory = self->now.memory;
  return memory[memory_segment_x] + self->now.values[vr_rate] * (t - memory[memory_segment_start]);
}

static fmi3Status calculate(Instance* self) {
  self->now.values[vr_x] = x_at(self, time_of(self));
  return fmi3OK;
}

static void tick(Instance* self) {
  const double t = next_tick_time(self);
  self->now.memory[memory_segment_x] = x_at(self, t);
  self->now.memory[memory_segment_start] = t;
  self->now.values[vr_ticks] += 1.0;
  self->now.values[vr_rate] = rates[ticks(self)];
}

// The solution is one function of time, wherever the experiment starts.
static void initialize(Instance* self) {
  while (next_tick_time(self) <= time_of(self)) tick(self);
}

// FMI 3.0, 2.3.5: an event is handled in the first Event Mode at or after its time.
static void enter_event(Instance* self) {
  while (next_tick_time(self) <= time_of(self)) tick(self);
  self->now.memory[memory_event_signalled] = 0.0;
}

static void update(Instance* self, Update* answer) {
  answer->next_event_defined = ticks(self) == announced_tick;
  if (answer->next_event_defined) answer->next_event_time = next_tick_time(self);
}

// The tick at `target` itself was announced, so the importer knows better than we could tell it.
static bool is_left_to_importer(const Instance* self, double target) {
  return self->event_mode_used && ticks(self) == announced_tick && next_tick_time(self) == target;
}

static fmi3Status do_step(Instance* self, double target, StepResult* result) {
  double* time = &self->now.values[vr_time];
  if (self->now.memory[memory_event_signalled] != 0.0) {
    report(self, fmi3Error, "the event at %g was signalled and not handled", *time);
    return fmi3Error;
  }
  for (;;) {
    const double event = next_tick_time(self);
    const bool pause_is_next = *time < pause_time && pause_time < fmin(event, target);
    if (self->early_return_allowed && pause_is_next) {
      *time = pause_time;
      result->early_return = true;
      return fmi3OK;
    }
    if (event > target || is_left_to_importer(self, target)) {
      *time = target;
      return fmi3OK;
    }
    *time = event;
    const bool may_stop_here = self->early_return_allowed || event == target;
    if (self->event_mode_used && may_stop_here) {
      self->now.memory[memory_event_signalled] = 1.0;
      result->event_needed = true;
    } else {
      tick(self);
    }
    if (may_stop_here) {
      result->early_return = event < target;
      return fmi3OK;
    }
  }
}

const Model the_model = {
    .version = fmi3Version,
    .instantiation_token = "saltus-plain-c-early-return-1",
    .offers_co_simulation = true,
    .has_event_mode = true,
    .variables = variables,
    .variable_count = vr_count,
    .calculate = calculate,
    .initialize = initialize,
    .enter_event = enter_event,
    .update = update,
    .do_step = do_step,
};
