// SPDX-License-Identifier: BSD-2-Clause
#include "function_table.hpp"

#include <set>

namespace saltus::importer {
namespace {

template <class Function>
Function* lookup(const SharedLibrary& library, const char* name,
                 std::vector<std::string>& missing) {
  void* address = library.symbol(name);
  if (address == nullptr) missing.emplace_back(name);
  return reinterpret_cast<Function*>(address);
}

}  // namespace

FunctionTable load_functions(const SharedLibrary& library, std::vector<std::string>& missing) {
  FunctionTable table;
#define X(Return, Name, Parameters) table.Name = lookup<Name##TYPE>(library, #Name, missing);
  SALTUS_FMI3_FUNCTIONS(X)
#undef X
  return table;
}

std::vector<std::string> required_functions(InterfaceType type,
                                            const ModelDescription& description) {
  std::vector<std::string> names = {"fmi3GetVersion", "fmi3FreeInstance",
                                    "fmi3EnterInitializationMode", "fmi3ExitInitializationMode",
                                    "fmi3Terminate"};
  const auto add = [&](bool needed, std::initializer_list<const char*> more) {
    if (needed) names.insert(names.end(), more.begin(), more.end());
  };
  const bool me = type == InterfaceType::model_exchange;
  const bool events =
      me || (description.co_simulation && description.co_simulation->has_event_mode);
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
  add(!me, {"fmi3InstantiateCoSimulation", "fmi3DoStep"});
  add(!me && events, {"fmi3EnterStepMode"});
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
