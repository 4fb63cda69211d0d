// SPDX-License-Identifier: BSD-2-Clause
// The functions of FMI around the honest ones of the base. The environment variable
// SALTUS_SABOTAGE="CALL:WAY:FROM" says which of them misbehaves and how: from its FROM-th call on,
// or, if FROM begins with t, from that time of the model on; without it, at once. CALL may also be
// "load" and "unload", the constructor and destructor of the library.

#define _GNU_SOURCE
#include <dirent.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "late.h"
#include "plain_fmu.h"

#define HONEST(Name) extern Name##TYPE honest_##Name;
HONEST(fmi3InstantiateModelExchange)
HONEST(fmi3InstantiateCoSimulation)
HONEST(fmi3FreeInstance)
HONEST(fmi3EnterInitializationMode)
HONEST(fmi3ExitInitializationMode)
HONEST(fmi3EnterEventMode)
HONEST(fmi3UpdateDiscreteStates)
HONEST(fmi3EnterContinuousTimeMode)
HONEST(fmi3CompletedIntegratorStep)
HONEST(fmi3SetTime)
HONEST(fmi3SetContinuousStates)
HONEST(fmi3GetContinuousStateDerivatives)
HONEST(fmi3GetEventIndicators)
HONEST(fmi3GetContinuousStates)
HONEST(fmi3GetNominalsOfContinuousStates)
HONEST(fmi3GetNumberOfContinuousStates)
HONEST(fmi3GetNumberOfEventIndicators)
HONEST(fmi3GetFloat64)
HONEST(fmi3SetFloat64)
HONEST(fmi3GetInt32)
HONEST(fmi3GetFMUState)
HONEST(fmi3SetFMUState)
HONEST(fmi3FreeFMUState)
HONEST(fmi3EnterStepMode)
HONEST(fmi3DoStep)
HONEST(fmi3Terminate)
HONEST(fmi3GetVersion)

enum { word_size = 64 };
static char wanted_call[word_size];
static char wanted_way[word_size];
static double wanted_time = -HUGE_VAL;
static long wanted_count = 1;
static double now = -HUGE_VAL;
static long calls = 0;
static fmi3LogMessageCallback log_callback;
static fmi3InstanceEnvironment log_environment;

static void read_wish(void) {
  const char* wish = getenv("SALTUS_SABOTAGE");
  char from[word_size] = "1";
  if (wish == NULL || sscanf(wish, "%63[^:]:%63[^:]:%63s", wanted_call, wanted_way, from) < 2)
    return;
  if (from[0] == 't') {
    wanted_time = strtod(from + 1, NULL);
  } else {
    wanted_count = strtol(from, NULL, 10);
  }
}

static bool is_way(const char* way) { return strcmp(wanted_way, way) == 0; }

// Volatile, so that no compiler looks through them.
static volatile int deep = 1;
static int* volatile nowhere = (int*)64;  // not NULL, which a sanitizer would find first
static void* volatile last_block;

// NOLINTNEXTLINE(misc-no-recursion)
static int recurse(volatile char* caller) {
  volatile char frame[4096];
  frame[0] = caller[0];
  return deep != 0 ? recurse(frame) + frame[0] : 0;
}

static void touch_nowhere(void) { *nowhere = 1; }

static void* crash_soon(void* unused) {
  usleep(20000);
  touch_nowhere();
  return unused;
}

static void* live_on(void* unused) {
  for (;;) usleep(1000);
  return unused;
}

static void start_thread(void* (*work)(void*)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, NULL) == 0) pthread_detach(thread);
}

static void* add_up(void* sum) {
  for (int i = 0; i < 1000; ++i) *(double*)sum += i;
  return sum;
}

#ifdef _OPENMP
// The pool of threads lives on after the region.
static void work_in_parallel(void) {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum) num_threads(4)
  for (int i = 1; i <= 1000; ++i) sum += 1.0 / i;
  if (!(sum > 7.0)) abort();
}
#endif

// As a parallel region does: some threads, and all are awaited.
static void work_in_threads(void) {
  enum { thread_count = 4 };
  pthread_t threads[thread_count];
  double sums[thread_count] = {0};
  int made = 0;
  while (made < thread_count && pthread_create(&threads[made], NULL, add_up, &sums[made]) == 0)
    ++made;
  for (int i = 0; i < made; ++i) pthread_join(threads[i], NULL);
}

