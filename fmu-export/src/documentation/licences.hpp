// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace saltus::fmu_export {

/// What an FMU contains beside its model, and under which licences: license.txt in its folder
/// documentation/licenses (FMI 3.0, 2.5.1.1).
std::string licence_text();

/// The same for a page in HTML, without the texts of the licences.
std::string licence_table();

}  // namespace saltus::fmu_export
