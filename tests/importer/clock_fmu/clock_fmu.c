// SPDX-License-Identifier: BSD-2-Clause
// An FMU for the tests of clocks: one clock of every kind, each with a counter that is a clocked
// state, a sampled controller of a continuous state, and all three interfaces. It is strict: a
// clock set or a clocked variable touched where FMI 3.0 (2.2.9, 2.3.5, 5.2.1) does not allow it is
// an error. Which of its clocks exist is up to modelDescription.xml.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saltus/fmi/fmi3_functions.h"

enum {
  tenth = 1,  // constant, 0.1
  third,      // constant, the fraction 1/3
  planned,    // fixed, the importer's interval
  own_fixed,  // fixed, the FMU's: period and delay
  tuned,      // tunable, the importer's interval
  own_tuned,  // tunable, the FMU's: tuned_period
  changing,   // the n-th interval is n/10
  countdown,  // `wait` after each tick of trigger
  trigger,    // triggered input
  alarm_out,  // triggered output: each fifth tick of tenth, and each of countdown
  inner,      // triggered local: along with changing
  clock_count
};
enum {
  vr_count = 20,   // + clock: a clocked state, its ticks
  vr_period = 40,  // fixed parameters
  vr_delay,
  vr_tuned_period,   // tunable
  vr_wait,           // fixed
  vr_u = 50,         // input that belongs to trigger and tenth
  vr_sample,         // output of both: u
  vr_interval,       // output: what fmi3SetInterval told last
  vr_previous = 60,  // + clock: the ticks before
  vr_x = 80,
  vr_der_x,
  vr_control,      // output of tenth: -gain x, which is the slope of x until the next tick
  vr_evaluations,  // output: calls of fmi3EvaluateDiscreteStates
  vr_locks         // output of Scheduled Execution: calls of lockPreemption
};
static const double gain = 2.0;

typedef enum {
  instantiated = 1,
  initializing = 2,
  event = 4,
  continuous = 8,
  stepping = 16,
  activating = 32,
  terminated = 64
} Mode;

typedef struct {
  Mode mode;
  double time, x, force, control, u, sample, interval;
  double period, delay, tuned_period, told_period, wait;
  bool wait_is_new, wait_was_told;
  bool active[clock_count], was_active[clock_count], evaluated, in_update, was_set;
  int count[clock_count], previous[clock_count];
  int changes, told_changes, evaluations, locks;
  double last[clock_count];
} Memory;

typedef struct {
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
  fmi3ClockUpdateCallback clock_update;
  fmi3LockPreemptionCallback lock, unlock;
  bool is_scheduled, steps_alone;
  Memory now;
} Model;

__attribute__((format(printf, 2, 3))) static fmi3Status fail(Model* m, const char* format, ...) {
  char text[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (m->log != NULL) m->log(m->environment, fmi3Error, "logStatusError", text);
  m->now.mode = terminated;
  return fmi3Error;
}
#define ALLOWED(modes) \
  if ((m->now.mode & (modes)) == 0) return fail(m, "%s in a wrong mode", __func__)

static void start(Model* m) {
  memset(&m->now, 0, sizeof m->now);
  m->now.mode = instantiated;
  m->now.x = 1.0;
  m->now.period = 0.4, m->now.delay = 0.2, m->now.tuned_period = 0.3, m->now.wait = 0.25;
  for (int i = 0; i < clock_count; ++i) m->now.last[i] = -1.0e300;
}

static Model* make(fmi3String token, fmi3InstanceEnvironment environment,
                   fmi3LogMessageCallback log) {
  if (strcmp(token, "saltus-test-clocks-1") != 0) return NULL;
  Model* m = calloc(1, sizeof(Model));
  if (m == NULL) return NULL;
  m->environment = environment;
  m->log = log;
  start(m);
  return m;
}

const char* fmi3GetVersion(void) { return fmi3Version; }

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log) {
  (void)name, (void)resources, (void)visible, (void)logging;
  return make(token, environment, log);
}
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference required[], size_t n_required,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback intermediate_update) {
  (void)name, (void)resources, (void)visible, (void)logging, (void)early_return, (void)required,
      (void)n_required, (void)intermediate_update;
  Model* m = make(token, environment, log);
  if (m != NULL) m->steps_alone = !event_mode;
  return m;
}
fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback clock_update, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock) {
  (void)name, (void)resources, (void)visible, (void)logging;
  Model* m = make(token, environment, log);
  if (m == NULL) return NULL;
  m->is_scheduled = true;
  m->clock_update = clock_update;
  m->lock = lock;
  m->unlock = unlock;
  return m;
}
void fmi3FreeInstance(fmi3Instance instance) { free(instance); }
fmi3Status fmi3Reset(fmi3Instance instance) {
  start(instance);
  return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 begin,
                                       fmi3Boolean has_stop, fmi3Float64 stop) {
  (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
  Model* m = instance;
  ALLOWED(instantiated);
  m->now.time = begin;
  m->now.mode = initializing;
  return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  Model* m = instance;
  ALLOWED(initializing);
  m->now.mode = m->is_scheduled ? activating : m->steps_alone ? stepping : event;
  m->now.was_set = false;
  return fmi3OK;
}
fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  Model* m = instance;
  ALLOWED(continuous | stepping);
  m->now.mode = event;
  memset(m->now.was_active, 0, sizeof m->now.was_active);
  return fmi3OK;
}
static fmi3Status leave_event(Model* m, Mode next) {
  if (m->now.mode != event) return fail(m, "leaves event mode without being there");
  for (int i = 0; i < clock_count; ++i) {
    if (m->now.active[i]) return fail(m, "event mode is left while clock %d is active", i);
  }
  m->now.mode = next;
  return fmi3OK;
}
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return leave_event(instance, continuous);
}
fmi3Status fmi3EnterStepMode(fmi3Instance instance) { return leave_event(instance, stepping); }
fmi3Status fmi3Terminate(fmi3Instance instance) {
  ((Model*)instance)->now.mode = terminated;
  return fmi3OK;
}

