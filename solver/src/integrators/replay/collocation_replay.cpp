// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "integrators/radau/radau_weights.hpp"
#include "step_replay.hpp"

namespace saltus {
namespace {

using namespace radau;

constexpr double kNodes[3] = {kNode1, kNode2, 1.0};
constexpr double kInverse[3][3] = {{kI11, kI12, kI13}, {kI21, kI22, kI23}, {kI31, kI32, kI33}};

// Of the tolerance: far less than a step may be wrong by.
constexpr double kConverged = 1e-3;
constexpr int kMostIterations = 12;
// So far from each other may the end of the run's step and that of another way to it be.
constexpr double kMostApart = 10.0;
constexpr int kMostSteps = 64;

}  // namespace

// The matrix of all stages has three times three blocks of the pattern of the equations.
void CollocationReplay::prepare(const Pattern& pattern) {
  const std::size_t n = pattern.rows;
  known_ = pattern;
  known_.first.resize(n + 1);
  known_.row.resize(static_cast<std::size_t>(known_.first.back()));
  pattern_ = {.rows = 3 * n, .first = {0}, .row = {}};
  for (std::size_t j = 0; j < 3 * n; ++j) {
    for (std::size_t block = 0; block < 3; ++block) {
      for (int e = known_.first[j % n]; e < known_.first[j % n + 1]; ++e) {
        pattern_.row.push_back(static_cast<int>(block * n) +
                               known_.row[static_cast<std::size_t>(e)]);
      }
    }
    pattern_.first.push_back(static_cast<int>(pattern_.row.size()));
  }
  transposed_ = {.rows = 3 * n, .first = std::vector<int>(3 * n + 1, 0), .row = pattern_.row};
  for (const int row : pattern_.row) ++transposed_.first[static_cast<std::size_t>(row) + 1];
  for (std::size_t i = 0; i < 3 * n; ++i) transposed_.first[i + 1] += transposed_.first[i];
  std::vector<int> next(transposed_.first.begin(), transposed_.first.end() - 1);
  place_.resize(pattern_.entries());
  for (std::size_t j = 0; j < 3 * n; ++j) {
    for (int e = pattern_.first[j]; e < pattern_.first[j + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      const int to = next[static_cast<std::size_t>(pattern_.row[entry])]++;
      place_[entry] = static_cast<std::size_t>(to);
      transposed_.row[place_[entry]] = static_cast<int>(j);
    }
  }
  values_.resize(pattern_.entries());
  transposed_values_.resize(pattern_.entries());
  forwards_.analyze(pattern_);
  backwards_.analyze(transposed_);
}

// F_x in the blocks on the diagonal, and F_x' everywhere with the weights of the slopes.
void CollocationReplay::fill(const Pattern& pattern, double h, bool transposed) {
  const std::size_t n = pattern.rows;
  std::size_t entry = 0;
  for (std::size_t column = 0; column < 3; ++column) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t row = 0; row < 3; ++row) {
        const Stage& stage = stages_[row];
        const double weight = kInverse[row][column] / h;
        for (int e = known_.first[j]; e < known_.first[j + 1]; ++e, ++entry) {
          const auto from = static_cast<std::size_t>(e);
          values_[entry] =
              weight * stage.by_slope[from] + (row == column ? stage.by_value[from] : 0.0);
        }
      }
    }
  }
  if (!transposed) return;
  for (std::size_t e = 0; e < values_.size(); ++e) transposed_values_[place_[e]] = values_[e];
}

// Residuals and matrices where the stages are.
bool CollocationReplay::evaluate(CollocatedEquations& equations, double t, double h,
                                 ConstVec from) {
  const std::size_t n = from.size();
  Linearization* const linear = equations.linearization();
  if (linear == nullptr) return false;
  const Pattern& pattern = linear->pattern();
  const auto own = static_cast<std::size_t>(pattern.first[n]);
  const bool is_known = known_.rows == n && known_.row.size() == own &&
                        std::equal(known_.row.begin(), known_.row.end(), pattern.row.begin()) &&
                        std::equal(known_.first.begin(), known_.first.end(), pattern.first.begin());
  if (!is_known) prepare(pattern);
  for (std::size_t s = 0; s < 3; ++s) {
    Stage& stage = stages_[s];
    stage.t = t + kNodes[s] * h;
    stage.x.resize(n);
    stage.xp.resize(n);
    stage.residual.resize(n);
    stage.by_value.resize(pattern.entries());
    stage.by_slope.resize(pattern.entries());
    for (std::size_t i = 0; i < n; ++i) {
      stage.x[i] = from[i] + z_[s * n + i];
      double slope = 0.0;
      for (std::size_t k = 0; k < 3; ++k) slope += kInverse[s][k] * z_[k * n + i];
      stage.xp[i] = slope / h;
    }
    if (equations.residual(stage.t, stage.x, stage.xp, stage.residual) == Eval::discard ||
        linear->evaluate(stage.t, stage.x, stage.xp, stage.by_value, stage.by_slope) ==
            Eval::discard) {
      return false;
    }
  }
  fill(pattern, h, false);
  return true;
}

