// SPDX-License-Identifier: BSD-2-Clause
// An FMU of FMI 1.0 in plain C for the tests of the importer: a bouncing ball with a variable of
// every type, aliases, negated ones and a sample every quarter second. Compiled with CO_SIMULATION
// it is a slave that solves the parabola exactly, and `behaviour` makes it do what the standard
// allows a slave to do; without, it is a model that insists on the order of calls.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saltus/fmi/fmi1.h"

// The names of functions begin with the model identifier: ball1_me_fmiSetReal.
#define JOINED(a, b) a##b
#define NAMED(identifier, name) JOINED(identifier, name)
#define FUNCTION(name) NAMED(MODEL_IDENTIFIER, _fmi##name)
#define EXPORT __attribute__((visibility("default")))

enum {
  NORMAL,
  DISCARDS_LONG_STEPS,    // steps above 0.1 are discarded, and nothing has happened
  STOPS_HALFWAY,          // the step over 0.5 ends there with fmiDiscard
  IS_PENDING,             // each step is pending when asked for the first three times
  FAILS,                  // at 0.3, with a message
  SAYS_NOTHING,           // as a model: leaves what it is asked about events as it was
  IS_STRICT,              // as a model: bounces below the ground, not on it
  SAYS_NOTHING_AT_FIRST,  // fmiInitialize leaves the event information to the first update
};

enum { H, DER_H, V, DER_V, G, E, U, SAMPLED, Y, REALS };
enum { BOUNCES, MATERIAL, BEHAVIOUR, STEPS, INTEGERS };
enum { RISING, CONVERGED, BOOLEANS };

// Where it is in the order of calls.
enum { INSTANTIATED, STEP_ACCEPTED, STEP_IN_PROGRESS, TERMINATED };

typedef struct {
  double real[REALS];
  int integer[INTEGERS];
  char boolean[BOOLEANS];
  char label[64];
  double time, next_sample, last_successful;
  int pending, stage;
  fmi1CallbackFunctions callbacks;
  char name[64];
} Ball;

static double restitution(const Ball* m) { return m->integer[MATERIAL] == 2 ? 0.0 : m->real[E]; }

static void evaluate(Ball* m) {
  m->real[DER_H] = m->real[V];
  m->real[DER_V] = -m->real[G] + m->real[U];
  m->real[Y] = 2.0 * m->real[H];
  m->boolean[RISING] = m->real[V] > 0.0;
}

static void start(Ball* m) {
  memset(m, 0, offsetof(Ball, callbacks));
  m->real[H] = 1.0;
  m->real[G] = 9.81;
  m->real[E] = 0.7;
  m->integer[MATERIAL] = 1;
  m->boolean[CONVERGED] = fmi1True;
  strcpy(m->label, "red");
}

static Ball* make(const char* name, const char* guid, const fmi1CallbackFunctions* callbacks) {
  if (strcmp(guid, "{ball-of-fmi-1}") != 0) {
    callbacks->logger(NULL, name, fmi1Error, "error", "guid %s", guid);
    return NULL;
  }
  Ball* m = callbacks->allocateMemory(1, sizeof(Ball));
  m->callbacks = *callbacks;
  snprintf(m->name, sizeof m->name, "%s", name);
  start(m);
  return m;
}

static void begin_at(Ball* m, double t) {
  m->time = m->last_successful = t;
  m->next_sample = t + 0.25;
  m->real[SAMPLED] = m->real[H];
  m->stage = STEP_ACCEPTED;
}

EXPORT const char* FUNCTION(GetVersion)(void) { return "1.0"; }
EXPORT fmi1Status FUNCTION(SetDebugLogging)(fmi1Component c, fmi1Boolean on) {
  (void)on;
  return c ? fmi1OK : fmi1Error;
}

