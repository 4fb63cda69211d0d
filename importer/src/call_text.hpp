// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string>
#include <vector>

namespace saltus::importer {

/// What the call log shows of arguments and results.
inline const auto kNothing = [] { return std::string(); };

template <class Numbers>
std::string list(const char* name, const Numbers& numbers) {
  return fmt::format("{}=[{}]", name, fmt::join(numbers, ", "));
}

inline std::string show(double value) { return fmt::format("{}", value); }
inline std::string show(int value) { return fmt::format("{}", value); }
/// A truth value of FMI 1.0.
inline std::string show(char value) { return fmt::format("{}", static_cast<int>(value)); }
inline std::string show(const char* text) {
  return text != nullptr ? fmt::format("\"{}\"", text) : std::string("NULL");
}

template <class Type>
std::string shown(std::span<Type> values) {
  std::vector<std::string> texts;
  for (const auto& value : values) texts.push_back(show(value));
  return list("value", texts);
}

}  // namespace saltus::importer
