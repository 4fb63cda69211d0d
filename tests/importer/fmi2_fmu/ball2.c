// SPDX-License-Identifier: BSD-2-Clause
// An FMU of FMI 2.0 in plain C for the tests of the importer: a bouncing ball with a variable of
// every type, aliases, a sample every quarter second, saved states, and a Co-Simulation side that
// solves the parabola exactly. `behaviour` makes the latter do what the standard allows a slave to
// do: see the enumeration.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saltus/fmi/fmi2.h"

#define EXPORT __attribute__((visibility("default")))

enum {
  NORMAL,
  DISCARDS_LONG_STEPS,  // steps above 0.1 are discarded, and nothing has happened
  STOPS_HALFWAY,        // the step over 0.5 ends there with fmi2Discard
  TERMINATES,           // at 0.7, by fmi2Discard and fmi2Terminated
  IS_PENDING,           // each step is pending when asked for the first three times
  SAYS_IN_THREADS,      // four threads log while a step is computed
  FAILS,                // at 0.3, with a message
  WRONG_DERIVATIVES,    // those of a ball that is slowed down by the height
  DISCARDS_DERIVATIVES,
  FAILS_IN_DERIVATIVES,
  FORGETS_BOUNCES,   // a restored state has none
  JUMPS_IN_SILENCE,  // states are said to be what they were
  ZERO_NOMINALS,
};

enum { H, DER_H, V, DER_V, G, E, U, SAMPLED, GAIN, Y, REALS };
enum { BOUNCES, MATERIAL, BEHAVIOUR, STEPS, INTEGERS };

typedef struct {
  double real[REALS];
  int integer[INTEGERS];
  int rising;
  char* label;
  double time, next_sample, last_successful;
  int terminated, pending;
} Model;

typedef struct {
  Model model;
  const fmi2CallbackFunctions* callbacks;
  char name[64];
} Ball;

static void log_text(Ball* ball, fmi2Status status, const char* format, double value) {
  ball->callbacks->logger(ball->callbacks->componentEnvironment, ball->name, status, "logStatus",
                          format, value);
}

static double restitution(const Model* m) { return m->integer[MATERIAL] == 2 ? 0.0 : m->real[E]; }

static void evaluate(Model* m) {
  m->real[DER_H] = m->real[V];
  m->real[DER_V] = -m->real[G] + m->real[U];
  m->real[Y] = m->real[GAIN] * m->real[H];
}

static void start(Model* m) {
  memset(m, 0, sizeof *m);
  m->real[H] = 1.0;
  m->real[G] = 9.81;
  m->real[E] = 0.7;
  m->real[GAIN] = 2.0;
  m->integer[MATERIAL] = 1;
}

EXPORT const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
EXPORT const char* fmi2GetVersion(void) { return fmi2Version; }
EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                                      const fmi2String categories[]) {
  (void)c, (void)on, (void)n, (void)categories;
  return fmi2OK;
}

EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid,
                                     fmi2String resources, const fmi2CallbackFunctions* callbacks,
                                     fmi2Boolean visible, fmi2Boolean logging) {
  (void)type, (void)visible, (void)logging;
  if (strcmp(guid, "{ball-of-fmi-2}") != 0 || strncmp(resources, "file:///", 8) != 0) {
    callbacks->logger(callbacks->componentEnvironment, name, fmi2Error, "logStatusError",
                      "guid %s, resources %s", guid, resources);
    return NULL;
  }
  Ball* ball = callbacks->allocateMemory(1, sizeof(Ball));
  ball->callbacks = callbacks;
  snprintf(ball->name, sizeof ball->name, "%s", name);
  start(&ball->model);
  return ball;
}
EXPORT void fmi2FreeInstance(fmi2Component c) {
  Ball* ball = c;
  free(ball->model.label);
  ball->callbacks->freeMemory(ball);
}
EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance,
                                      fmi2Real tolerance, fmi2Real begin, fmi2Boolean has_stop,
                                      fmi2Real stop) {
  (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
  Model* m = &((Ball*)c)->model;
  m->time = m->last_successful = begin;
  m->next_sample = begin + 0.25;
  return fmi2OK;
}
EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  Model* m = &((Ball*)c)->model;
  m->real[SAMPLED] = m->real[H];
  m->rising = m->real[V] > 0.0;
  return fmi2OK;
}
EXPORT fmi2Status fmi2Terminate(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
EXPORT fmi2Status fmi2Reset(fmi2Component c) {
  Model* m = &((Ball*)c)->model;
  free(m->label);
  start(m);
  return fmi2OK;
}

EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                              fmi2Real value[]) {
  Model* m = &((Ball*)c)->model;
  evaluate(m);
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] >= REALS) return fmi2Error;
    value[i] = m->real[vr[i]];
  }
  return fmi2OK;
}
EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                              const fmi2Real value[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] >= REALS) return fmi2Error;
    ((Ball*)c)->model.real[vr[i]] = value[i];
  }
  return fmi2OK;
}
EXPORT fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                 fmi2Integer value[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] >= INTEGERS) return fmi2Error;
    value[i] = ((Ball*)c)->model.integer[vr[i]];
  }
  return fmi2OK;
}
EXPORT fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                 const fmi2Integer value[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] >= INTEGERS) return fmi2Error;
    ((Ball*)c)->model.integer[vr[i]] = value[i];
  }
  return fmi2OK;
}
EXPORT fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                 fmi2Boolean value[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] != 0) return fmi2Error;
    value[i] = ((Ball*)c)->model.rising;
  }
  return fmi2OK;
}
EXPORT fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                 const fmi2Boolean value[]) {
  (void)c, (void)vr, (void)value;
  return n == 0 ? fmi2OK : fmi2Error;
}
EXPORT fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                fmi2String value[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] != 0) return fmi2Error;
    value[i] = ((Ball*)c)->model.label;
  }
  return fmi2OK;
}
EXPORT fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                const fmi2String value[]) {
  for (size_t i = 0; i < n; ++i) {
    if (vr[i] != 0) return fmi2Error;
    Model* m = &((Ball*)c)->model;
    free(m->label);
    m->label = strdup(value[i]);
  }
  return fmi2OK;
}

