// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace saltus::fmu_export {

/// The folder `resources` of the FMU that a model runs in, with a separator at its end: for the
/// constructor of a model that reads a file.
///
///     std::vector<double> table = read_table(saltus::fmu_export::resource_folder() + "table.txt");
///
/// While the FMU is built it is the folder that `saltus_add_fmu(... RESOURCES folder)` names. In an
/// FMU it is what the importer said when it asked for the newest instance; all instances of an FMU
/// have the same files. Empty where there is no such folder, as in programs without FMI: a model
/// that cannot do without throws an exception that says so, and no instance is made.
std::string resource_folder();

}  // namespace saltus::fmu_export
