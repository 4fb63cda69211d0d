// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace saltus::fmu_export {

/// A ZIP archive with the same files, as small as the method "deflate" gets them, and nothing else
/// of the machine that made it: no times, no owners. modelDescription.xml comes first, then the
/// other files in the order of their names. The same files give the same bytes. Throws
/// `std::invalid_argument` on what is no such archive.
std::string repacked(const std::string& archive);

}  // namespace saltus::fmu_export
