// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "integrators/dormand_prince/dormand_prince_weights.hpp"
#include "step_replay.hpp"

namespace saltus {
namespace {

using namespace dormand_prince;

// The weights of the slopes before it in each stage; that of the first is what is left to its node.
struct Row {
  double node;
  double weights[6];
};
constexpr Row kRows[7] = {
    {0.0, {}},
    {kC2, {0.0}},
    {kC3, {0.0, kA32}},
    {kC4, {0.0, kA42, kA43}},
    {kC5, {0.0, kA52, kA53, kA54}},
    {1.0, {0.0, kA62, kA63, kA64, kA65}},
    {1.0, {0.0, 0.0, kB3, kB4, kB5, kB6}},
};
constexpr double kErrors[7] = {0.0, 0.0, kE3, kE4, kE5, kE6, kE7};

constexpr double first_weight(const Row& row) {
  double rest = row.node;
  for (const double weight : row.weights) rest -= weight;
  return rest;
}

// A step whose error is this many times the tolerance was none of the run's.
constexpr double kMostError = 2.0;
// So far from each other may the end of the run's step and that of another way to it be.
constexpr double kFarthestEnd = 100.0;
constexpr int kMostParts = 1024;

}  // namespace

double ErrorScale::of(std::size_t i, double a, double b) const {
  const double nominal = i < nominals.size() && std::isfinite(nominals[i]) ? nominals[i] : 1.0;
  return tolerance * std::max({std::fabs(a), std::fabs(b), nominal});
}

// The stages of a step from y, the last of them its end, and its error.
bool ExplicitReplay::go(double t, double h, ConstVec y) {
  const std::size_t n = y.size();
  for (std::size_t s = 0; s < 7; ++s) {
    std::vector<double>& stage = stages_[s];
    stage.resize(n);
    slopes_[s].resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double first = s > 0 ? slopes_[0][i] : 0.0;
      double sum = kRows[s].node * first;
      for (std::size_t j = 1; j < s; ++j) sum += kRows[s].weights[j] * (slopes_[j][i] - first);
      stage[i] = y[i] + h * sum;
    }
    if (model_.derivatives(t + kRows[s].node * h, stage, slopes_[s]) == Eval::discard) return false;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double error = 0.0;
    for (std::size_t s = 2; s < 7; ++s) error += kErrors[s] * (slopes_[s][i] - slopes_[0][i]);
    const double part = h * error / scale_.of(i, y[i], stages_[6][i]);
    sum += part * part;
  }
  error_ = n > 0 ? std::sqrt(sum / static_cast<double>(n)) : 0.0;
  return std::isfinite(error_);
}

// Back through the stages of the last `go`.
bool ExplicitReplay::pull_step(double t, double h, Direction& gradient) {
  const std::size_t n = stages_[0].size();
  for (std::size_t s = 6; s-- > 0;) {
    adjoint_.assign(n, 0.0);
    const auto add = [&](const Row& row, ConstVec from) {
      const double weight = h * (s == 0 ? first_weight(row) : row.weights[s]);
      if (weight == 0.0) return;
      for (std::size_t i = 0; i < n; ++i) adjoint_[i] += weight * from[i];
    };
    add(kRows[6], gradient.unknowns);
    for (std::size_t later = s + 1; later < 6; ++later) add(kRows[later], pulled_[later].unknowns);
    Direction& pulled = pulled_[s];
    pulled.unknowns.assign(n, 0.0);
    pulled.numbers.swap(gradient.numbers);  // what it has by numbers grows
    const Eval answer = back_.pull_slopes(t + kRows[s].node * h, stages_[s], adjoint_, pulled);
    pulled.numbers.swap(gradient.numbers);
    if (answer == Eval::discard) return false;
  }
  for (const Direction& pulled : pulled_) {
    for (std::size_t i = 0; i < n; ++i) gradient.unknowns[i] += pulled.unknowns[i];
  }
  return true;
}

Replayed ExplicitReplay::pull(const Interval& interval, Direction& gradient) {
  const std::size_t n = interval.from.size();
  int steps = 1;
  for (; steps <= kMostParts; steps *= 2) {
    const double h = interval.length() / steps;
    points_.assign(interval.from.begin(), interval.from.end());
    bool is_good = true;
    for (int step = 0; step < steps && is_good; ++step) {
      const std::size_t at = static_cast<std::size_t>(step) * n;
      const std::vector<double> from(points_.begin() + static_cast<std::ptrdiff_t>(at),
                                     points_.end());
      is_good = go(interval.begin + step * h, h, from) && error_ <= kMostError;
      points_.insert(points_.end(), stages_[6].begin(), stages_[6].end());
    }
    if (is_good) break;
  }
  if (steps > kMostParts) return Replayed::elsewhere;
  for (std::size_t i = 0; i < n; ++i) {
    const double apart = std::fabs(stages_[6][i] - interval.to[i]);
    if (!(apart <= kFarthestEnd * scale_.of(i, interval.from[i], interval.to[i]))) {
      return Replayed::elsewhere;
    }
  }
  const double h = interval.length() / steps;
  for (int step = steps; step-- > 0;) {
    const ConstVec from = ConstVec(points_).subspan(static_cast<std::size_t>(step) * n, n);
    if (step + 1 < steps && !go(interval.begin + step * h, h, from)) return Replayed::elsewhere;
    if (!pull_step(interval.begin + step * h, h, gradient)) {
      return Replayed::no_derivatives;
    }
  }
  return Replayed::done;
}

}  // namespace saltus