#define ACCESSORS(Type, member, Count)                                                            \
  EXPORT fmi1Status FUNCTION(Get##Type)(fmi1Component c, const fmi1ValueReference vr[], size_t n, \
                                        fmi1##Type value[]) {                                     \
    Ball* m = c;                                                                                  \
    evaluate(m);                                                                                  \
    for (size_t i = 0; i < n; ++i) {                                                              \
      if (vr[i] >= Count) return fmi1Error;                                                       \
      value[i] = m->member[vr[i]];                                                                \
    }                                                                                             \
    return fmi1OK;                                                                                \
  }                                                                                               \
  EXPORT fmi1Status FUNCTION(Set##Type)(fmi1Component c, const fmi1ValueReference vr[], size_t n, \
                                        const fmi1##Type value[]) {                               \
    Ball* m = c;                                                                                  \
    for (size_t i = 0; i < n; ++i) {                                                              \
      if (vr[i] >= Count) return fmi1Error;                                                       \
      m->member[vr[i]] = value[i];                                                                \
    }                                                                                             \
    return fmi1OK;                                                                                \
  }
ACCESSORS(Real, real, REALS)
ACCESSORS(Integer, integer, INTEGERS)
ACCESSORS(Boolean, boolean, BOOLEANS)
EXPORT fmi1Status FUNCTION(GetString)(fmi1Component c, const fmi1ValueReference vr[], size_t n,
                                      fmi1String value[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] != 0) return fmi1Error;
    value[i] = ((Ball*)c)->label;
  }
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(SetString)(fmi1Component c, const fmi1ValueReference vr[], size_t n,
                                      const fmi1String value[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] != 0) return fmi1Error;
    snprintf(((Ball*)c)->label, sizeof((Ball*)c)->label, "%s", value[i]);
  }
  return fmi1OK;
}

#ifndef CO_SIMULATION

static fmi1Status refuse(Ball* m, const char* function) {
  m->callbacks.logger(m, m->name, fmi1Error, "error", "%s is not allowed in stage %d", function,
                      m->stage);
  return fmi1Error;
}

