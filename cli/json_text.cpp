// SPDX-License-Identifier: BSD-2-Clause
#include "json_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace saltus::cli {
namespace {

/// The length of the UTF-8 sequence at the beginning of `text`, 0 if there is none (RFC 3629, 4).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80U) return 1;
  const std::size_t length = lead >= 0xf0U ? 4 : lead >= 0xe0U ? 3 : 2;
  if (lead < 0xc2U || lead > 0xf4U || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
  }
  const bool is_overlong = (lead == 0xe0U && byte(1) < 0xa0U) || (lead == 0xf0U && byte(1) < 0x90U);
  const bool is_surrogate = lead == 0xedU && byte(1) >= 0xa0U;
  const bool is_beyond = lead == 0xf4U && byte(1) >= 0x90U;
  return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const char c = text.front();
    if (length == 0) {
      result += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20U) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result + '"';
}

std::string json_number(double number) {
  return std::isfinite(number) ? fmt::format("{}", number) : "null";
}

}  // namespace saltus::cli
