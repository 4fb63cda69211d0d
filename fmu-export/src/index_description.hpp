// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "saltus/core/warning.hpp"

namespace saltus::fmu_export {

/// What the equations of the exported model are, at its start: extra/saltus/index.txt of the FMU,
/// which `saltus analyze` shows. The first line says it in a sentence. A model whose analysis fails
/// is exported nevertheless, with a warning: other start values may be what it needs. Throws
/// `DaeError` where there are fewer equations than unknowns.
std::string index_description(std::vector<Warning>& warnings);

}  // namespace saltus::fmu_export
