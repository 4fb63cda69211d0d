// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace saltus::cli {

/// The text in quotation marks, as JSON (RFC 8259) wants it; bytes that are no UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

/// The shortest number that reads back as the same double; `null` for NaN and infinities, which
/// JSON does not have.
std::string json_number(double number);

}  // namespace saltus::cli
