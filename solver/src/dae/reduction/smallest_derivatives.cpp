// SPDX-License-Identifier: BSD-2-Clause
#include "smallest_derivatives.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "dense_scaling.hpp"
#include "least_change.hpp"

namespace saltus {
namespace {

// Rows of the first level are linear in their derivatives; in higher ones these are multiplied with
// each other.
constexpr int kMostRounds = 8;
constexpr double kUnchanged = 1e-8;

// Multiplies the entries of derivatives by their units and brings their rows, and the rests of
// these, to the size one. A row that has none is not to be satisfied by them.
void scale(const ExtendedSystem& system, ConstVec units, Vec entries, Vec rest) {
  const Pattern& pattern = system.pattern();
  std::vector<double> size(rest.size(), 0.0), largest(rest.size(), 0.0);
  const auto for_each = [&](std::size_t first, auto action) {
    for (std::size_t c = first; c < pattern.columns(); ++c) {
      for (int k = pattern.first[c]; k < pattern.first[c + 1]; ++k) {
        action(static_cast<std::size_t>(pattern.row[k]), c, entries[k]);
      }
    }
  };
  for_each(0, [&](std::size_t r, std::size_t c, double& entry) {
    entry *= units[c];
    largest[r] = std::max(largest[r], std::fabs(entry));
  });
  for_each(system.unknowns(), [&](std::size_t r, std::size_t, double& entry) {
    entry = std::fabs(entry) > kRoundedZero * largest[r] ? entry : 0.0;
    size[r] = std::max(size[r], std::fabs(entry));
  });
  for_each(system.unknowns(), [&](std::size_t r, std::size_t, double& entry) {
    entry *= size[r] > 0.0 ? 1.0 / size[r] : 0.0;
  });
  for (std::size_t r = 0; r < rest.size(); ++r) {
    rest[r] *= size[r] > 0.0 ? 1.0 / size[r] : 0.0;
  }
}

std::vector<double> smallest_step(const ExtendedSystem& system, ConstVec entries, ConstVec rest) {
  const std::size_t columns = system.columns().size(), n = system.unknowns();
  std::vector<double> step(columns, 0.0);
  if (columns >= kManyColumns) {
    std::vector<Mobility> mobility(columns, Mobility::free);
    std::fill_n(mobility.begin(), n, Mobility::held);
    LeastChange smallest;
    if (smallest.factorize(system.pattern(), entries, mobility)) {
      smallest.solve(rest, step);
    } else {
      step.back() = std::nan("");
    }
    return step;
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> smallest;
  smallest.setThreshold(kIndependent);
  smallest.compute(dense(system.pattern(), entries).rightCols(columns - n));
  Eigen::Map<Eigen::VectorXd>(step.data() + n, columns - n) =
      smallest.solve(Eigen::Map<const Eigen::VectorXd>(rest.data(), rest.size()));
  return step;
}

}  // namespace

bool take_smallest_derivatives(ExtendedSystem& system, double t, Vec z, ConstVec weight) {
  const std::size_t n = system.unknowns();
  const std::vector<double> before(z.begin(), z.end());
  std::vector<double> entries(system.pattern().entries());
  std::vector<double> rest(system.rows().size());
  std::fill(z.begin() + static_cast<std::ptrdiff_t>(n), z.end(), 0.0);
  for (int iteration = 0; iteration < kMostRounds; ++iteration) {
    if (system.values(t, z, rest) == Eval::discard ||
        system.jacobian(t, z, entries) == Eval::discard) {
      break;
    }
    scale(system, weight, entries, rest);
    const std::vector<double> step = smallest_step(system, entries, rest);
    double size = 0.0;
    for (std::size_t c = n; c < z.size(); ++c) {
      z[c] -= weight[c] * step[c];
      const double part = std::fabs(step[c]) / (1.0 + std::fabs(z[c]) / weight[c]);
      size = part <= size ? size : part;  // not a number stays
    }
    if (size <= kUnchanged) {
      return true;
    }
  }
  std::copy(before.begin(), before.end(), z.begin());
  return false;
}

}  // namespace saltus
