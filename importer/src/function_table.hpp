// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "saltus/fmi/fmi3.h"
#include "saltus/importer/model_description.hpp"
#include "shared_library.hpp"

namespace saltus::importer {

enum class InterfaceType { model_exchange, co_simulation };

/// One pointer for each function of FMI 3.0; those that the library lacks are null.
struct FunctionTable {
#define X(Return, Name, Parameters) Name##TYPE* Name = nullptr;
  SALTUS_FMI3_FUNCTIONS(X)
#undef X
};

/// Looks every function up; the names of those that are not there are added to `missing`.
FunctionTable load_functions(const SharedLibrary& library, std::vector<std::string>& missing);

/// The functions that this importer calls on an FMU with this description through this interface.
/// The standard demands all 81 from every FMU (2.5.1); many export fewer and work.
std::vector<std::string> required_functions(InterfaceType type,
                                            const ModelDescription& description);

}  // namespace saltus::importer