// Like some that people ship: saving takes the length of a text that nobody may have set.
EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  const Model* m = &((Ball*)c)->model;
  if (strlen(m->label) > 1000) return fmi2Error;
  if (*state == NULL) *state = calloc(1, sizeof(Model));
  Model* saved = *state;
  free(saved->label);
  *saved = *m;
  saved->label = strdup(m->label);
  return fmi2OK;
}
EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  Model* m = &((Ball*)c)->model;
  free(m->label);
  *m = *(const Model*)state;
  m->label = strdup(m->label);
  if (m->integer[BEHAVIOUR] == FORGETS_BOUNCES) m->integer[BOUNCES] = 0;
  return fmi2OK;
}
EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  (void)c;
  if (*state != NULL) free(((Model*)*state)->label);
  free(*state);
  *state = NULL;
  return fmi2OK;
}

// What the description does not offer, the standard demands all the same.
EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
  (void)c, (void)state, (void)size;
  return fmi2Error;
}
EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                        size_t size) {
  (void)c, (void)state, (void)bytes, (void)size;
  return fmi2Error;
}
EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                          fmi2FMUstate* state) {
  (void)c, (void)bytes, (void)size, (void)state;
  return fmi2Error;
}
EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[],
                                               size_t n_unknowns, const fmi2ValueReference knowns[],
                                               size_t n_knowns, const fmi2Real seed[],
                                               fmi2Real sensitivity[]) {
  const int behaviour = ((Ball*)c)->model.integer[BEHAVIOUR];
  if (behaviour == DISCARDS_DERIVATIVES) return fmi2Discard;
  if (behaviour == FAILS_IN_DERIVATIVES) return fmi2Error;
  for (size_t i = 0; i < n_unknowns; ++i) {
    sensitivity[i] = 0.0;
    for (size_t j = 0; j < n_knowns; ++j) {
      if (unknowns[i] == DER_H && knowns[j] == V) sensitivity[i] += seed[j];
      if (unknowns[i] == DER_V && knowns[j] == U) sensitivity[i] += seed[j];
      if (unknowns[i] == Y && knowns[j] == H) {
        sensitivity[i] += ((Ball*)c)->model.real[GAIN] * seed[j];
      }
      if (unknowns[i] == DER_V && knowns[j] == V && behaviour == WRONG_DERIVATIVES) {
        sensitivity[i] -= 100.0 * seed[j];
      }
    }
  }
  return fmi2OK;
}
EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[],
                                              size_t n, const fmi2Integer order[],
                                              const fmi2Real value[]) {
  (void)c, (void)vr, (void)n, (void)order, (void)value;
  return fmi2Error;
}
EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[],
                                               size_t n, const fmi2Integer order[],
                                               fmi2Real value[]) {
  (void)c, (void)vr, (void)n, (void)order, (void)value;
  return fmi2Error;
}
EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind,
                                       fmi2Integer* value) {
  (void)c, (void)kind, (void)value;
  return fmi2Discard;
}
EXPORT fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind,
                                      fmi2String* value) {
  (void)c, (void)kind, (void)value;
  return fmi2Discard;
}