static void allocate(size_t block, bool touched) {
  for (;;) {
    void* memory = malloc(block);
    if (memory == NULL) abort();
    if (touched) memset(memory, 1, block);
    last_block = memory;
  }
}

static void deadlock(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
}

static void close_files(int first) {
  for (int file = first; file < 256; ++file) close(file);
}

static void shout(int count, bool same) {
  char text[128];
  for (int i = 0; i < count; ++i) {
    snprintf(text, sizeof text, "the tank is empty, said %d times", same ? 0 : i);
    if (log_callback != NULL) log_callback(log_environment, fmi3Warning, NULL, text);
  }
}

static void shout_at_length(void) {
  const size_t size = 50 << 20;
  char* text = malloc(size);
  if (text == NULL) return;
  memset(text, 'a', size);
  text[size - 1] = '\0';
  if (log_callback != NULL) log_callback(log_environment, fmi3Warning, NULL, text);
  free(text);
}

// Whatever this process shares with others.
static void scribble(int byte) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char rights[8] = "";
    if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3 && strcmp(rights, "rw-s") == 0) {
      memset((void*)begin, byte, end - begin);  // NOLINT(performance-no-int-to-ptr)
    }
  }
  if (maps != NULL) fclose(maps);
}

static void forget(_Unwind_Reason_Code code, struct _Unwind_Exception* exception) {
  (void)code;
  (void)exception;
}

static void throw_something(void) {
  static struct _Unwind_Exception exception;
  memset(&exception, 0, sizeof exception);
  memcpy(&exception.exception_class, "SALTUS\0", sizeof exception.exception_class);
  exception.exception_cleanup = forget;
  _Unwind_RaiseException(&exception);
}

static void ignore_signals(void) {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_IGN);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
}

// What would only take long if it happened in every call.
static void misbehave_once(void) {
  static bool done = false;
  if (done) return;
  done = true;
  if (is_way("shout")) shout(20000, false);
  if (is_way("repeat")) shout(20000, true);
  if (is_way("shout_at_length")) shout_at_length();
  if (is_way("print")) {
    for (int i = 0; i < 20000; ++i) puts("a line on standard output");
  }
  if (is_way("thread_that_lives")) start_thread(live_on);
  if (is_way("child") && fork() == 0) {
    for (;;) pause();
  }
  if (is_way("double")) fork();  // and both return
  if (is_way("elsewhere") && chdir("/") != 0) abort();
  if (is_way("child_that_crashes") && fork() == 0) abort();
  if (is_way("daemon") && fork() == 0) {
    setsid();
    for (;;) pause();
  }
}

// What can happen in any call.
static void misbehave(void) {
  char first = 0;
  if (prepare_for_later(wanted_way)) return;
  misbehave_once();
  if (is_way("segv")) touch_nowhere();
  if (is_way("abort")) abort();
  if (is_way("exit0")) exit(0);
  if (is_way("exit3")) exit(3);
  if (is_way("_exit0")) _exit(0);
  if (is_way("quick_exit")) quick_exit(0);
  if (is_way("overflow")) deep = 1 + recurse(&first);
  if (is_way("fpe")) raise(SIGFPE);
  if (is_way("bus")) raise(SIGBUS);
  if (is_way("ill")) raise(SIGILL);
  if (is_way("trap")) raise(SIGTRAP);
  if (is_way("kill")) raise(SIGKILL);
  if (is_way("stop")) raise(SIGSTOP);
  if (is_way("term")) raise(SIGTERM);
  if (is_way("interrupt")) raise(SIGINT);
  if (is_way("loop")) {
    while (deep != 0) {
    }
  }
  if (is_way("sleep")) {
    for (;;) pause();
  }
  if (is_way("deadlock")) deadlock();
  if (is_way("deaf_loop")) {
    ignore_signals();
    while (deep != 0) {
    }
  }
  if (is_way("throw")) throw_something();
  if (is_way("pthread_exit")) pthread_exit(NULL);
  if (is_way("close_files")) close_files(3);
  if (is_way("close_all_files")) close_files(0);
  if (is_way("ignore_signals")) ignore_signals();
  if (is_way("round_up")) fesetround(FE_UPWARD);
  if (is_way("round_to_zero")) fesetround(FE_TOWARDZERO);
#if defined(__SSE__)
  if (is_way("flush_to_zero")) _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  if (is_way("trap_numbers")) feenableexcept(FE_INVALID | FE_DIVBYZERO);
  if (is_way("allocate")) allocate(1 << 20, true);
  if (is_way("reserve")) allocate(1 << 28, false);
  if (is_way("shout_for_ever")) {
    for (;;) shout(1000, false);
  }
  if (is_way("thread_that_crashes")) start_thread(crash_soon);
  if (is_way("threads")) work_in_threads();
#ifdef _OPENMP
  if (is_way("openmp")) work_in_parallel();
#endif
  if (is_way("scribble")) scribble(0xa5);
  if (is_way("scribble_zeros")) scribble(0);
}

