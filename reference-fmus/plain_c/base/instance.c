// SPDX-License-Identifier: BSD-2-Clause
// The life of an instance (FMI 3.0, 2.3): made, initialised, ended, started over; its messages.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain_fmu.h"

enum { message_size = 256 };

static void send(fmi3LogMessageCallback log, fmi3InstanceEnvironment environment,
                 fmi3Status severity, const char* message) {
  // These FMUs declare no LogCategories, so the category is NULL (FMI 3.0, 2.3.1).
  if (log != NULL) log(environment, severity, NULL, message);
}

void report(const Instance* self, fmi3Status severity, const char* format, ...) {
  if (!self->logging_on && severity < fmi3Error) return;
  char message[message_size];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  send(self->log, self->environment, severity, message);
}

static const char* name_of(Mode mode) {
  switch (mode) {
    case mode_instantiated:
      return "Instantiated";
    case mode_initialization:
      return "Initialization Mode";
    case mode_event:
      return "Event Mode";
    case mode_continuous_time:
      return "Continuous-Time Mode";
    case mode_step:
      return "Step Mode";
    case mode_terminated:
      return "Terminated";
    case mode_configuration:
      return "Configuration Mode";
    default:
      return "the state after fmi3Fatal";
  }
}

bool is_allowed(Instance* self, const char* function, unsigned modes) {
  if (self == NULL) return false;
  if ((self->now.mode & modes) != 0) return true;
  if (the_model.forgives != NULL && the_model.forgives(self)) return true;
  report(self, fmi3Error, "%s is not allowed in %s", function, name_of(self->now.mode));
  if (self->now.mode != mode_broken) self->now.mode = mode_terminated;
  return false;
}

fmi3Status finish(Instance* self, const char* function, fmi3Status status) {
  if (the_model.answer != NULL) status = the_model.answer(self, function, status);
  if (status == fmi3Error) self->now.mode = mode_terminated;
  if (status == fmi3Fatal) self->now.mode = mode_broken;
  return status;
}

bool is_after_stop(const Instance* self, double time) {
  const double room = 1e-12 * fmax(1.0, fabs(self->now.stop_time));
  return self->now.stop_time_defined && time > self->now.stop_time + room;
}

static void set_start_values(Instance* self) {
  memset(&self->now, 0, sizeof self->now);
  self->now.mode = mode_instantiated;
  for (size_t i = 0; i < the_model.variable_count; ++i) {
    self->now.values[i] = the_model.variables[i].start;
  }
}

static bool is_blank(const char* text) {
  return text == NULL || text[strspn(text, " \t\r\n")] == '\0';
}

static Instance* instantiate(Interface interface, fmi3String name, fmi3String token,
                             bool logging_on, fmi3InstanceEnvironment environment,
                             fmi3LogMessageCallback log) {
  const bool offered = interface == interface_model_exchange ? the_model.offers_model_exchange
                                                             : the_model.offers_co_simulation;
  const char* problem = NULL;
  if (!offered) problem = "this FMU does not offer the interface that was asked for";
  if (is_blank(name)) problem = "the instance has no name";
  if (token == NULL || strcmp(token, the_model.instantiation_token) != 0) {
    problem =
        "the instantiation token is not the one of this library: description and binary differ";
  }
  Instance* self = problem == NULL ? calloc(1, sizeof *self) : NULL;
  if (self == NULL) {
    // NULL counts as an error, which is reported whether logging is on or not (FMI 3.0, 2.2).
    send(log, environment, fmi3Error, problem != NULL ? problem : "out of memory");
    return NULL;
  }
  self->log = log;
  self->environment = environment;
  self->logging_on = logging_on;
  self->interface = interface;
  set_start_values(self);
  return self;
}

// The parameters of a function are the standard's, also those that this FMU has no use for.
#pragma GCC diagnostic ignored "-Wunused-parameter"

const char* fmi3GetVersion(void) { return the_model.version; }

fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String instantiationToken,
                                          fmi3String resourcePath, fmi3Boolean visible,
                                          fmi3Boolean loggingOn,
                                          fmi3InstanceEnvironment instanceEnvironment,
                                          fmi3LogMessageCallback logMessage) {
  return instantiate(interface_model_exchange, instanceName, instantiationToken, loggingOn,
                     instanceEnvironment, logMessage);
}

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,
    fmi3Boolean earlyReturnAllowed, const fmi3ValueReference requiredIntermediateVariables[],
    size_t nRequiredIntermediateVariables, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate) {
  if (eventModeUsed && !the_model.has_event_mode) {
    send(logMessage, instanceEnvironment, fmi3Error, "this FMU has no event mode");
    return NULL;
  }
  Instance* self = instantiate(interface_co_simulation, instanceName, instantiationToken, loggingOn,
                               instanceEnvironment, logMessage);
  if (self != NULL) {
    self->event_mode_used = eventModeUsed;
    self->early_return_allowed = earlyReturnAllowed;
  }
  return self;
}

void fmi3FreeInstance(fmi3Instance instance) {
  Instance* self = instance;
  if (self != NULL && self->now.mode == mode_broken) {
    report(self, fmi3Fatal, "fmi3FreeInstance is not allowed after fmi3Fatal");
  }
  if (self != NULL && self->snapshots > 0) {
    report(self, fmi3Error, "fmi3FreeInstance: %d states were not freed", self->snapshots);
  }
  free(self);
}

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,
                               const fmi3String categories[]) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_usable)) return fmi3Error;
  if (nCategories != 0) {
    report(self, fmi3Error, "this FMU has no log categories to choose from");
    return finish(self, __func__, fmi3Error);
  }
  self->logging_on = loggingOn;
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined,
                                       fmi3Float64 tolerance, fmi3Float64 startTime,
                                       fmi3Boolean stopTimeDefined, fmi3Float64 stopTime) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_instantiated)) return fmi3Error;
  if (!isfinite(startTime) || (stopTimeDefined && !(stopTime >= startTime))) {
    report(self, fmi3Error, "an experiment from %g to %g", startTime, stopTime);
    return finish(self, __func__, fmi3Error);
  }
  self->now.values[vr_time] = startTime;
  self->now.start_time = startTime;
  self->now.last_event_time = startTime;
  self->now.last_step_time = startTime;
  self->now.second_last_step_time = startTime;
  self->now.stop_time_defined = stopTimeDefined;
  self->now.stop_time = stopTime;
  self->now.mode = mode_initialization;
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_initialization)) return fmi3Error;
  if (the_model.initialize != NULL) the_model.initialize(self);
  if (self->interface == interface_model_exchange || self->event_mode_used) {
    start_event(self);
  } else {
    self->now.mode = mode_step;
  }
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
  Instance* self = instance;
  unsigned modes = the_model.has_switch ? mode_instantiated : 0;
  if (the_model.is_switch_tunable) modes |= mode_event;
  if (!is_allowed(self, __func__, modes)) return fmi3Error;
  self->now.before_configuration = self->now.mode;
  self->now.mode = mode_configuration;
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_configuration)) return fmi3Error;
  self->now.mode = self->now.before_configuration;
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_event | mode_continuous_time | mode_step)) return fmi3Error;
  self->now.mode = mode_terminated;
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_usable)) return fmi3Error;
  set_start_values(self);
  return finish(self, __func__, fmi3OK);
}
