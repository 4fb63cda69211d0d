// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace saltus::importer {

/// The white space of XML, which separates the elements of every list.
inline constexpr std::string_view kXmlSpace = " \t\r\n";

inline std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(kXmlSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kXmlSpace) - first + 1);
}

/// Tools differ in what they put between elements: one blank, several, tabs, line ends.
inline std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = text.find_first_not_of(kXmlSpace); begin != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(kXmlSpace, begin);
    words.push_back(text.substr(begin, end - begin));
    begin = end == std::string_view::npos ? end : text.find_first_not_of(kXmlSpace, end);
  }
  return words;
}

/// Reads a number of XML Schema, independent of the locale; false if the text is not one or does
/// not fit the type. A floating-point number too small for the type is zero, as XML Schema says.
template <class Number>
bool read_number(std::string_view text, Number& number) {
  text = trim(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end || text.empty()) return false;
  if (error == std::errc{}) return true;
  if constexpr (std::is_floating_point_v<Number>) {
    const auto exponent = text.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos && exponent + 1 < text.size() &&
                      text[exponent + 1] == '-';
    if (error == std::errc::result_out_of_range && tiny) {
      number = Number{0};
      return true;
    }
  }
  return false;
}

inline bool read_boolean(std::string_view text, bool& value) {
  text = trim(text);
  value = text == "true" || text == "1";
  return value || text == "false" || text == "0";
}

/// The shortest text that reads back as the same number.
template <class Number>
void append_number(std::string& text, Number number) {
  char buffer[40];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, number);
  text.append(buffer, result.ptr);
}

}  // namespace saltus::importer
