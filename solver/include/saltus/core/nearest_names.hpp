// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace saltus {

/// The names of `known` that `name` is likely meant to be, nearest first, three at most.
std::vector<std::string> nearest_names(std::string_view name,
                                       const std::vector<std::string>& known);

/// `; did you mean "a" or "b"?`, or nothing if nothing is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace saltus
