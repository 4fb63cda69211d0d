// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

namespace saltus::importer {

/// What an entry of an FMU may be called, be and be stored as (FMI 3.0, 2.5). Each answers why not,
/// or nothing.

/// The name becomes a path below the folder we unpack to, and must not lead out of it.
std::string name_problem(const std::string& name);

/// Unix writers keep the file mode in the upper half of the external attributes; `mode` is 0 if
/// there is none.
std::string kind_problem(std::uint32_t mode);

/// `method` is that of the ZIP format.
std::string storage_problem(unsigned method, bool is_encrypted);

}  // namespace saltus::importer
