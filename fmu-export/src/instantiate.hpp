// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "cs_instance.hpp"
#include "log.hpp"
#include "saltus/fmi/fmi3.h"

/// How instances come to be. None of these throws: a null pointer is the answer to what cannot be,
/// and the log says why (FMI 3.0, 2.3.1).
namespace saltus::fmu_export {

/// What every importer says.
struct Introduction {
  fmi3String instance_name = nullptr;
  fmi3String token = nullptr;
  fmi3InstanceEnvironment environment = nullptr;
  fmi3LogMessageCallback log_message = nullptr;
  bool logging = false;
};

Instance* instantiate_model_exchange(const Introduction& importer) noexcept;
Instance* instantiate_co_simulation(const Introduction& importer, bool event_mode_used,
                                    bool early_return_allowed,
                                    const fmi3ValueReference* intermediate_variables,
                                    std::size_t intermediate_count,
                                    fmi3IntermediateUpdateCallback intermediate_update) noexcept;
Instance* refuse_scheduled_execution(const Introduction& importer) noexcept;

}  // namespace saltus::fmu_export
