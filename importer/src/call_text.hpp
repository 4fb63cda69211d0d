// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

namespace saltus::importer {

/// What the call log shows of arguments and results.
inline const auto kNothing = [] { return std::string(); };

template <class Numbers>
std::string list(const char* name, const Numbers& numbers) {
  return fmt::format("{}=[{}]", name, fmt::join(numbers, ", "));
}

}  // namespace saltus::importer
