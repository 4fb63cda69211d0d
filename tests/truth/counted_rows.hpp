// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "saltus/control/simulation_result.hpp"
#include "saltus/core/number_text.hpp"
#include "truth.hpp"

/// What a model counts, compared with what its rows show: those of a body that sticks are
/// roundings, so that a velocity counts as one from somewhere between `fine` and `coarse` on.
namespace saltus::truth {

/// Whether a condition holds in a row, for who takes less than `rounding` for zero.
using RowCondition = std::function<bool(std::size_t row, double rounding)>;

struct RowTolerances {
  double fine, coarse;
};

/// How often a condition comes true, row by row; once where it holds behind the start.
inline int rises(std::size_t rows, const RowCondition& holds, double rounding) {
  int count = 0;
  bool before = false;
  for (std::size_t i = 1; i < rows; ++i) {
    const bool now = holds(i, rounding);
    count += now && !before ? 1 : 0;
    before = now;
  }
  return count;
}

/// How many events follow another one, or the start, so soon that what changed between them may not
/// be seen in rows that far apart.
inline int close_events(const SimulationResult& run, double row) {
  int count = 0;
  double before = run.time().front();
  for (const auto& event : run.events()) {
    count += event.time - before < 2.0 * row ? 1 : 0;
    before = event.time;
  }
  return count;
}

/// `counted`: variables of the model that count how often these conditions come true. `unseen`: as
/// many more may have come and gone between rows.
inline Verdict judge_counts(const SimulationResult& run,
                            const std::vector<std::pair<std::string, RowCondition>>& counted,
                            RowTolerances zero, int unseen) {
  for (const auto& [name, holds] : counted) {
    const std::size_t rows = run.time().size();
    int least = rises(rows, holds, zero.coarse), most = least;
    for (double rounding = zero.fine; rounding < zero.coarse; rounding *= 10.0) {
      const int count = rises(rows, holds, rounding);
      least = std::min(least, count);
      most = std::max(most, count);
    }
    const double found = run[name].back();
    if (found < least || found > most + unseen) {
      return wrong(name + " = " + number_text(found) + " for " + number_text(least) + " to " +
                   number_text(most));
    }
  }
  return right();
}

}  // namespace saltus::truth
