/* SPDX-License-Identifier: BSD-2-Clause */
/* Drives the binary of an FMU of FMI 3.0 on the platform that this program is compiled for, and
 * prints the bits of its variables: what it prints on two platforms can be compared as text.
 *
 *   drive_fmu LIBRARY TOKEN me|cs START STOP STEPS REFERENCE...
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saltus/fmi/fmi3.h"

#ifdef _WIN32
#include <windows.h>
static void* open_library(const char* path) { return (void*)LoadLibraryA(path); }
static void* symbol(void* library, const char* name) {
  return (void*)(intptr_t)GetProcAddress((HMODULE)library, name);
}
#else
#include <dlfcn.h>
static void* open_library(const char* path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void* symbol(void* library, const char* name) { return dlsym(library, name); }
#endif

#define POINTER(Return, Name, Parameters) static Return(*Name) Parameters;
SALTUS_FMI3_FUNCTIONS(POINTER)

static void fail(const char* what) {
  fprintf(stderr, "%s failed\n", what);
  exit(1);
}
#define OK(call)                                                  \
  do {                                                            \
    const fmi3Status status_ = (call);                            \
    if (status_ != fmi3OK && status_ != fmi3Warning) fail(#call); \
  } while (0)

static void log_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                        fmi3String message) {
  (void)environment;
  if (status > fmi3Warning) fprintf(stderr, "%s: %s\n", category, message);
}

static fmi3ValueReference references[512];
static size_t count;

static void print_bits(fmi3Instance fmu, double time) {
  double values[512];
  OK(fmi3GetFloat64(fmu, references, count, values, count));
  uint64_t bits;
  memcpy(&bits, &time, sizeof bits);
  printf("%08lx%08lx", (unsigned long)(bits >> 32), (unsigned long)(bits & 0xffffffffu));
  for (size_t i = 0; i < count; ++i) {
    memcpy(&bits, &values[i], sizeof bits);
    printf(" %08lx%08lx", (unsigned long)(bits >> 32), (unsigned long)(bits & 0xffffffffu));
  }
  printf("\n");
}

/* Until the discrete states are settled; whether the model wants to end. */
static int handle_event(fmi3Instance fmu, double* next_event) {
  fmi3Boolean again = fmi3True, terminate = fmi3False, nominals, states, defined;
  double time = 0.0;
  while (again && !terminate) {
    OK(fmi3UpdateDiscreteStates(fmu, &again, &terminate, &nominals, &states, &defined, &time));
  }
  *next_event = defined ? time : 1e300;
  return terminate;
}

static void co_simulate(fmi3Instance fmu, double start, double stop, int steps) {
  double time = start;
  print_bits(fmu, time);
  for (int i = 1; i <= steps; ++i) {
    const double next = start + (stop - start) * i / steps;
    fmi3Boolean event = fmi3False, terminate = fmi3False, early = fmi3False;
    double reached = time;
    OK(fmi3DoStep(fmu, time, next - time, fmi3True, &event, &terminate, &early, &reached));
    time = next;
    print_bits(fmu, reached);
    if (terminate) return;
  }
}

#define OK_OR_END(call, step)                 \
  do {                                        \
    const fmi3Status status_ = (call);        \
    if (status_ == fmi3Discard) {             \
      printf("discarded in step %d\n", step); \
      return;                                 \
    }                                         \
    if (status_ > fmi3Warning) fail(#call);   \
  } while (0)

/* So many steps between two printed rows. */
enum { kStepsOfRow = 50 };

/* Heun's method with steps of one size; an event is handled at the end of the step in which it
 * comes. Where steps are too long for the model, the run ends: on every platform at the same time.
 */
static void integrate(fmi3Instance fmu, double start, double stop, int steps) {
  double x[256], y[256], first[256], second[256], before[256], after[256], next_event;
  size_t states, indicators;
  OK(fmi3GetNumberOfContinuousStates(fmu, &states));
  OK(fmi3GetNumberOfEventIndicators(fmu, &indicators));
  if (states > 256 || indicators > 256) fail("room for the states");
  if (handle_event(fmu, &next_event)) return;
  OK(fmi3EnterContinuousTimeMode(fmu));
  print_bits(fmu, start);
  double time = start;
  const int small_steps = kStepsOfRow * steps;
  for (int i = 1; i <= small_steps; ++i) {
    const double next = start + (stop - start) * i / small_steps, size = next - time;
    OK(fmi3GetContinuousStates(fmu, x, states));
    OK(fmi3GetEventIndicators(fmu, before, indicators));
    OK_OR_END(fmi3GetContinuousStateDerivatives(fmu, first, states), i);
    for (size_t k = 0; k < states; ++k) y[k] = x[k] + size * first[k];
    OK(fmi3SetTime(fmu, next));
    if (states > 0) OK(fmi3SetContinuousStates(fmu, y, states));
    OK_OR_END(fmi3GetContinuousStateDerivatives(fmu, second, states), i);
    for (size_t k = 0; k < states; ++k) y[k] = x[k] + size * 0.5 * (first[k] + second[k]);
    if (states > 0) OK(fmi3SetContinuousStates(fmu, y, states));
    time = next;
    fmi3Boolean event = fmi3False, terminate = fmi3False;
    OK(fmi3CompletedIntegratorStep(fmu, fmi3True, &event, &terminate));
    OK_OR_END(fmi3GetEventIndicators(fmu, after, indicators), i);
    for (size_t k = 0; k < indicators; ++k) event = event || (before[k] > 0.0) != (after[k] > 0.0);
    if (event || time >= next_event) {
      OK(fmi3EnterEventMode(fmu));
      if (handle_event(fmu, &next_event)) return;
      OK(fmi3EnterContinuousTimeMode(fmu));
    }
    if (i % kStepsOfRow == 0) print_bits(fmu, time);
    if (terminate) return;
  }
}

int main(int arguments, char** argument) {
  if (arguments < 7) {
    fprintf(stderr, "usage: %s LIBRARY TOKEN me|cs START STOP STEPS REFERENCE...\n", argument[0]);
    return 2;
  }
  void* const library = open_library(argument[1]);
  if (library == NULL) fail(argument[1]);
#define LOAD(Return, Name, Parameters)       \
  *(void**)(&Name) = symbol(library, #Name); \
  if (Name == NULL) fail(#Name);
  SALTUS_FMI3_FUNCTIONS(LOAD)

  const double start = strtod(argument[4], NULL), stop = strtod(argument[5], NULL);
  const int steps = atoi(argument[6]), is_cs = strcmp(argument[3], "cs") == 0;
  for (int i = 7; i < arguments && count < 512; ++i) {
    references[count++] = (fmi3ValueReference)strtoul(argument[i], NULL, 10);
  }
  fmi3Instance fmu =
      is_cs ? fmi3InstantiateCoSimulation("driven", argument[2], NULL, fmi3False, fmi3True,
                                          fmi3False, fmi3False, NULL, 0, NULL, log_message, NULL)
            : fmi3InstantiateModelExchange("driven", argument[2], NULL, fmi3False, fmi3True, NULL,
                                           log_message);
  if (fmu == NULL) fail("instantiating");
  OK(fmi3EnterInitializationMode(fmu, fmi3False, 0.0, start, fmi3True, stop));
  OK(fmi3ExitInitializationMode(fmu));
  (is_cs ? co_simulate : integrate)(fmu, start, stop, steps);
  OK(fmi3Terminate(fmu));
  fmi3FreeInstance(fmu);
  return 0;
}