// The way in which this call is to misbehave now, or NULL.
static const char* begin(const char* function) {
  if (strcmp(function, wanted_call) != 0) return NULL;
  ++calls;
  if (calls < wanted_count || now < wanted_time) return NULL;
  misbehave();
  return wanted_way;
}

__attribute__((constructor)) static void load(void) {
  read_wish();
  begin("load");
}
__attribute__((destructor)) static void unload(void) { begin("unload"); }

static fmi3Status end(const char* way, fmi3Status status) {
  if (way == NULL) return status;
  if (is_way("warning")) return fmi3Warning;
  if (is_way("discard")) return fmi3Discard;
  if (is_way("error")) return fmi3Error;
  if (is_way("fatal")) return fmi3Fatal;
  if (is_way("status17")) return (fmi3Status)17;
  if (is_way("status-1")) return (fmi3Status)-1;
  return status;
}

static void spoil(const char* way, double values[], size_t count) {
  if (way == NULL) return;
  if (is_way("nan") && count > 0) values[0] = NAN;
  if (is_way("inf") && count > 0) values[0] = HUGE_VAL;
  if (is_way("overrun")) {
    for (size_t i = 0; i < 16; ++i) ((volatile double*)values)[count + i] = 1e300;
  }
  if (is_way("overrun_by_one")) ((volatile double*)values)[count] = 1e300;
}

