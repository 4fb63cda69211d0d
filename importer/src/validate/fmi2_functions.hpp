// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

namespace saltus::importer::validation {

/// The functions that a library of FMI 2.0 exports (2.1, 3.2, 4.2).
inline std::vector<std::string> fmi2_functions(bool model_exchange, bool co_simulation) {
  std::vector<std::string> names = {"fmi2GetTypesPlatform",
                                    "fmi2GetVersion",
                                    "fmi2SetDebugLogging",
                                    "fmi2Instantiate",
                                    "fmi2FreeInstance",
                                    "fmi2SetupExperiment",
                                    "fmi2EnterInitializationMode",
                                    "fmi2ExitInitializationMode",
                                    "fmi2Terminate",
                                    "fmi2Reset",
                                    "fmi2GetReal",
                                    "fmi2GetInteger",
                                    "fmi2GetBoolean",
                                    "fmi2GetString",
                                    "fmi2SetReal",
                                    "fmi2SetInteger",
                                    "fmi2SetBoolean",
                                    "fmi2SetString",
                                    "fmi2GetFMUstate",
                                    "fmi2SetFMUstate",
                                    "fmi2FreeFMUstate",
                                    "fmi2SerializedFMUstateSize",
                                    "fmi2SerializeFMUstate",
                                    "fmi2DeSerializeFMUstate",
                                    "fmi2GetDirectionalDerivative"};
  if (model_exchange) {
    for (const char* name :
         {"fmi2EnterEventMode", "fmi2NewDiscreteStates", "fmi2EnterContinuousTimeMode",
          "fmi2CompletedIntegratorStep", "fmi2SetTime", "fmi2SetContinuousStates",
          "fmi2GetDerivatives", "fmi2GetEventIndicators", "fmi2GetContinuousStates",
          "fmi2GetNominalsOfContinuousStates"}) {
      names.emplace_back(name);
    }
  }
  if (co_simulation) {
    for (const char* name :
         {"fmi2SetRealInputDerivatives", "fmi2GetRealOutputDerivatives", "fmi2DoStep",
          "fmi2CancelStep", "fmi2GetStatus", "fmi2GetRealStatus", "fmi2GetIntegerStatus",
          "fmi2GetBooleanStatus", "fmi2GetStringStatus"}) {
      names.emplace_back(name);
    }
  }
  return names;
}

}  // namespace saltus::importer::validation
