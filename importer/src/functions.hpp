// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "saltus/fmi/fmi2.h"
#include "saltus/fmi/fmi3.h"
#include "saltus/importer/model_description.hpp"
#include "shared_library.hpp"

namespace saltus::importer {

enum class InterfaceType { model_exchange, co_simulation, scheduled_execution };

/// One pointer for each function of a version of FMI; those that the library lacks are null.
struct Fmi3Functions {
#define X(Return, Name, Parameters) Name##TYPE* Name = nullptr;
  SALTUS_FMI3_FUNCTIONS(X)
#undef X
};
struct Fmi2Functions {
#define X(Return, Name, Parameters) Name##TYPE* Name = nullptr;
  SALTUS_FMI2_FUNCTIONS(X)
#undef X
};
using Functions = std::variant<Fmi3Functions, Fmi2Functions>;

/// Looks up every function of the version that `description` speaks of; the names of those that
/// are not there are added to `missing`.
Functions load_functions(const SharedLibrary& library, const ModelDescription& description,
                         std::vector<std::string>& missing);

/// The functions that this importer calls on an FMU with this description through this interface.
/// The standards demand more from every FMU (FMI 3.0, 2.5.1: all 75); many export fewer and work.
std::vector<std::string> required_functions(InterfaceType type,
                                            const ModelDescription& description);

}  // namespace saltus::importer
