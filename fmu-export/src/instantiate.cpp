// SPDX-License-Identifier: BSD-2-Clause
#include "instantiate.hpp"

#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "call_guard.hpp"
#include "description.hpp"
#include "me_instance.hpp"

namespace saltus::fmu_export {
namespace {

void check(const Introduction& importer) {
  if (importer.instance_name == nullptr ||
      std::string_view(importer.instance_name).find_first_not_of(" \t\r\n") ==
          std::string_view::npos) {
    throw CallError("instanceName is empty");
  }
  if (importer.token == nullptr) {
    throw CallError("instantiationToken is NULL");
  }
  if (importer.token != instantiation_token()) {
    throw CallError("the instantiationToken \"" + std::string(importer.token) +
                    "\" is not that of this FMU, \"" + instantiation_token() +
                    "\": modelDescription.xml and binary do not belong together");
  }
}

template <class Make>
Instance* instantiate(const Introduction& importer, Function function, const Make& make) noexcept {
  const Log log(importer.environment, importer.log_message, importer.logging);
  try {
    check(importer);
    return make(log).release();
  } catch (const std::exception& error) {
    try {
      log.write(LogCategory::error, std::string(to_string(function)) + ": " + error.what());
    } catch (...) {
      log.write(LogCategory::error, "out of memory");
    }
  } catch (...) {
    log.write(LogCategory::error, "instantiation failed with an exception of unknown type");
  }
  return nullptr;
}

}  // namespace

Instance* instantiate_model_exchange(const Introduction& importer) noexcept {
  return instantiate(importer, Function::fmi3InstantiateModelExchange,
                     [](const Log& log) { return std::make_unique<MeInstance>(log); });
}

Instance* instantiate_co_simulation(const Introduction& importer, bool event_mode_used,
                                    bool early_return_allowed,
                                    const fmi3ValueReference* intermediate_variables,
                                    std::size_t intermediate_count,
                                    fmi3IntermediateUpdateCallback intermediate_update) noexcept {
  return instantiate(importer, Function::fmi3InstantiateCoSimulation, [&](const Log& log) {
    const auto references =
        array(intermediate_variables, intermediate_count, "requiredIntermediateVariables");
    return std::make_unique<CsInstance>(
        log, CoSimulationSettings{.event_mode_used = event_mode_used,
                                  .early_return_allowed = early_return_allowed,
                                  .intermediate_variables = {references.begin(), references.end()},
                                  .environment = importer.environment,
                                  .intermediate_update = intermediate_update});
  });
}

Instance* refuse_scheduled_execution(const Introduction& importer) noexcept {
  return instantiate(importer, Function::fmi3InstantiateScheduledExecution,
                     [](const Log&) -> std::unique_ptr<Instance> {
                       throw CallError("this FMU offers Model Exchange and Co-Simulation only");
                     });
}

}  // namespace saltus::fmu_export
