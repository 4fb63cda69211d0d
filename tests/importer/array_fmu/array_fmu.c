// SPDX-License-Identifier: BSD-2-Clause
// An FMU for the tests of arrays and types: x_i' = u_i - i x_i with indicators z_i = x_i - 1/2, and
// one variable of every type that keeps what it is given. It exports only the functions that an
// importer needs, and checks nothing but counts.

#include <stdlib.h>
#include <string.h>

#include "saltus/fmi/fmi3_functions.h"

enum { max_size = 8, matrix_size = 6, max_text = 64 };
enum { vr_time, vr_n, vr_x, vr_der_x, vr_z, vr_u, vr_matrix };

typedef struct {
  double time;
  uint64_t n;
  double x[max_size], u[max_size], matrix[matrix_size];
  double scratch[max_size];
  float float32;
  int8_t int8;
  uint8_t uint8;
  int16_t int16;
  uint16_t uint16;
  int32_t int32;
  uint32_t uint32;
  int64_t int64, gear;
  uint64_t uint64;
  bool boolean;
  char string[max_text];
  uint8_t binary[max_text];
  size_t binary_size;
  fmi3InstanceEnvironment environment;
  fmi3IntermediateUpdateCallback intermediate_update;
} Model;

static Model* make(fmi3String token) {
  if (strcmp(token, "saltus-test-array-1") != 0) return NULL;
  Model* m = calloc(1, sizeof(Model));
  if (m == NULL) return NULL;
  m->n = 2;
  for (size_t i = 0; i < max_size; ++i) m->x[i] = 1.0;
  for (size_t i = 0; i < matrix_size; ++i) m->matrix[i] = (double)(i + 1);
  m->float32 = 0.5F;
  m->int8 = -8, m->uint8 = 8, m->int16 = -16, m->uint16 = 16;
  m->int32 = -32, m->uint32 = 32, m->int64 = -64, m->uint64 = 64;
  m->boolean = true;
  strcpy(m->string, "a, \"b\"");
  memcpy(m->binary, "\xc0\xff\xee", 3);
  m->binary_size = 3;
  return m;
}

static void slope(const Model* m, double* derivative) {
  for (size_t i = 0; i < m->n; ++i) derivative[i] = m->u[i] - (double)(i + 1) * m->x[i];
}

const char* fmi3GetVersion(void) { return fmi3Version; }

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log) {
  (void)name, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
  return make(token);
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference required[], size_t n_required,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback intermediate_update) {
  (void)name, (void)resources, (void)visible, (void)logging, (void)log;
  (void)required, (void)n_required;
  if (event_mode || early_return) return NULL;  // the description offers neither
  Model* m = make(token);
  if (m == NULL) return NULL;
  m->environment = environment;
  m->intermediate_update = intermediate_update;
  return m;
}

void fmi3FreeInstance(fmi3Instance instance) { free(instance); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop) {
  (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
  ((Model*)instance)->time = start;
  return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) { return (void)instance, fmi3OK; }
fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) { return (void)instance, fmi3OK; }
fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  return ((Model*)instance)->n <= max_size ? fmi3OK : fmi3Error;
}
fmi3Status fmi3EnterEventMode(fmi3Instance instance) { return (void)instance, fmi3OK; }
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) { return (void)instance, fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance instance) { return (void)instance, fmi3OK; }

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* need_update,
                                    fmi3Boolean* terminate, fmi3Boolean* nominals_changed,
                                    fmi3Boolean* states_changed, fmi3Boolean* has_next,
                                    fmi3Float64* next) {
  (void)instance, (void)next;
  *need_update = *terminate = *nominals_changed = *states_changed = *has_next = false;
  return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t* count) {
  *count = ((Model*)instance)->n;
  return fmi3OK;
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t* count) {
  *count = ((Model*)instance)->n;
  return fmi3OK;
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
  ((Model*)instance)->time = time;
  return fmi3OK;
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 x[], size_t n) {
  Model* m = instance;
  if (n != m->n) return fmi3Error;
  memcpy(m->x, x, n * sizeof *x);
  return fmi3OK;
}
fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 x[], size_t n) {
  const Model* m = instance;
  if (n != m->n) return fmi3Error;
  memcpy(x, m->x, n * sizeof *x);
  return fmi3OK;
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[],
                                             size_t n) {
  if (n != ((Model*)instance)->n) return fmi3Error;
  for (size_t i = 0; i < n; ++i) nominals[i] = 3.0;
  return fmi3OK;
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 xp[], size_t n) {
  if (n != ((Model*)instance)->n) return fmi3Error;
  slope(instance, xp);
  return fmi3OK;
}
fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 z[], size_t n) {
  const Model* m = instance;
  if (n != m->n) return fmi3Error;
  for (size_t i = 0; i < n; ++i) z[i] = m->x[i] - 0.5;
  return fmi3OK;
}

