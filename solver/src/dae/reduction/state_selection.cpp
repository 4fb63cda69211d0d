// SPDX-License-Identifier: BSD-2-Clause
#include "state_selection.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "dense_scaling.hpp"
#include "sparse_scaling.hpp"

namespace saltus {
namespace {

std::vector<int> all_columns_but(const ExtendedSystem& system, const std::vector<int>& states) {
  std::vector<int> free;
  auto state = states.begin();
  for (int c = 0; c < static_cast<int>(system.columns().size()); ++c) {
    if (state != states.end() && *state == c) {
      ++state;
    } else {
      free.push_back(c);
    }
  }
  return free;
}

// Without what is nothing but the rounding of a zero, beside the other terms of its equation and
// where the derivatives of an unknown are measured in one unit. Brought to the size one, a column
// of roundings would seem to give its row a freedom.
std::vector<double> without_roundings(const ExtendedSystem& system, ConstVec entries) {
  const SparseEquilibrated scaled(system.pattern(), entries, [&](std::size_t c) {
    return static_cast<std::size_t>(system.columns()[c].unknown);
  });
  std::vector<double> rest(entries.begin(), entries.end());
  for (std::size_t k = 0; k < rest.size(); ++k) {
    rest[k] = std::fabs(scaled.values[k]) > kRoundedZero ? rest[k] : 0.0;
  }
  return rest;
}

// Where the unknowns may move: the kernel of the Jacobian, its part for the eligible unknowns, as
// an orthonormal basis in the units of the equilibrated columns. One row for each; no columns where
// nothing may move.
Eigen::MatrixXd tangents(const Equilibrated& scaled, const std::vector<int>& eligible,
                         std::size_t freedoms) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(scaled.matrix.transpose());
  qr.setThreshold(kIndependent);
  const Eigen::Index columns = scaled.matrix.cols();
  const Eigen::MatrixXd q = qr.householderQ() * Eigen::MatrixXd::Identity(columns, columns);
  Eigen::MatrixXd kernel(eligible.size(), columns - qr.rank());
  for (std::size_t k = 0; k < eligible.size(); ++k) {
    kernel.row(k) = q.row(eligible[k]).tail(kernel.cols());
  }
  if (kernel.size() == 0) return Eigen::MatrixXd(kernel.rows(), 0);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> span(kernel);
  return span.householderQ() *
         Eigen::MatrixXd::Identity(kernel.rows(),
                                   std::min<Eigen::Index>(freedoms, span.nonzeroPivots()));
}

// Of the columns that are no states: all unknowns, and those derivatives that the rows determine,
// the others being given. In units of the weights: equilibrated, a column that hardly matters looks
// like any other, and what depends on it explodes when it matters less still.
std::vector<int> determined(const ExtendedSystem& system, const Equilibrated& scaled,
                            std::vector<int> free, ConstVec weight) {
  const std::size_t rows = system.rows().size();
  const auto first_derivative = std::partition_point(
      free.begin(), free.end(), [&](int c) { return c < static_cast<int>(system.unknowns()); });
  const auto unknowns = static_cast<Eigen::Index>(first_derivative - free.begin());
  Eigen::MatrixXd ordered(rows, free.size());
  for (std::size_t k = 0; k < free.size(); ++k) {
    ordered.col(k) = scaled.matrix.col(free[k]) * (scaled.columns[free[k]] * weight[free[k]]);
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> eliminate(ordered.leftCols(unknowns));
  Eigen::MatrixXd rest = ordered.rightCols(ordered.cols() - unknowns);
  rest.applyOnTheLeft(eliminate.householderQ().adjoint());
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rest.bottomRows(rows - unknowns));
  std::vector<int> kept(free.begin(), first_derivative);
  for (std::size_t k = 0; k < rows - unknowns; ++k) {
    kept.push_back(*(first_derivative + qr.colsPermutation().indices()[k]));
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

// Takes those unknowns of one order (positions before velocities) that are independent of all taken
// before, the most independent first, and removes from `movable` what they describe. `noise` is a
// size that counts as none: constraints may leave no unknown of that order any freedom.
void choose_among(int order, const ExtendedSystem& system, const std::vector<int>& eligible,
                  std::size_t most, double noise, Eigen::MatrixXd& movable,
                  std::vector<int>& chosen) {
  // An unknown that moves by a thousandth of what the best one does would be a poor state: errors
  // of it would count a thousandfold.
  constexpr double kClearly = 1e-3;
  double first = noise / kClearly;
  while (chosen.size() < most) {
    double largest = 0.0;
    std::size_t best = 0;
    for (std::size_t k = 0; k < eligible.size(); ++k) {
      const double size = movable.col(k).norm();
      if (system.order(eligible[k]) == order && size > largest) {
        largest = size;
        best = k;
      }
    }
    if (!(largest > kClearly * first)) {
      return;
    }
    first = std::max(first, largest);
    chosen.push_back(eligible[best]);
    const Eigen::VectorXd direction = movable.col(best) / largest;
    movable -= direction * (direction.transpose() * movable).eval();
    movable.col(best).setZero();
  }
}

}  // namespace

StateSelection select_states(const ExtendedSystem& system, ConstVec all_entries,
                             std::span<const char> candidates, std::size_t freedoms,
                             ConstVec weight) {
  std::vector<int> eligible;
  for (std::size_t j = 0; j < system.unknowns(); ++j) {
    if (candidates[j] != 0) {
      eligible.push_back(static_cast<int>(j));
    }
  }
  const std::size_t rows = system.rows().size();
  StateSelection chosen;
  if (eligible.size() == freedoms && system.columns().size() == rows + freedoms) {
    chosen.states = eligible;
    chosen.free = all_columns_but(system, chosen.states);
    return chosen;
  }
  const std::vector<double> entries = without_roundings(system, all_entries);
  if (system.columns().size() >= kManyColumns) {
    return select_among_many(system, entries, candidates, weight);
  }
  const Equilibrated scaled(dense(system.pattern(), entries));
  if (freedoms > 0) {  // else the constraints hold everything where it is
    Eigen::MatrixXd movable = tangents(scaled, eligible, freedoms).transpose();
    const int highest = movable.rows() > 0 ? system.columns().back().degree : -1;
    const double noise = highest < 0 ? 0.0 : kIndependent * movable.colwise().norm().maxCoeff();
    for (int order = highest; order >= 0; --order) {
      choose_among(order, system, eligible, freedoms, noise, movable, chosen.states);
    }
  }
  std::sort(chosen.states.begin(), chosen.states.end());
  chosen.free = all_columns_but(system, chosen.states);
  if (chosen.free.size() > rows) {
    chosen.free = determined(system, scaled, chosen.free, weight);
  }
  return chosen;
}

}  // namespace saltus