#define AROUND(Name, Parameters, Arguments)   \
  fmi3Status Name Parameters {                \
    const char* way = begin(#Name);           \
    return end(way, honest_##Name Arguments); \
  }
#define AROUND_NUMBERS(Name, Parameters, Arguments, values, count) \
  fmi3Status Name Parameters {                                     \
    const char* way = begin(#Name);                                \
    const fmi3Status status = honest_##Name Arguments;             \
    spoil(way, values, count);                                     \
    return end(way, status);                                       \
  }

AROUND(fmi3EnterInitializationMode,
       (fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
        fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime),
       (instance, toleranceDefined, tolerance, startTime, stopTimeDefined, stopTime))
AROUND(fmi3ExitInitializationMode, (fmi3Instance instance), (instance))
AROUND(fmi3EnterEventMode, (fmi3Instance instance), (instance))
AROUND(fmi3EnterContinuousTimeMode, (fmi3Instance instance), (instance))
AROUND(fmi3EnterStepMode, (fmi3Instance instance), (instance))
AROUND(fmi3Terminate, (fmi3Instance instance), (instance))
AROUND(fmi3SetContinuousStates,
       (fmi3Instance instance, const fmi3Float64 continuousStates[], size_t nContinuousStates),
       (instance, continuousStates, nContinuousStates))
AROUND(fmi3SetFloat64,
       (fmi3Instance instance, const fmi3ValueReference references[], size_t count,
        const fmi3Float64 values[], size_t value_count),
       (instance, references, count, values, value_count))
AROUND(fmi3SetFMUState, (fmi3Instance instance, fmi3FMUState FMUState), (instance, FMUState))
AROUND(fmi3FreeFMUState, (fmi3Instance instance, fmi3FMUState* FMUState), (instance, FMUState))
AROUND_NUMBERS(fmi3GetContinuousStateDerivatives,
               (fmi3Instance instance, fmi3Float64 derivatives[], size_t nContinuousStates),
               (instance, derivatives, nContinuousStates), derivatives, nContinuousStates)
AROUND_NUMBERS(fmi3GetEventIndicators,
               (fmi3Instance instance, fmi3Float64 eventIndicators[], size_t nEventIndicators),
               (instance, eventIndicators, nEventIndicators), eventIndicators, nEventIndicators)
AROUND_NUMBERS(fmi3GetContinuousStates,
               (fmi3Instance instance, fmi3Float64 continuousStates[], size_t nContinuousStates),
               (instance, continuousStates, nContinuousStates), continuousStates, nContinuousStates)
AROUND_NUMBERS(fmi3GetNominalsOfContinuousStates,
               (fmi3Instance instance, fmi3Float64 nominals[], size_t nContinuousStates),
               (instance, nominals, nContinuousStates), nominals, nContinuousStates)
AROUND_NUMBERS(fmi3GetFloat64,
               (fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                fmi3Float64 values[], size_t value_count),
               (instance, references, count, values, value_count), values, value_count)

fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                        fmi3Int32 values[], size_t value_count) {
  const char* way = begin(__func__);
  const fmi3Status status = honest_fmi3GetInt32(instance, references, count, values, value_count);
  if (way != NULL && is_way("overrun")) {
    for (size_t i = 0; i < 16; ++i) ((volatile fmi3Int32*)values)[value_count + i] = -1;
  }
  return end(way, status);
}

fmi3Status fmi3GetString(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                         fmi3String values[], size_t value_count) {
  (void)instance;
  (void)references;
  (void)count;
  const char* way = begin(__func__);
  for (size_t i = 0; i < value_count; ++i) {
    values[i] = "a text";
    if (way != NULL && is_way("null")) values[i] = NULL;
    if (way != NULL && is_way("broken_text")) values[i] = "\xff\xfe\x1b[2J\"\n,";
    if (way != NULL && is_way("bad_pointer")) values[i] = (fmi3String)nowhere;
  }
  return end(way, fmi3OK);
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t* count) {
  const char* way = begin(__func__);
  const fmi3Status status = honest_fmi3GetNumberOfContinuousStates(instance, count);
  if (way != NULL && is_way("one_more")) ++*count;
  if (way != NULL && is_way("none")) *count = 0;
  if (way != NULL && is_way("huge")) *count = SIZE_MAX / 16;
  return end(way, status);
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t* count) {
  const char* way = begin(__func__);
  const fmi3Status status = honest_fmi3GetNumberOfEventIndicators(instance, count);
  if (way != NULL && is_way("one_more")) ++*count;
  if (way != NULL && is_way("none")) *count = 0;
  if (way != NULL && is_way("huge")) *count = SIZE_MAX / 16;
  return end(way, status);
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
  now = time;
  const char* way = begin(__func__);
  return end(way, honest_fmi3SetTime(instance, time));
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
  const char* way = begin(__func__);
  const fmi3Status status = honest_fmi3GetFMUState(instance, FMUState);
  if (way != NULL && is_way("null")) {
    honest_fmi3FreeFMUState(instance, FMUState);
    *FMUState = NULL;
  }
  return end(way, status);
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance,
                                       fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                       fmi3Boolean* enterEventMode,
                                       fmi3Boolean* terminateSimulation) {
  const char* way = begin(__func__);
  const fmi3Status status = honest_fmi3CompletedIntegratorStep(
      instance, noSetFMUStatePriorToCurrentPoint, enterEventMode, terminateSimulation);
  if (way != NULL && is_way("event_always")) *enterEventMode = fmi3True;
  if (way != NULL && is_way("terminate")) *terminateSimulation = fmi3True;
  return end(way, status);
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate,
                                    fmi3Boolean* terminateSimulation,
                                    fmi3Boolean* nominalsOfContinuousStatesChanged,
                                    fmi3Boolean* valuesOfContinuousStatesChanged,
                                    fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime) {
  const char* way = begin(__func__);
  const fmi3Boolean was_announced = *nextEventTimeDefined;
  const fmi3Float64 announced = *nextEventTime;
  const fmi3Status status = honest_fmi3UpdateDiscreteStates(
      instance, discreteStatesNeedUpdate, terminateSimulation, nominalsOfContinuousStatesChanged,
      valuesOfContinuousStatesChanged, nextEventTimeDefined, nextEventTime);
  if (way == NULL) return status;
  if (is_way("update_for_ever")) *discreteStatesNeedUpdate = fmi3True;
  if (is_way("terminate")) *terminateSimulation = fmi3True;
  if (is_way("plans_from_its_announcement")) {
    *nextEventTimeDefined = fmi3True;
    *nextEventTime = !was_announced ? 0.25 : now >= announced ? announced + 0.25 : announced;
  }
  if (is_way("leaves_its_announcement")) {
    *nextEventTimeDefined = calls == 1 ? fmi3True : was_announced;
    *nextEventTime = calls == 1 ? 0.25 : announced;
  }
  if (is_way("event_in_the_past")) {
    *nextEventTimeDefined = fmi3True;
    *nextEventTime = -1.0;
  }
  if (is_way("event_at_nan")) {
    *nextEventTimeDefined = fmi3True;
    *nextEventTime = NAN;
  }
  if (is_way("event_at_infinity")) {
    *nextEventTimeDefined = fmi3True;
    *nextEventTime = HUGE_VAL;
  }
  if (is_way("event_at_once")) {
    *nextEventTimeDefined = fmi3True;
    *nextEventTime = now > 0.0 ? now : 0.0;
  }
  if (is_way("events_without_end")) {
    *nextEventTimeDefined = fmi3True;
    *nextEventTime = (now > 0.0 ? now : 0.0) + 1e-13;
  }
  return end(way, status);
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                      fmi3Float64 communicationStepSize,
                      fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                      fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
                      fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime) {
  now = currentCommunicationPoint + communicationStepSize;
  const char* way = begin(__func__);
  if (way != NULL &&
      (is_way("early_return_without_progress") || is_way("event_without_progress"))) {
    *eventHandlingNeeded = is_way("event_without_progress");
    *terminateSimulation = fmi3False;
    *earlyReturn = fmi3True;
    *lastSuccessfulTime = currentCommunicationPoint;
    return fmi3OK;
  }
  const fmi3Status status = honest_fmi3DoStep(
      instance, currentCommunicationPoint, communicationStepSize, noSetFMUStatePriorToCurrentPoint,
      eventHandlingNeeded, terminateSimulation, earlyReturn, lastSuccessfulTime);
  if (way == NULL) return status;
  if (is_way("terminate")) *terminateSimulation = fmi3True;
  if (is_way("last_time_nan")) *lastSuccessfulTime = NAN;
  if (is_way("last_time_infinite")) *lastSuccessfulTime = HUGE_VAL;
  if (is_way("last_time_in_the_future")) *lastSuccessfulTime = now + 10.0;
  if (is_way("last_time_in_the_past")) *lastSuccessfulTime = currentCommunicationPoint - 10.0;
  if (is_way("short_without_early_return")) {
    *lastSuccessfulTime = currentCommunicationPoint + 0.5 * communicationStepSize;
  }
  return end(way, status);
}

const char* fmi3GetVersion(void) {
  const char* way = begin(__func__);
  if (way != NULL && is_way("null")) return NULL;
  if (way != NULL && is_way("other")) return "2.0";
  if (way != NULL && is_way("empty")) return "";
  return honest_fmi3GetVersion();
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String instantiationToken,
                                          fmi3String resourcePath, fmi3Boolean visible,
                                          fmi3Boolean loggingOn,
                                          fmi3InstanceEnvironment instanceEnvironment,
                                          fmi3LogMessageCallback logMessage) {
  log_callback = logMessage;
  log_environment = instanceEnvironment;
  const char* way = begin(__func__);
  if (way != NULL && is_way("null")) return NULL;
  return honest_fmi3InstantiateModelExchange(instanceName, instantiationToken, resourcePath,
                                             visible, loggingOn, instanceEnvironment, logMessage);
}

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,
    fmi3Boolean earlyReturnAllowed, const fmi3ValueReference requiredIntermediateVariables[],
    size_t nRequiredIntermediateVariables, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate) {
  log_callback = logMessage;
  log_environment = instanceEnvironment;
  const char* way = begin(__func__);
  if (way != NULL && is_way("null")) return NULL;
  if (way != NULL && is_way("no_event_mode") && eventModeUsed) return NULL;
  return honest_fmi3InstantiateCoSimulation(
      instanceName, instantiationToken, resourcePath, visible, loggingOn, eventModeUsed,
      earlyReturnAllowed, requiredIntermediateVariables, nRequiredIntermediateVariables,
      instanceEnvironment, logMessage, intermediateUpdate);
}

void fmi3FreeInstance(fmi3Instance instance) {
  begin(__func__);
  honest_fmi3FreeInstance(instance);
}