// Ten Euler steps, with a call back after each.
fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 point, fmi3Float64 step,
                      fmi3Boolean no_set_state, fmi3Boolean* event, fmi3Boolean* terminate,
                      fmi3Boolean* early_return, fmi3Float64* last) {
  (void)no_set_state;
  Model* m = instance;
  for (int k = 1; k <= 10; ++k) {
    slope(m, m->scratch);
    for (size_t i = 0; i < m->n; ++i) m->x[i] += 0.1 * step * m->scratch[i];
    m->time = point + 0.1 * k * step;
    if (m->intermediate_update != NULL) {
      fmi3Boolean requested = false;
      fmi3Float64 return_time = m->time;
      m->intermediate_update(m->environment, m->time, true, true, true, false, &requested,
                             &return_time);
    }
  }
  *event = *terminate = *early_return = false;
  *last = m->time;
  return fmi3OK;
}

// The elements of a Float64 variable, and how many there are; 0 if there is no such variable.
static size_t elements(Model* m, fmi3ValueReference reference, double** values) {
  switch (reference) {
    case vr_time:
      *values = &m->time;
      return 1;
    case vr_x:
      *values = m->x;
      return m->n;
    case vr_der_x:
      slope(m, m->scratch);
      *values = m->scratch;
      return m->n;
    case vr_z:
      for (size_t i = 0; i < m->n; ++i) m->scratch[i] = m->x[i] - 0.5;
      *values = m->scratch;
      return m->n;
    case vr_u:
      *values = m->u;
      return m->n;
    case vr_matrix:
      *values = m->matrix;
      return matrix_size;
    default:
      return 0;
  }
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          fmi3Float64 values[], size_t n_values) {
  size_t next = 0;
  for (size_t i = 0; i < n; ++i) {
    double* source = NULL;
    const size_t count = elements(instance, references[i], &source);
    if (count == 0 || next + count > n_values) return fmi3Error;
    memcpy(values + next, source, count * sizeof *source);
    next += count;
  }
  return next == n_values ? fmi3OK : fmi3Error;
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          const fmi3Float64 values[], size_t n_values) {
  size_t next = 0;
  for (size_t i = 0; i < n; ++i) {
    double* target = NULL;
    const size_t count = elements(instance, references[i], &target);
    if (count == 0 || next + count > n_values) return fmi3Error;
    memcpy(target, values + next, count * sizeof *target);
    next += count;
  }
  return next == n_values ? fmi3OK : fmi3Error;
}

// The other types have one variable each, except that n and gear share a type with others.
#define SCALAR(Type, Suffix, Member)                                                       \
  fmi3Status fmi3Get##Suffix(fmi3Instance instance, const fmi3ValueReference references[], \
                             size_t n, Type values[], size_t n_values) {                   \
    if (n != n_values) return fmi3Error;                                                   \
    for (size_t i = 0; i < n; ++i) {                                                       \
      Model* m = instance;                                                                 \
      const fmi3ValueReference reference = references[i];                                  \
      (void)reference;                                                                     \
      values[i] = (Type)(Member);                                                          \
    }                                                                                      \
    return fmi3OK;                                                                         \
  }                                                                                        \
  fmi3Status fmi3Set##Suffix(fmi3Instance instance, const fmi3ValueReference references[], \
                             size_t n, const Type values[], size_t n_values) {             \
    if (n != n_values) return fmi3Error;                                                   \
    for (size_t i = 0; i < n; ++i) {                                                       \
      Model* m = instance;                                                                 \
      const fmi3ValueReference reference = references[i];                                  \
      (void)reference;                                                                     \
      *(&(Member)) = values[i];                                                            \
    }                                                                                      \
    return fmi3OK;                                                                         \
  }
SCALAR(fmi3Float32, Float32, m->float32)
SCALAR(fmi3Int8, Int8, m->int8)
SCALAR(fmi3UInt8, UInt8, m->uint8)
SCALAR(fmi3Int16, Int16, m->int16)
SCALAR(fmi3UInt16, UInt16, m->uint16)
SCALAR(fmi3Int32, Int32, m->int32)
SCALAR(fmi3UInt32, UInt32, m->uint32)
SCALAR(fmi3Int64, Int64, *(reference == 20 ? &m->gear : &m->int64))
SCALAR(fmi3UInt64, UInt64, *(reference == vr_n ? &m->n : &m->uint64))
SCALAR(fmi3Boolean, Boolean, m->boolean)

fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                         fmi3String values[], size_t n_values) {
  (void)references;
  if (n != 1 || n_values != 1) return fmi3Error;
  values[0] = ((Model*)instance)->string;
  return fmi3OK;
}
fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                         const fmi3String values[], size_t n_values) {
  (void)references;
  if (n != 1 || n_values != 1 || strlen(values[0]) >= max_text) return fmi3Error;
  strcpy(((Model*)instance)->string, values[0]);
  return fmi3OK;
}
fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                         size_t sizes[], fmi3Binary values[], size_t n_values) {
  (void)references;
  if (n != 1 || n_values != 1) return fmi3Error;
  sizes[0] = ((Model*)instance)->binary_size;
  values[0] = ((Model*)instance)->binary;
  return fmi3OK;
}
fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                         const size_t sizes[], const fmi3Binary values[], size_t n_values) {
  (void)references;
  Model* m = instance;
  if (n != 1 || n_values != 1 || sizes[0] > max_text) return fmi3Error;
  if (sizes[0] > 0) memcpy(m->binary, values[0], sizes[0]);
  m->binary_size = sizes[0];
  return fmi3OK;
}
