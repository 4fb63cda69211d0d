// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace saltus::fmu_export {

/// How a call of the importer went. All versions of FMI number their statuses alike, so that each
/// makes its own of this by a cast.
enum class Status : std::uint8_t { ok, warning, discard, error, fatal };

}  // namespace saltus::fmu_export
