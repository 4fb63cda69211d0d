// SPDX-License-Identifier: BSD-2-Clause
#include "documentation/html.hpp"

#include <algorithm>
#include <cstddef>

namespace saltus::fmu_export {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// How many bytes the character at the beginning has, by table 3-7 of the Unicode Standard; zero if
// it is none.
std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xBF; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool in_range =
        continues(1) && !(first == 0xE0 && second < 0xA0) && !(first == 0xED && second > 0x9F);
    return in_range && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool in_range =
        continues(1) && !(first == 0xF0 && second < 0x90) && !(first == 0xF4 && second > 0x8F);
    return in_range && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string html(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const std::size_t length = length_of_character(text);
    const char c = text.front();
    if (length == 0 ||
        (length == 1 && static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') ||
        c == 0x7F) {
      escaped += kReplacement;
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return escaped;
}

}  // namespace saltus::fmu_export
