// SPDX-License-Identifier: BSD-2-Clause
// Reading and writing variables (FMI 3.0, 2.2, Getting and Setting Variable Values), for the three
// types that these models use. The getters and setters of all other types are in unsupported.c.

#include "plain_fmu.h"

// After FMI 3.0, 2.3.2, 2.3.3, 2.3.5 and 3.2.1, "Allowed Function Calls".
static unsigned modes_to_set(const Instance* self, VariableRole role) {
  switch (role) {
    case role_structural:
      return mode_configuration;
    case role_algebraic:
    case role_slope:
      return the_model.sets_algebraics(self);
    case role_parameter:
      return mode_instantiated | mode_initialization;
    case role_input:
      return mode_instantiated | mode_initialization | mode_event | mode_continuous_time |
             mode_step;
    case role_state:
      return mode_instantiated | mode_initialization | mode_event | mode_continuous_time;
    case role_reinit_state:
      return mode_instantiated | mode_initialization | mode_continuous_time;
    default:
      return 0;
  }
}

static bool is_variable(const Instance* self, const char* function, fmi3ValueReference reference,
                        VariableType type) {
  if (reference < the_model.variable_count && the_model.variables[reference].type == type) {
    return true;
  }
  report(self, fmi3Error, "%s: no variable of that type has value reference %u", function,
         (unsigned)reference);
  return false;
}

// Checks the request and brings the calculated variables up to date if one of them is asked for.
static fmi3Status prepare_get(Instance* self, const char* function, VariableType type,
                              const fmi3ValueReference references[], size_t count,
                              size_t value_count) {
  const unsigned modes = mode_instantiated | mode_configuration | mode_initialization | mode_event |
                         mode_continuous_time | mode_step | mode_terminated;
  if (!is_allowed(self, function, modes)) return fmi3Error;
  if (count != value_count) {
    report(self, fmi3Error, "%s: %zu scalars cannot have %zu values", function, count, value_count);
    return fmi3Error;
  }
  bool calculated = false;
  for (size_t i = 0; i < count; ++i) {
    if (!is_variable(self, function, references[i], type)) return fmi3Error;
    calculated = calculated || the_model.variables[references[i]].role >= role_algebraic;
  }
  return calculated && the_model.calculate != NULL ? the_model.calculate(self) : fmi3OK;
}

static fmi3Status prepare_set(Instance* self, const char* function, VariableType type,
                              const fmi3ValueReference references[], size_t count,
                              size_t value_count) {
  if (!is_allowed(self, function, mode_usable)) return fmi3Error;
  if (count != value_count) {
    report(self, fmi3Error, "%s: %zu scalars cannot have %zu values", function, count, value_count);
    return fmi3Error;
  }
  for (size_t i = 0; i < count; ++i) {
    if (!is_variable(self, function, references[i], type)) return fmi3Error;
    if ((self->now.mode & modes_to_set(self, the_model.variables[references[i]].role)) == 0 &&
        !(the_model.forgives != NULL && the_model.forgives(self))) {
      report(self, fmi3Error, "%s: variable #%u# cannot be set now", function,
             (unsigned)references[i]);
      return fmi3Error;
    }
  }
  return fmi3OK;
}

#define GETTER_AND_SETTER(Type, type, from_double)                                               \
  fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference references[],         \
                           size_t count, fmi3##Type values[], size_t value_count) {              \
    Instance* self = instance;                                                                   \
    const fmi3Status status = prepare_get(self, __func__, type, references, count, value_count); \
    for (size_t i = 0; status == fmi3OK && i < count; ++i) {                                     \
      const double value = self->now.values[references[i]];                                      \
      values[i] = from_double;                                                                   \
    }                                                                                            \
    return self == NULL ? status : finish(self, __func__, status);                               \
  }                                                                                              \
  fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference references[],         \
                           size_t count, const fmi3##Type values[], size_t value_count) {        \
    Instance* self = instance;                                                                   \
    const fmi3Status status = prepare_set(self, __func__, type, references, count, value_count); \
    for (size_t i = 0; status == fmi3OK && i < count; ++i) {                                     \
      self->now.values[references[i]] = (double)values[i];                                       \
    }                                                                                            \
    return self == NULL ? status : finish(self, __func__, status);                               \
  }

GETTER_AND_SETTER(Float64, type_float64, value)
GETTER_AND_SETTER(Int32, type_int32, (fmi3Int32)value)
GETTER_AND_SETTER(Boolean, type_boolean, value != 0.0)
