// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "saltus/modeling/decision_paths.hpp"

namespace saltus::modeling {

/// How conditions are answered, by their texts.
using AnswersByText = std::map<std::string, bool>;
/// Makes a pass with these answers; conditions that are none of them are answered by the second
/// ones, or as the values say.
using AnsweredPass =
    std::function<SymbolicPass(const AnswersByText& given, const AnswersByText& others)>;

/// A text that stands in several branches, as `c > 0` of `abs(c)` or of a function that several
/// branches call, is met as often as the branches taken have it. How often that can be decides how
/// many conditions the model has. So for each such text answers are turned over one by one, from
/// the pass among `passes` that has met it most often, as long as it is then met more often:
///
///     if (a > 0) f = abs(c); else f = c;
///     if (b > 0) g = abs(c); else g = c;     // most often where both a > 0 and b > 0
///
/// At most `budget` passes are made.
void meet_most_often(const std::vector<SymbolicPass>& passes, const AnsweredPass& run,
                     std::size_t budget);

}  // namespace saltus::modeling
