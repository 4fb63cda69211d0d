// SPDX-License-Identifier: BSD-2-Clause
// An FMU that takes steps of its own, whatever it is asked for, and says where they have led it:
// x' = 1 from x = 0 at time 0, by steps of `step`. One more is taken as long as it ends before the
// communication point or is close to it. With closeness > 0 that is decided relatively to the time,
// as in the Reference FMUs, so that late in a run it goes beyond the point. It exports only the
// functions that an importer needs.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "saltus/fmi/fmi3_functions.h"

enum { vr_time, vr_x, vr_step, vr_closeness, vr_ahead, vr_count };

typedef struct {
  double value[vr_count];
  double begin;
  double steps;
} Model;

const char* fmi3GetVersion(void) { return fmi3Version; }

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference required[], size_t n_required,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback intermediate_update) {
  (void)name, (void)resources, (void)visible, (void)logging, (void)event_mode, (void)early_return;
  (void)required, (void)n_required, (void)environment, (void)log, (void)intermediate_update;
  if (strcmp(token, "saltus-test-own-steps-1") != 0) return NULL;
  Model* m = calloc(1, sizeof(Model));
  if (m != NULL) m->value[vr_step] = 0.1;
  return m;
}

void fmi3FreeInstance(fmi3Instance instance) { free(instance); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean tolerance_defined,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean stop_defined, fmi3Float64 stop) {
  (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
  Model* m = instance;
  m->begin = m->value[vr_time] = m->value[vr_x] = start;
  return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  (void)instance;
  return fmi3OK;
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  (void)instance;
  return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 point, fmi3Float64 step,
                      fmi3Boolean no_set_state, fmi3Boolean* event, fmi3Boolean* terminate,
                      fmi3Boolean* early_return, fmi3Float64* last) {
  (void)no_set_state;
  Model* m = instance;
  double* value = m->value;
  const double goal = point + step;
  const double close = 1e-9 + value[vr_closeness] * fabs(goal);
  for (;;) {
    const double next = m->begin + (m->steps + 1.0) * value[vr_step];
    if (next > goal && next - goal > close) break;
    m->steps += 1.0;
    value[vr_time] = value[vr_x] = next;
  }
  *event = *terminate = *early_return = false;
  *last = value[vr_time] + value[vr_ahead];
  return fmi3OK;
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          fmi3Float64 values[], size_t n_values) {
  const Model* m = instance;
  if (n != n_values) return fmi3Error;
  for (size_t i = 0; i < n; ++i) {
    if (references[i] >= vr_count) return fmi3Error;
    values[i] = m->value[references[i]];
  }
  return fmi3OK;
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          const fmi3Float64 values[], size_t n_values) {
  Model* m = instance;
  if (n != n_values) return fmi3Error;
  for (size_t i = 0; i < n; ++i) {
    if (references[i] < vr_step || references[i] >= vr_count) return fmi3Error;
    m->value[references[i]] = values[i];
  }
  return fmi3OK;
}
