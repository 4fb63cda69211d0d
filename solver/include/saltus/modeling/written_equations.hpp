// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "saltus/autodiff/decisions.hpp"
#include "saltus/autodiff/tape_array.hpp"
#include "saltus/core/solution_series.hpp"
#include "saltus/modeling/tape_derivatives.hpp"

namespace saltus::modeling {

/// The equations of one configuration, written down.
struct WrittenEquations {
  TapeArray equations;
  /// The states whose derivatives the model assigns; their rows come first.
  std::vector<std::size_t> assigned;
  /// Of the solution of explicit equations, null where there is none; made when it is asked for.
  SolutionSeries* solution_series();
  std::unique_ptr<SolutionSeries> series = nullptr;
  /// Of computed variables, by what moves and by all that is given, once they were asked for.
  std::unique_ptr<TapeDerivatives> by_moving = nullptr;
  std::unique_ptr<TapeDerivatives> by_all = nullptr;
  /// The same of implicit equations.
  std::unique_ptr<TapeEquations> equations_by_moving = nullptr;
  std::unique_ptr<TapeEquations> equations_by_all = nullptr;
  /// Whether these are the equations at every point, see `no_event`.
  bool hold_everywhere = true;
};

/// The equations of all configurations met so far. A configuration is what the pass over the
/// equations depends on besides numbers: the decisions, and whole-number variables.
class WrittenConfigurations {
 public:
  /// Null where that configuration was not met before. Entries stay where they are.
  WrittenEquations* find(std::span<const Lock> locks, std::span<const std::int64_t> wholes);
  WrittenEquations& add(std::span<const Lock> locks, std::span<const std::int64_t> wholes,
                        WrittenEquations written);

 private:
  std::map<std::vector<std::int64_t>, std::unique_ptr<WrittenEquations>> known_;
};

}  // namespace saltus::modeling
