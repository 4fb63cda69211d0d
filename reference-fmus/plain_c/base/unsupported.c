// SPDX-License-Identifier: BSD-2-Clause
// An FMU exports every function of the interface, also those for what it does not offer (FMI 3.0,
// 2.5). Here each of them exists, made from the list, and refuses. The definitions are weak: where
// another source defines the function, the linker takes that one, so this file never needs to know
// which functions are implemented.

#include "plain_fmu.h"

// The parameters of a refusal are never looked at.
#pragma GCC diagnostic ignored "-Wunused-parameter"

static fmi3Status refuse(Instance* self, const char* function) {
  if (!is_allowed(self, function, mode_usable)) return fmi3Error;
  report(self, fmi3Error, "%s: this FMU does not offer that", function);
  return finish(self, function, fmi3Error);
}

#define REFUSAL(Return, Name, Parameters) \
  __attribute__((weak)) Return Name Parameters { return refuse(instance, #Name); }

SALTUS_FMI3_VARIABLE_FUNCTIONS(REFUSAL)
SALTUS_FMI3_EVENT_FUNCTIONS(REFUSAL)
SALTUS_FMI3_OPTIONAL_FUNCTIONS(REFUSAL)
SALTUS_FMI3_MODEL_EXCHANGE_FUNCTIONS(REFUSAL)
SALTUS_FMI3_STEPPING_FUNCTIONS(REFUSAL)

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,
    fmi3LockPreemptionCallback lockPreemption, fmi3UnlockPreemptionCallback unlockPreemption) {
  if (logMessage != NULL) {
    logMessage(instanceEnvironment, fmi3Error, NULL,
               "this FMU does not offer the interface that was asked for");
  }
  return NULL;
}