// What the clocks that are active make of the model: idempotent, so that getters may ask first.
static void evaluate(Model* m) {
  Memory* now = &m->now;
  for (int i = 0; i < clock_count; ++i) now->count[i] = now->previous[i] + (now->active[i] ? 1 : 0);
  now->active[alarm_out] =
      (now->active[tenth] && now->count[tenth] % 5 == 0) || now->active[countdown];
  now->active[inner] = now->active[changing];
  now->count[alarm_out] = now->previous[alarm_out] + now->active[alarm_out];
  now->count[inner] = now->previous[inner] + now->active[inner];
  if (now->active[tenth]) now->control = -gain * now->x;
  if (now->active[tenth] || now->active[trigger]) now->sample = now->u;
}

static void end_instant(Model* m) {
  Memory* now = &m->now;
  evaluate(m);
  if (now->active[tenth]) now->force = now->control;
  if (now->active[changing]) ++now->changes;
  if (now->active[countdown]) now->wait_was_told = false;
  if (now->active[trigger]) now->wait_is_new = true;
  memcpy(now->previous, now->count, sizeof now->previous);
  memset(now->active, 0, sizeof now->active);
  now->evaluated = false;
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
  Model* m = instance;
  ALLOWED(event);
  evaluate(m);
  m->now.evaluated = true;
  ++m->now.evaluations;
  return fmi3OK;
}
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* need_update,
                                    fmi3Boolean* terminate, fmi3Boolean* nominals_changed,
                                    fmi3Boolean* states_changed, fmi3Boolean* has_next,
                                    fmi3Float64* next) {
  Model* m = instance;
  ALLOWED(event);
  end_instant(m);
  *need_update = *terminate = *nominals_changed = *states_changed = *has_next = false;
  *next = 0.0;
  return fmi3OK;
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                        const fmi3Clock values[]) {
  Model* m = instance;
  ALLOWED(event);
  if (m->now.evaluated) return fail(m, "a clock is set after the discrete states were evaluated");
  for (size_t i = 0; i < n; ++i) {
    const fmi3ValueReference clock = references[i];
    if (clock < tenth || clock > trigger) return fail(m, "%u is no input clock", clock);
    if (values[i] == fmi3ClockInactive) return fail(m, "clock %u cannot be deactivated", clock);
    if (clock <= own_tuned && m->now.was_active[clock]) {
      return fail(m, "the periodic clock %u ticks twice in one event mode", clock);
    }
    m->now.active[clock] = m->now.was_active[clock] = true;
  }
  return fmi3OK;
}
fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                        fmi3Clock values[]) {
  Model* m = instance;
  if (m->is_scheduled && !m->now.in_update)
    return fail(m, "fmi3GetClock outside of clock update mode");
  if (!m->is_scheduled) {
    ALLOWED(event);
    evaluate(m);
  }
  for (size_t i = 0; i < n; ++i) {
    if (references[i] != alarm_out && references[i] != inner)
      return fail(m, "clock %u is the importer's", references[i]);
    values[i] = m->now.active[references[i]];
    // FMI 3.0, 5.2.2: only the first call answers active.
    if (m->is_scheduled) m->now.active[references[i]] = false;
  }
  return fmi3OK;
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[],
                                  size_t n, fmi3Float64 intervals[],
                                  fmi3IntervalQualifier qualifiers[]) {
  Model* m = instance;
  Memory* now = &m->now;
  ALLOWED(initializing | event | activating);
  for (size_t i = 0; i < n; ++i) {
    qualifiers[i] = fmi3IntervalUnchanged;
    switch (references[i]) {
      case own_fixed:
        if (now->mode != initializing) return fail(m, "the interval of a fixed clock is known");
        intervals[i] = now->period;
        qualifiers[i] = fmi3IntervalChanged;
        break;
      case own_tuned:
        intervals[i] = now->tuned_period;
        if (now->told_period != now->tuned_period) qualifiers[i] = fmi3IntervalChanged;
        now->told_period = now->tuned_period;
        break;
      case countdown:
        if (m->is_scheduled && now->mode == activating && !now->in_update)
          return fail(m, "a countdown is asked outside of clock update mode");
        intervals[i] = now->wait;
        qualifiers[i] = now->wait_is_new     ? fmi3IntervalChanged
                        : now->wait_was_told ? fmi3IntervalUnchanged
                                             : fmi3IntervalNotYetKnown;
        now->wait_was_told = now->wait_was_told || now->wait_is_new;
        now->wait_is_new = false;
        break;
      default:
        return fail(m, "clock %u has no interval of the FMU's", references[i]);
    }
  }
  return fmi3OK;
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference references[],
                                   size_t n, fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[]) {
  Model* m = instance;
  ALLOWED(initializing | event | activating);
  if (n != 1 || references[0] != changing) return fail(m, "only changing has fractions");
  counters[0] = (fmi3UInt64)(m->now.changes + 1);
  resolutions[0] = 10;
  qualifiers[0] =
      m->now.told_changes != m->now.changes + 1 ? fmi3IntervalChanged : fmi3IntervalUnchanged;
  if (qualifiers[0] == fmi3IntervalUnchanged)
    return fail(m, "the interval of changing is asked although it has not ticked");
  m->now.told_changes = m->now.changes + 1;
  return fmi3OK;
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference references[],
                               size_t n, fmi3Float64 shifts[]) {
  Model* m = instance;
  ALLOWED(initializing);
  for (size_t i = 0; i < n; ++i) {
    if (references[i] != own_fixed && references[i] != own_tuned)
      return fail(m, "clock %u has no shift of the FMU's", references[i]);
    shifts[i] = m->now.delay;
  }
  return fmi3OK;
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[],
                                  size_t n, const fmi3Float64 intervals[]) {
  Model* m = instance;
  ALLOWED(initializing | event | activating);
  for (size_t i = 0; i < n; ++i) {
    if (references[i] != tuned && (references[i] != planned || m->now.mode != initializing))
      return fail(m, "the interval of clock %u is set", references[i]);
    m->now.interval = intervals[i];
  }
  return fmi3OK;
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clock,
                                      fmi3Float64 time) {
  Model* m = instance;
  ALLOWED(activating);
  if (clock < tenth || clock > trigger) return fail(m, "%u is no input clock", clock);
  if (!(time > m->now.last[clock]))
    return fail(m, "partition %u is activated twice at %g", clock, time);
  m->now.last[clock] = m->now.time = time;
  m->lock();
  ++m->now.locks;
  memset(m->now.active, 0, sizeof m->now.active);
  m->now.active[clock] = true;
  m->now.was_set = false;
  evaluate(m);
  const bool is_alarm = m->now.active[alarm_out];
  end_instant(m);
  m->unlock();
  m->now.active[clock] = true;  // for getters, until the next one
  m->now.active[alarm_out] = is_alarm;
  if (is_alarm || m->now.wait_is_new) {
    m->now.in_update = true;
    m->clock_update(m->environment);
    m->now.in_update = false;
  }
  m->now.active[alarm_out] = is_alarm;
  return m->now.mode == activating ? fmi3OK : fmi3Error;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t* count) {
  return (void)instance, *count = 1, fmi3OK;
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t* count) {
  return (void)instance, *count = 0, fmi3OK;
}
fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
  Model* m = instance;
  ALLOWED(continuous);
  m->now.time = time;
  return fmi3OK;
}
fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 x[], size_t n) {
  Model* m = instance;
  ALLOWED(continuous);
  if (n != 1) return fail(m, "there is one state");
  m->now.x = x[0];
  return fmi3OK;
}
fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 x[], size_t n) {
  return (void)n, x[0] = ((Model*)instance)->now.x, fmi3OK;
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 x[], size_t n) {
  return (void)instance, (void)n, x[0] = 1.0, fmi3OK;
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 xp[], size_t n) {
  return (void)n, xp[0] = ((Model*)instance)->now.force, fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 point, fmi3Float64 step,
                      fmi3Boolean no_set_state, fmi3Boolean* event_needed, fmi3Boolean* terminate,
                      fmi3Boolean* early_return, fmi3Float64* last) {
  (void)no_set_state;
  Model* m = instance;
  m->now.x += step * m->now.force;
  m->now.time = point + step;
  *event_needed = *terminate = *early_return = false;
  *last = m->now.time;
  return fmi3OK;
}

