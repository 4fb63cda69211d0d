// SPDX-License-Identifier: BSD-2-Clause
#include "functions.hpp"

#include <set>
#include <string_view>

namespace saltus::importer {
namespace {

template <class Function>
Function* lookup(const SharedLibrary& library, const char* name,
                 std::vector<std::string>& missing) {
  void* address = library.symbol(name);
  if (address == nullptr) missing.emplace_back(name);
  return reinterpret_cast<Function*>(address);
}

Fmi3Functions load_fmi3(const SharedLibrary& library, std::vector<std::string>& missing) {
  Fmi3Functions table;
#define X(Return, Name, Parameters) table.Name = lookup<Name##TYPE>(library, #Name, missing);
  SALTUS_FMI3_FUNCTIONS(X)
#undef X
  return table;
}

/// Each interface of FMI 2.0 has functions of its own, which an FMU without that interface need not
/// export (2.1.2).
Fmi2Functions load_fmi2(const SharedLibrary& library, const ModelDescription& description,
                        std::vector<std::string>& missing) {
  Fmi2Functions table;
  std::vector<std::string> unneeded;
  std::vector<std::string>& without_me = description.model_exchange ? missing : unneeded;
  std::vector<std::string>& without_cs = description.co_simulation ? missing : unneeded;
#define X(Return, Name, Parameters) table.Name = lookup<Name##TYPE>(library, #Name, missing);
  SALTUS_FMI2_COMMON_FUNCTIONS(X)
#undef X
#define X(Return, Name, Parameters) table.Name = lookup<Name##TYPE>(library, #Name, without_me);
  SALTUS_FMI2_MODEL_EXCHANGE_FUNCTIONS(X)
#undef X
#define X(Return, Name, Parameters) table.Name = lookup<Name##TYPE>(library, #Name, without_cs);
  SALTUS_FMI2_CO_SIMULATION_FUNCTIONS(X)
#undef X
  return table;
}

/// FMI 1.0 has the model identifier in front of each name: `ball_fmiSetReal`.
std::string fmi1_name(const ModelDescription& description, std::string_view name) {
  const std::string& identifier = description.model_exchange
                                      ? description.model_exchange->model_identifier
                                      : description.co_simulation->model_identifier;
  return identifier + "_fmi" + std::string(name.substr(std::string_view("fmi1").size()));
}

/// An FMU of FMI 1.0 has one interface, and need not export the functions of the other.
Fmi1Functions load_fmi1(const SharedLibrary& library, const ModelDescription& description,
                        std::vector<std::string>& missing) {
  Fmi1Functions table;
  std::vector<std::string> unneeded;
  std::vector<std::string>& without_me = description.model_exchange ? missing : unneeded;
  std::vector<std::string>& without_cs = description.co_simulation ? missing : unneeded;
#define X(Return, Name, Parameters) \
  table.Name = lookup<Name##TYPE>(library, fmi1_name(description, #Name).c_str(), missing);
  SALTUS_FMI1_COMMON_FUNCTIONS(X)
#undef X
#define X(Return, Name, Parameters) \
  table.Name = lookup<Name##TYPE>(library, fmi1_name(description, #Name).c_str(), without_me);
  SALTUS_FMI1_MODEL_EXCHANGE_FUNCTIONS(X)
#undef X
#define X(Return, Name, Parameters) \
  table.Name = lookup<Name##TYPE>(library, fmi1_name(description, #Name).c_str(), without_cs);
  SALTUS_FMI1_CO_SIMULATION_FUNCTIONS(X)
#undef X
  return table;
}

/// Get and Set of the types that are there, in FMI 1.0 and 2.0.
void add_old_accessors(const ModelDescription& description, const std::string& prefix,
                       std::vector<std::string>& names) {
  std::set<std::string> suffixes;
  for (const Variable& variable : description.variables) {
    suffixes.insert(variable.type == VariableType::float64   ? "Real"
                    : variable.type == VariableType::boolean ? "Boolean"
                    : variable.type == VariableType::string  ? "String"
                                                             : "Integer");
  }
  for (const std::string& suffix : suffixes) {
    names.push_back(prefix + "Get" + suffix);
    names.push_back(prefix + "Set" + suffix);
  }
}

std::vector<std::string> required_by_fmi1(InterfaceType type, const ModelDescription& description) {
  std::vector<std::string> names;
  const auto add = [&](bool needed, std::initializer_list<const char*> more) {
    if (needed) names.insert(names.end(), more.begin(), more.end());
  };
  const bool me = type == InterfaceType::model_exchange;
  add(me, {"fmi1InstantiateModel", "fmi1FreeModelInstance", "fmi1SetTime", "fmi1Initialize",
           "fmi1EventUpdate", "fmi1CompletedIntegratorStep", "fmi1Terminate"});
  add(me && description.structure.unnamed_continuous_states > 0,
      {"fmi1SetContinuousStates", "fmi1GetContinuousStates", "fmi1GetDerivatives"});
  add(me && description.structure.unnamed_event_indicators > 0, {"fmi1GetEventIndicators"});
  add(!me, {"fmi1InstantiateSlave", "fmi1FreeSlaveInstance", "fmi1InitializeSlave", "fmi1DoStep",
            "fmi1TerminateSlave"});
  add_old_accessors(description, "fmi1", names);
  for (std::string& name : names) name = fmi1_name(description, name);
  return names;
}

void add_clock_functions(InterfaceType type, const ModelDescription& description,
                         std::vector<std::string>& names) {
  std::set<std::string> needed;
  for (const Variable& variable : description.variables) {
    if (variable.type != VariableType::clock) continue;
    const ClockAttributes& clock = *variable.clock;
    if (variable.causality != Causality::input) {
      needed.insert("fmi3GetClock");
      continue;
    }
    if (type != InterfaceType::scheduled_execution) needed.insert("fmi3SetClock");
    if (clock.interval_variability == IntervalVariability::triggered ||
        clock.interval_variability == IntervalVariability::constant) {
      continue;
    }
    needed.insert(clock.interval_decimal    ? "fmi3SetIntervalDecimal"
                  : clock.supports_fraction ? "fmi3GetIntervalFraction"
                                            : "fmi3GetIntervalDecimal");
  }
  names.insert(names.end(), needed.begin(), needed.end());
}

std::vector<std::string> required_by_fmi2(InterfaceType type, const ModelDescription& description) {
  std::vector<std::string> names = {"fmi2Instantiate",
                                    "fmi2FreeInstance",
                                    "fmi2SetupExperiment",
                                    "fmi2EnterInitializationMode",
                                    "fmi2ExitInitializationMode",
                                    "fmi2Terminate"};
  const auto add = [&](bool needed, std::initializer_list<const char*> more) {
    if (needed) names.insert(names.end(), more.begin(), more.end());
  };
  const bool me = type == InterfaceType::model_exchange;
  add(me, {"fmi2EnterEventMode", "fmi2NewDiscreteStates", "fmi2EnterContinuousTimeMode",
           "fmi2SetTime"});
  add(me && !description.structure.continuous_state_derivatives.empty(),
      {"fmi2SetContinuousStates", "fmi2GetContinuousStates", "fmi2GetDerivatives"});
  add(me && description.structure.unnamed_event_indicators > 0, {"fmi2GetEventIndicators"});
  add(me && description.model_exchange->needs_completed_integrator_step,
      {"fmi2CompletedIntegratorStep"});
  add(!me, {"fmi2DoStep"});
  add_old_accessors(description, "fmi2", names);
  return names;
}

}  // namespace

Functions load_functions(const SharedLibrary& library, const ModelDescription& description,
                         std::vector<std::string>& missing) {
  if (description.major_version == 1) return load_fmi1(library, description, missing);
  if (description.major_version == 2) return load_fmi2(library, description, missing);
  return load_fmi3(library, missing);
}

std::vector<std::string> required_functions(InterfaceType type,
                                            const ModelDescription& description) {
  if (description.major_version == 1) return required_by_fmi1(type, description);
  if (description.major_version == 2) return required_by_fmi2(type, description);
  std::vector<std::string> names = {"fmi3GetVersion", "fmi3FreeInstance",
                                    "fmi3EnterInitializationMode", "fmi3ExitInitializationMode",
                                    "fmi3Terminate"};
  const auto add = [&](bool needed, std::initializer_list<const char*> more) {
    if (needed) names.insert(names.end(), more.begin(), more.end());
  };
  const bool me = type == InterfaceType::model_exchange;
  const bool cs = type == InterfaceType::co_simulation;
  const bool events =
      me || (cs && description.co_simulation && description.co_simulation->has_event_mode);
  add(events, {"fmi3EnterEventMode", "fmi3UpdateDiscreteStates"});
  add(me, {"fmi3InstantiateModelExchange", "fmi3EnterContinuousTimeMode", "fmi3SetTime",
           "fmi3GetNumberOfContinuousStates", "fmi3GetNumberOfEventIndicators"});
  add(me && !description.structure.continuous_state_derivatives.empty(),
      {"fmi3SetContinuousStates", "fmi3GetContinuousStates", "fmi3GetContinuousStateDerivatives",
       "fmi3GetNominalsOfContinuousStates"});
  add(me && !description.structure.event_indicators.empty(), {"fmi3GetEventIndicators"});
  add(me && description.model_exchange &&
          description.model_exchange->needs_completed_integrator_step,
      {"fmi3CompletedIntegratorStep"});
  add(cs, {"fmi3InstantiateCoSimulation", "fmi3DoStep"});
  add(cs && events, {"fmi3EnterStepMode"});
  add(!me && !cs, {"fmi3InstantiateScheduledExecution", "fmi3ActivateModelPartition"});
  if (events || type == InterfaceType::scheduled_execution) {
    add_clock_functions(type, description, names);
  }
  std::set<std::string> accessors;
  for (const Variable& variable : description.variables) {
    if (variable.type == VariableType::clock) continue;
    const std::string suffix =
        to_string(variable.type == VariableType::enumeration ? VariableType::int64 : variable.type);
    accessors.insert("fmi3Get" + suffix);
    accessors.insert("fmi3Set" + suffix);
  }
  names.insert(names.end(), accessors.begin(), accessors.end());
  return names;
}

}  // namespace saltus::importer