// On the polynomial through the points around.
void CollocationReplay::guess(const Interval& interval) {
  const std::size_t n = interval.from.size(), count = interval.times.size();
  z_.assign(3 * n, 0.0);
  for (std::size_t s = 0; s < 3; ++s) {
    const double t = interval.begin + kNodes[s] * interval.length();
    for (std::size_t k = 0; k < count; ++k) {
      double weight = 1.0;  // of Lagrange
      for (std::size_t other = 0; other < count; ++other) {
        if (other == k) continue;
        weight *= (t - interval.times[other]) / (interval.times[k] - interval.times[other]);
      }
      for (std::size_t i = 0; i < n; ++i) {
        z_[s * n + i] += weight * (interval.points[k * n + i] - interval.from[i]);
      }
    }
  }
}
void CollocationReplay::guess_straight(ConstVec from, ConstVec to) {
  const std::size_t n = from.size();
  z_.resize(3 * n);
  for (std::size_t s = 0; s < 3; ++s) {
    for (std::size_t i = 0; i < n; ++i) z_[s * n + i] = kNodes[s] * (to[i] - from[i]);
  }
}

// Newton's method, from what was guessed. The matrices are those before its last correction, which
// is too small to matter.
bool CollocationReplay::solve(CollocatedEquations& equations, double t, double h, ConstVec from) {
  const std::size_t n = from.size();
  right_.resize(3 * n);
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    if (!evaluate(equations, t, h, from)) return false;
    if (!forwards_.refactor(values_) && !forwards_.factor(values_)) return false;
    for (std::size_t s = 0; s < 3; ++s) {
      std::copy(stages_[s].residual.begin(), stages_[s].residual.end(),
                right_.begin() + static_cast<std::ptrdiff_t>(s * n));
    }
    forwards_.solve(right_);
    double largest = 0.0;
    for (std::size_t k = 0; k < 3 * n; ++k) {
      z_[k] -= right_[k];
      const double x = stages_[k / n].x[k % n] -= right_[k];
      largest = std::max(largest, std::fabs(right_[k]) / scale_.of(k % n, from[k % n], x));
    }
    if (!std::isfinite(largest)) return false;
    if (largest <= kConverged) return true;
  }
  return false;
}

// The stages solve R(Z, x, p) = 0 and the step ends at x + Z_3, so with R_Z' m = (0, 0, g) it is
// R_x' m and R_p' m that g loses on the way back.
bool CollocationReplay::pull_step(CollocatedEquations& equations, double h, Direction& gradient) {
  const std::size_t n = gradient.unknowns.size();
  fill(known_, h, true);
  if (!backwards_.refactor(transposed_values_) && !backwards_.factor(transposed_values_)) {
    return false;
  }
  right_.assign(3 * n, 0.0);
  std::copy(gradient.unknowns.begin(), gradient.unknowns.end(),
            right_.begin() + static_cast<std::ptrdiff_t>(2 * n));
  backwards_.solve(right_);
  for (std::size_t s = 0; s < 3; ++s) {
    const Stage& stage = stages_[s];
    const ConstVec weights = ConstVec(right_).subspan(s * n, n);
    if (equations.subtract(stage.t, stage.x, stage.xp, weights, gradient) == Eval::discard) {
      return false;
    }
  }
  return true;
}

Replayed CollocationReplay::pull(CollocatedEquations& equations, const Interval& interval,
                                 Direction& gradient) {
  const std::size_t n = interval.from.size();
  std::vector<double> points, next(n);
  // From all points around, from both ends, and then in more and more parts.
  for (int steps = interval.times.empty() ? 1 : 0; steps <= kMostSteps;
       steps = 2 * steps + (steps == 0 ? 1 : 0)) {
    const int parts = std::max(steps, 1);
    const double h = interval.length() / parts;
    points.assign(interval.from.begin(), interval.from.end());
    const auto go = [&](int step) {
      const ConstVec from = ConstVec(points).subspan(static_cast<std::size_t>(step) * n, n);
      for (std::size_t i = 0; i < n; ++i) {
        next[i] = from[i] + (interval.to[i] - from[i]) / (parts - step);
      }
      if (steps == 0) {
        guess(interval);
      } else {
        guess_straight(from, next);
      }
      return solve(equations, interval.begin + step * h, h, from);
    };
    bool is_good = true;
    for (int step = 0; step < parts && is_good; ++step) {
      is_good = go(step);
      if (is_good) points.insert(points.end(), stages_[2].x.begin(), stages_[2].x.end());
    }
    for (std::size_t i = 0; i < n && is_good; ++i) {
      const double apart = std::fabs(stages_[2].x[i] - interval.to[i]);
      is_good = apart <= kMostApart * scale_.of(i, interval.from[i], interval.to[i]);
    }
    if (!is_good) continue;
    for (int step = parts; step-- > 0;) {
      if (step + 1 < parts && !go(step)) return Replayed::elsewhere;
      if (!pull_step(equations, h, gradient)) return Replayed::no_derivatives;
    }
    return Replayed::done;
  }
  return Replayed::elsewhere;
}

}  // namespace saltus