// FMI 3.0, 2.2.9: clocked variables only while a clock of theirs is active, and in initialization.
// Who reads them there begins the first instant: FMUs of FMI-LS-BUS then take no clock any more.
static bool is_reachable(Model* m, bool is_active) {
  if (!is_active && m->now.mode == initializing) m->now.evaluated = true;
  return is_active || m->now.mode == initializing;
}

static double* number(Model* m, fmi3ValueReference reference, bool* is_active) {
  Memory* now = &m->now;
  *is_active = true;
  switch (reference) {
    case 0:
      return &now->time;
    case vr_period:
      return &now->period;
    case vr_delay:
      return &now->delay;
    case vr_tuned_period:
      return &now->tuned_period;
    case vr_wait:
      return &now->wait;
    case vr_u:
    case vr_sample:
      *is_active = now->active[trigger] || now->active[tenth];
      return reference == vr_u ? &now->u : &now->sample;
    case vr_control:
      *is_active = now->active[tenth];
      return &now->control;
    case vr_interval:
      return &now->interval;
    case vr_x:
      return &now->x;
    case vr_der_x:
      return &now->force;
    default:
      return NULL;
  }
}
static fmi3Status may_get(Model* m) {
  if (m->is_scheduled && m->now.was_set && m->now.mode == activating)
    return fail(m, "a getter between a setter and a partition");
  if (!m->is_scheduled && m->now.mode == event) evaluate(m);
  return fmi3OK;
}
fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          fmi3Float64 values[], size_t n_values) {
  Model* m = instance;
  if (n != n_values || may_get(m) != fmi3OK) return fmi3Error;
  for (size_t i = 0; i < n; ++i) {
    bool is_active = false;
    const double* source = number(m, references[i], &is_active);
    if (source == NULL || !is_reachable(m, is_active))
      return fail(m, "variable %u is read while its clock is not active", references[i]);
    values[i] = *source;
  }
  return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          const fmi3Float64 values[], size_t n_values) {
  Model* m = instance;
  if (n != n_values) return fmi3Error;
  for (size_t i = 0; i < n; ++i) {
    bool is_active = false;
    double* target = number(m, references[i], &is_active);
    if (target == NULL || (!m->is_scheduled && !is_active && m->now.mode != initializing))
      return fail(m, "variable %u is set while its clock is not active", references[i]);
    *target = values[i];
  }
  m->now.was_set = true;
  return fmi3OK;
}
fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                        fmi3Int32 values[], size_t n_values) {
  Model* m = instance;
  if (n != n_values || may_get(m) != fmi3OK) return fmi3Error;
  for (size_t i = 0; i < n; ++i) {
    const fmi3ValueReference reference = references[i];
    if (reference == vr_evaluations || reference == vr_locks) {
      values[i] = reference == vr_locks ? m->now.locks : m->now.evaluations;
      continue;
    }
    const bool is_previous = reference > vr_previous;
    const fmi3ValueReference clock = reference - (is_previous ? vr_previous : vr_count);
    if (clock < 1 || clock >= clock_count) return fail(m, "no Int32 %u", reference);
    if (!is_reachable(m, m->now.active[clock]))
      return fail(m, "the ticks of clock %u are read while it is not active", clock);
    // In Scheduled Execution the partition has run, and the previous value is the new one already.
    values[i] = is_previous ? m->now.previous[clock] : m->now.count[clock];
  }
  return fmi3OK;
}
fmi3Status fmi3SetInt32(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                        const fmi3Int32 values[], size_t n_values) {
  (void)references, (void)n, (void)values, (void)n_values;
  return fail(instance, "no Int32 can be set");
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  if (*state == NULL) *state = malloc(sizeof(Memory));
  if (*state == NULL) return fmi3Error;
  memcpy(*state, &((Model*)instance)->now, sizeof(Memory));
  return fmi3OK;
}
fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  memcpy(&((Model*)instance)->now, state, sizeof(Memory));
  return fmi3OK;
}
fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  (void)instance;
  free(*state);
  *state = NULL;
  return fmi3OK;
}
