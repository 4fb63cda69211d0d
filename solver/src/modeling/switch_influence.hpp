// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "saltus/modeling/dependencies.hpp"

namespace saltus::modeling {

/// An expression of the equations, a computed variable or a condition, in all configurations.
struct SwitchedExpression {
  std::set<std::size_t> switches;              ///< decisions, and behind them flags
  std::set<std::vector<Tape::Node>> variants;  ///< what it is, each once
  bool known = true;                           ///< false: there may be more of both
};

/// Which switches influence which expressions, see `find_dependencies`. The expressions are the
/// computed variables and behind them the conditions. Empty where it cannot be known.
std::vector<SwitchedExpression> switch_influence(const DependencyQuestion& question);

}  // namespace saltus::modeling
