// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <vector>

/// Comparisons of time with what does not change between events (`time >= 3.0`, `time < begin +
/// width`) are events that can be announced, alone and as parts of other conditions. Nobody has to
/// look for them then, and nobody can miss them.
namespace saltus::modeling {

/// A comparison that a pass has met, with how fast its margin changes in the direction of the pass.
struct Comparison {
  double margin = 0.0;
  double rate = 0.0;
  bool at_zero = false;
  bool holds() const { return margin > 0.0 || (margin == 0.0 && at_zero); }
};

/// Where a pass with `Tangent` leaves its comparisons, if anybody wants them.
inline constinit thread_local std::vector<Comparison>* comparisons = nullptr;

class ComparisonScope {
 public:
  explicit ComparisonScope(std::vector<Comparison>& met) {
    met.clear();
    comparisons = &met;
  }
  ~ComparisonScope() { comparisons = nullptr; }
  ComparisonScope(const ComparisonScope&) = delete;
  ComparisonScope& operator=(const ComparisonScope&) = delete;
};

/// The comparisons of a model at some time, with their rates: `of_time` as time goes by and all
/// else stands still, otherwise the other way round.
using ComparisonPass = std::function<void(double time, bool of_time, std::vector<Comparison>& met)>;

/// The first time after `now` at which a comparison of time alone changes: to the last bit, the
/// first number at which it has. `kNever` where there is none. Only comparisons that time changes
/// at a constant rate count, and that nothing else changes.
double next_time_comparison(double now, const ComparisonPass& pass);

}  // namespace saltus::modeling
