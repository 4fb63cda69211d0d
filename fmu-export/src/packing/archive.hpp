// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace saltus::fmu_export {

/// A ZIP archive with the same files and nothing else of the machine that made it: no times, no
/// owners. modelDescription.xml comes first, then the other files in the order of their names. The
/// same files give the same bytes. Throws `std::invalid_argument` on what is no such archive.
std::string without_traces(const std::string& archive);

}  // namespace saltus::fmu_export
