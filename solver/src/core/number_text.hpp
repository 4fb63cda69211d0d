// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <charconv>
#include <string>

namespace saltus {

/// The shortest text that reads back as the same number, whatever the locale.
inline std::string number_text(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

}  // namespace saltus
