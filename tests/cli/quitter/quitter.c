// SPDX-License-Identifier: BSD-2-Clause
// x' = 1 until t = 0.5. Then the FMU ends the process that it lives in, in the way its parameter
// `how` says: an importer has to survive this as far as one can.

#include <signal.h>
#include <stdlib.h>

#include "plain_fmu.h"

enum { vr_x = 1, vr_der_x, vr_how, vr_count };

enum { by_exit = 1, by_bad_address = 2, by_endless_recursion = 3, by_division = 4 };

static const Variable variables[vr_count] = {
    [vr_time] = {type_float64, role_time, 0.0},
    [vr_x] = {type_float64, role_state, 0.0},
    [vr_der_x] = {type_float64, role_calculated, 0.0},
    [vr_how] = {type_int32, role_parameter, 0.0},
};

static const fmi3ValueReference states[] = {vr_x};
static const fmi3ValueReference derivatives[] = {vr_der_x};

// Volatile, so that no compiler looks through them.
static volatile int deep = 1;
static int* volatile nowhere = (int*)64;  // not NULL, which a sanitizer would find first

// NOLINTNEXTLINE(misc-no-recursion)
static int recurse(volatile char* caller) {
  volatile char frame[4096];
  frame[0] = caller[0];
  return deep != 0 ? recurse(frame) + frame[0] : 0;
}

static void quit(int how) {
  char first = 0;
  switch (how) {
    case by_exit:
      exit(0);
    case by_bad_address:
      *nowhere = 1;
      break;
    case by_endless_recursion:
      deep = 1 + recurse(&first);
      break;
    case by_division:  // on machines where a division by zero is no trap, as if it were one
      raise(SIGFPE);
      break;
    default:
      break;
  }
}

static fmi3Status calculate(Instance* self) {
  double* value = self->now.values;
  if (time_of(self) >= 0.5) quit((int)value[vr_how]);
  value[vr_der_x] = 1.0;
  return fmi3OK;
}

static fmi3Status do_step(Instance* self, double target, StepResult* result) {
  double* value = self->now.values;
  (void)result;
  if (target >= 0.5) quit((int)value[vr_how]);
  value[vr_x] += target - time_of(self);
  value[vr_time] = target;
  return fmi3OK;
}

const Model the_model = {
    .version = fmi3Version,
    .instantiation_token = "saltus-test-quitter-1",
    .offers_model_exchange = true,
    .offers_co_simulation = true,
    .variables = variables,
    .variable_count = vr_count,
    .states = states,
    .derivatives = derivatives,
    .state_count = 1,
    .calculate = calculate,
    .do_step = do_step,
};
