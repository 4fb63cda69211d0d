// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace saltus {

/// The shortest text that reads back as the same number, whatever the locale and the platform:
/// what `std::to_chars` writes. The tables of that function would be an eighth of a small FMU.
std::string number_text(double value);

}  // namespace saltus