EXPORT const char* FUNCTION(GetModelTypesPlatform)(void) { return "standard32"; }
EXPORT fmi1Component FUNCTION(InstantiateModel)(fmi1String name, fmi1String guid,
                                                fmi1CallbackFunctions callbacks,
                                                fmi1Boolean logging) {
  (void)logging;
  return make(name, guid, &callbacks);
}
EXPORT void FUNCTION(FreeModelInstance)(fmi1Component c) { ((Ball*)c)->callbacks.freeMemory(c); }
EXPORT fmi1Status FUNCTION(SetTime)(fmi1Component c, fmi1Real time) {
  Ball* m = c;
  m->time = time;
  if (m->stage == STEP_ACCEPTED) m->stage = STEP_IN_PROGRESS;
  return fmi1OK;
}
static void tell(const Ball* m, fmi1Boolean moved, fmi1EventInfo* event) {
  if (m->integer[BEHAVIOUR] == SAYS_NOTHING) return;
  memset(event, 0, sizeof *event);
  event->iterationConverged = m->boolean[CONVERGED];
  event->stateValuesChanged = moved;
  event->upcomingTimeEvent = fmi1True;
  event->nextEventTime = m->next_sample;
}
EXPORT fmi1Status FUNCTION(Initialize)(fmi1Component c, fmi1Boolean controlled, fmi1Real tolerance,
                                       fmi1EventInfo* event) {
  (void)controlled, (void)tolerance;
  Ball* m = c;
  if (m->stage != INSTANTIATED) return refuse(m, "fmiInitialize");
  begin_at(m, m->time);
  if (m->integer[BEHAVIOUR] != SAYS_NOTHING_AT_FIRST) tell(m, fmi1False, event);
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(EventUpdate)(fmi1Component c, fmi1Boolean intermediate,
                                        fmi1EventInfo* event) {
  Ball* m = c;
  if (m->stage == INSTANTIATED || intermediate) return refuse(m, "fmiEventUpdate");
  fmi1Boolean moved = fmi1False;
  const int on_ground = m->real[H] == 0.0 && m->integer[BEHAVIOUR] != IS_STRICT;
  if ((m->real[H] < 0.0 || on_ground) && m->real[V] < 0.0) {
    m->real[H] = 0.0;
    m->real[V] *= -restitution(m);
    ++m->integer[BOUNCES];
    moved = fmi1True;
  }
  if (m->time >= m->next_sample) {
    m->real[SAMPLED] = m->real[H];
    m->next_sample += 0.25;
  }
  m->stage = STEP_ACCEPTED;
  m->boolean[CONVERGED] = fmi1True;
  tell(m, moved, event);
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(CompletedIntegratorStep)(fmi1Component c, fmi1Boolean* event) {
  Ball* m = c;
  if (m->stage != STEP_IN_PROGRESS) return refuse(m, "fmiCompletedIntegratorStep");
  m->stage = STEP_ACCEPTED;
  ++m->integer[STEPS];
  *event = fmi1False;
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(SetContinuousStates)(fmi1Component c, const fmi1Real x[], size_t n) {
  Ball* m = c;
  if (n != 2) return fmi1Error;
  if (m->stage != STEP_IN_PROGRESS) return refuse(m, "fmiSetContinuousStates");
  m->real[H] = x[0];
  m->real[V] = x[1];
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(GetDerivatives)(fmi1Component c, fmi1Real x[], size_t n) {
  Ball* m = c;
  if (n != 2) return fmi1Error;
  evaluate(m);
  x[0] = m->real[DER_H];
  x[1] = m->real[DER_V];
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(GetEventIndicators)(fmi1Component c, fmi1Real z[], size_t n) {
  if (n != 1) return fmi1Error;
  z[0] = ((Ball*)c)->real[H];
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(GetContinuousStates)(fmi1Component c, fmi1Real x[], size_t n) {
  if (n != 2) return fmi1Error;
  x[0] = ((Ball*)c)->real[H];
  x[1] = ((Ball*)c)->real[V];
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(GetNominalContinuousStates)(fmi1Component c, fmi1Real x[], size_t n) {
  (void)c;
  for (size_t i = 0; i < n; ++i) x[i] = 1.0;
  return fmi1OK;
}
// The speed is nobody's business.
EXPORT fmi1Status FUNCTION(GetStateValueReferences)(fmi1Component c, fmi1ValueReference vr[],
                                                    size_t n) {
  if (n != 2) return fmi1Error;
  if (((Ball*)c)->stage == INSTANTIATED) return refuse(c, "fmiGetStateValueReferences");
  vr[0] = H;
  vr[1] = fmi1UndefinedValueReference;
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(Terminate)(fmi1Component c) {
  if (((Ball*)c)->stage == INSTANTIATED) return refuse(c, "fmiTerminate");
  ((Ball*)c)->stage = TERMINATED;
  return fmi1OK;
}

#else

EXPORT const char* FUNCTION(GetTypesPlatform)(void) { return "standard32"; }
EXPORT fmi1Component FUNCTION(InstantiateSlave)(fmi1String name, fmi1String guid,
                                                fmi1String location, fmi1String mime_type,
                                                fmi1Real timeout, fmi1Boolean visible,
                                                fmi1Boolean interactive,
                                                fmi1CallbackFunctions callbacks,
                                                fmi1Boolean logging) {
  (void)timeout, (void)visible, (void)interactive, (void)logging;
  if (strncmp(location, "file:///", 8) != 0 ||
      strcmp(mime_type, "application/x-fmu-sharedlibrary") != 0) {
    callbacks.logger(NULL, name, fmi1Error, "error", "location %s, type %s", location, mime_type);
    return NULL;
  }
  return make(name, guid, &callbacks);
}
EXPORT void FUNCTION(FreeSlaveInstance)(fmi1Component c) { ((Ball*)c)->callbacks.freeMemory(c); }
EXPORT fmi1Status FUNCTION(InitializeSlave)(fmi1Component c, fmi1Real begin, fmi1Boolean has_stop,
                                            fmi1Real stop) {
  (void)has_stop, (void)stop;
  if (((Ball*)c)->stage != INSTANTIATED) return fmi1Error;
  begin_at(c, begin);
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(TerminateSlave)(fmi1Component c) {
  ((Ball*)c)->stage = TERMINATED;
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(ResetSlave)(fmi1Component c) {
  start(c);
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(SetRealInputDerivatives)(fmi1Component c, const fmi1ValueReference vr[],
                                                    size_t n, const fmi1Integer order[],
                                                    const fmi1Real value[]) {
  (void)c, (void)vr, (void)n, (void)order, (void)value;
  return fmi1Error;
}
EXPORT fmi1Status FUNCTION(GetRealOutputDerivatives)(fmi1Component c, const fmi1ValueReference vr[],
                                                     size_t n, const fmi1Integer order[],
                                                     fmi1Real value[]) {
  (void)c, (void)vr, (void)n, (void)order, (void)value;
  return fmi1Error;
}

/// The parabola, bounce by bounce, with the acceleration of the step.
static void fly(Ball* m, double end) {
  const double a = -m->real[G] + m->real[U];
  while (m->time < end) {
    double h = end - m->time;
    double v = m->real[V];
    double hit = INFINITY;
    if (a < 0.0) hit = (-v - sqrt(v * v - 2.0 * a * fmax(m->real[H], 0.0))) / a;
    if (m->real[H] <= 0.0 && v <= 1e-9 && a < 0.0) {  // it rests
      m->real[H] = m->real[V] = 0.0;
      m->time = end;
      return;
    }
    if (hit < h) h = hit;
    m->real[H] += h * (v + 0.5 * a * h);
    m->real[V] += h * a;
    m->time += h;
    if (hit == h) {
      m->real[H] = 0.0;
      m->real[V] *= -restitution(m);
      ++m->integer[BOUNCES];
    }
    if (end - m->time < 1e-14) m->time = end;
  }
}

EXPORT fmi1Status FUNCTION(DoStep)(fmi1Component c, fmi1Real t, fmi1Real h, fmi1Boolean new_step) {
  Ball* m = c;
  if (!new_step || fabs(t - m->last_successful) > 1e-12) return fmi1Error;
  double end = t + h;
  fmi1Status status = fmi1OK;
  switch (m->integer[BEHAVIOUR]) {
    case DISCARDS_LONG_STEPS:
      if (h > 0.1) return fmi1Discard;
      break;
    case STOPS_HALFWAY:
      if (t < 0.5 && end > 0.5) {
        end = 0.5;
        status = fmi1Discard;
      }
      break;
    case IS_PENDING:
      m->pending = 3;
      status = fmi1Pending;
      break;
    case FAILS:
      if (end > 0.3) {
        m->callbacks.logger(c, m->name, fmi1Error, "error",
                            "#r0# is %g, and 100%% of it is too much ##1\n", m->real[H]);
        return fmi1Error;
      }
      break;
    default:
      break;
  }
  fly(m, end);
  m->last_successful = end;
  ++m->integer[STEPS];
  return status;
}
EXPORT fmi1Status FUNCTION(CancelStep)(fmi1Component c) { return c ? fmi1OK : fmi1Error; }
EXPORT fmi1Status FUNCTION(GetStatus)(fmi1Component c, const fmi1StatusKind kind,
                                      fmi1Status* value) {
  Ball* m = c;
  if (kind != fmi1DoStepStatus) return fmi1Discard;
  *value = m->pending > 0 ? fmi1Pending : fmi1OK;
  if (m->pending > 0) --m->pending;
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(GetRealStatus)(fmi1Component c, const fmi1StatusKind kind,
                                          fmi1Real* value) {
  if (kind != fmi1LastSuccessfulTime) return fmi1Discard;
  *value = ((Ball*)c)->last_successful;
  return fmi1OK;
}
EXPORT fmi1Status FUNCTION(GetIntegerStatus)(fmi1Component c, const fmi1StatusKind kind,
                                             fmi1Integer* value) {
  (void)c, (void)kind, (void)value;
  return fmi1Discard;
}
EXPORT fmi1Status FUNCTION(GetBooleanStatus)(fmi1Component c, const fmi1StatusKind kind,
                                             fmi1Boolean* value) {
  (void)c, (void)kind, (void)value;
  return fmi1Discard;
}
EXPORT fmi1Status FUNCTION(GetStringStatus)(fmi1Component c, const fmi1StatusKind kind,
                                            fmi1String* value) {
  (void)c, (void)kind, (void)value;
  return fmi1Discard;
}

#endif
