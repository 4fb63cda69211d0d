// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace saltus::benchmarks {

/// What a run of a problem ended with and cost.
struct DaeRun {
  std::string solver;
  std::vector<double> last = {};  ///< in the order of the problem; empty where the run failed
  std::size_t steps = 0;          ///< and attempts
  std::size_t residuals = 0;      ///< or right-hand sides
  std::size_t jacobians = 0;
  double microseconds = 0.0;
  double start_microseconds = 0.0;  ///< of these: what came before the first step
  std::vector<double> roots = {};   ///< when, where roots were asked for
  std::string failure = {};

  bool failed() const { return !failure.empty(); }
};

/// Of several runs the fastest counts.
template <class Run>
DaeRun fastest(int rounds, const Run& run) {
  DaeRun best = run();
  for (int round = 1; round < rounds; ++round) {
    DaeRun next = run();
    if (next.microseconds < best.microseconds) {
      best = std::move(next);
    }
  }
  return best;
}

}  // namespace saltus::benchmarks