EXPORT fmi2Status fmi2EnterEventMode(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
static int bounce(Model* m) {
  if (m->real[H] > 0.0 || m->real[V] >= 0.0) return 0;
  m->real[H] = 0.0;
  m->real[V] *= -restitution(m);
  ++m->integer[BOUNCES];
  return 1;
}
EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* event) {
  Model* m = &((Ball*)c)->model;
  memset(event, 0, sizeof *event);
  event->valuesOfContinuousStatesChanged = bounce(m);
  m->rising = m->real[V] > 0.0;
  if (m->time >= m->next_sample) {
    m->real[SAMPLED] = m->real[H];
    m->next_sample += 0.25;
  }
  event->nextEventTimeDefined = fmi2True;
  event->nextEventTime = m->next_sample;
  if (m->integer[BEHAVIOUR] == JUMPS_IN_SILENCE) event->valuesOfContinuousStatesChanged = fmi2False;
  return fmi2OK;
}
EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_return,
                                              fmi2Boolean* enter_event, fmi2Boolean* terminate) {
  (void)no_return;
  ++((Ball*)c)->model.integer[STEPS];
  *enter_event = *terminate = fmi2False;
  return fmi2OK;
}
EXPORT fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  ((Ball*)c)->model.time = time;
  return fmi2OK;
}
EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) {
  if (n != 2) return fmi2Error;
  ((Ball*)c)->model.real[H] = x[0];
  ((Ball*)c)->model.real[V] = x[1];
  return fmi2OK;
}
EXPORT fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real x[], size_t n) {
  Model* m = &((Ball*)c)->model;
  if (n != 2) return fmi2Error;
  evaluate(m);
  x[0] = m->real[DER_H];
  x[1] = m->real[DER_V];
  return fmi2OK;
}
EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) {
  if (n != 1) return fmi2Error;
  z[0] = ((Ball*)c)->model.real[H];
  return fmi2OK;
}
EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
  if (n != 2) return fmi2Error;
  x[0] = ((Ball*)c)->model.real[H];
  x[1] = ((Ball*)c)->model.real[V];
  return fmi2OK;
}
EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
  const int behaviour = ((Ball*)c)->model.integer[BEHAVIOUR];
  for (size_t i = 0; i < n; ++i) x[i] = behaviour == ZERO_NOMINALS ? 0.0 : 1.0;
  return fmi2OK;
}

/// The parabola, bounce by bounce, with the acceleration of the step.
static void fly(Model* m, double end) {
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
  m->rising = m->real[V] > 0.0;
}

static void* say_in_thread(void* ball) {
  for (int i = 0; i < 10; ++i) log_text(ball, fmi2Warning, "thread %g", 1.0);
  return NULL;
}
static void say_in_threads(Ball* ball) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, say_in_thread, ball);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
}

EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_return) {
  (void)no_return;
  Ball* ball = c;
  Model* m = &ball->model;
  if (fabs(t - m->last_successful) > 1e-12) return fmi2Error;
  double end = t + h;
  fmi2Status status = fmi2OK;
  switch (m->integer[BEHAVIOUR]) {
    case DISCARDS_LONG_STEPS:
      if (h > 0.1) return fmi2Discard;
      break;
    case STOPS_HALFWAY:
      if (t < 0.5 && end > 0.5) {
        end = 0.5;
        status = fmi2Discard;
      }
      break;
    case TERMINATES:
      if (end > 0.7) {
        end = 0.7;
        m->terminated = 1;
        status = fmi2Discard;
      }
      break;
    case IS_PENDING:
      m->pending = 3;
      status = fmi2Pending;
      break;
    case SAYS_IN_THREADS:
      say_in_threads(ball);
      break;
    case FAILS:
      if (end > 0.3) {
        log_text(ball, fmi2Error, "#r0# is %g, and 100%% of it is too much ##1", m->real[H]);
        return fmi2Error;
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
EXPORT fmi2Status fmi2CancelStep(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
EXPORT fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status* value) {
  Model* m = &((Ball*)c)->model;
  if (kind != fmi2DoStepStatus) return fmi2Discard;
  *value = m->pending > 0 ? fmi2Pending : fmi2OK;
  if (m->pending > 0) --m->pending;
  return fmi2OK;
}
EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
  if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
  *value = ((Ball*)c)->model.last_successful;
  return fmi2OK;
}
EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind,
                                       fmi2Boolean* value) {
  if (kind != fmi2Terminated) return fmi2Discard;
  *value = ((Ball*)c)->model.terminated;
  return fmi2OK;
}
