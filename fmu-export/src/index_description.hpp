// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace saltus::fmu_export {

/// What the equations of the exported model are, at its start: extra/saltus/index.txt of the FMU,
/// which `saltus analyze` shows. The first line says it in a sentence. A model whose analysis fails
/// is exported nevertheless: other start values may be what it needs.
std::string index_description();

}  // namespace saltus::fmu_export
