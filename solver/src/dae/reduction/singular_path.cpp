// SPDX-License-Identifier: BSD-2-Clause
// Along a path of regular points the determinant of what the states leave to be solved for keeps
// its sign. Where it has changed, there was a point at which either these states failed, and others
// would have served, or the equations themselves.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "dae/index/ranks.hpp"
#include "dense_scaling.hpp"
#include "reduction_state.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {
namespace {

// Of a matrix whose rows and columns have the size one, beside the largest singular value.
constexpr double kSingular = 1e-9;
// Where an integrator could not go on: at a fold, the smallest value is the root of the distance,
// and Newton's method may fail a part 1e-7 before it.
constexpr double kSingularAhead = 3e-4;
// What takes part in a singular vector by less than this, beside the largest part, is not named.
constexpr double kNamed = 0.1;
constexpr std::size_t kMostDense = 1500;

/// The straight line between two points of a run.
struct Line {
  PointSolver::Place begin, end;

  double time(double fraction) const { return begin.time + fraction * (end.time - begin.time); }
  std::vector<double> point(double fraction) const {
    std::vector<double> z(begin.z);
    for (std::size_t k = 0; k < z.size(); ++k) {
      z[k] += fraction * (end.z[k] - begin.z[k]);
    }
    return z;
  }
};

/// Where the sign changes, to the last digit; below zero: it does not, between these points.
double place_of_change(PointSolver& solver, const Line& line) {
  const auto sign = [&](double fraction) {
    return solver.factorize(line.time(fraction), line.point(fraction)) == Eval::ok
               ? solver.orientation()
               : 0;
  };
  const int before = sign(0.0);
  if (before * sign(1.0) >= 0) {
    return -1.0;
  }
  double low = 0.0;
  double high = 1.0;
  for (double middle = 0.5; low < middle && middle < high; middle = 0.5 * (low + high)) {
    const int here = sign(middle);
    if (here == 0) {
      return middle;
    }
    (here == before ? low : high) = middle;
  }
  return high;
}

/// The rank of some columns of a matrix, whose rows and columns are scaled as brings those of
/// `usual` to the size one. What the rows say of other columns, the states, does not matter.
index::Decomposition decompose(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& usual,
                               const std::vector<int>& columns, double tolerance) {
  const Equilibrated scaled(usual(Eigen::all, columns));
  const Eigen::MatrixXd part = scaled.rows.cwiseInverse().asDiagonal() *
                               matrix(Eigen::all, columns) *
                               scaled.columns.cwiseInverse().asDiagonal();
  index::RankJudge judge({.rank_tolerance = tolerance, .rank_gap = 0.0},
                         [](const auto&, double, double) {});
  return judge.decompose(part, index::RankJudge::Want::range_and_kernel);
}

/// Which components a singular vector consists of.
std::vector<Eigen::Index> main_parts(const Eigen::VectorXd& vector) {
  std::vector<Eigen::Index> parts;
  const double largest = vector.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < vector.size() && parts.size() < kMostNames; ++k) {
    if (std::fabs(vector[k]) > kNamed * largest) {
      parts.push_back(k);
    }
  }
  return parts;
}

// The place is only as good as the straight line.
std::string time_text(double t) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", t);
  return text.data();
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

}  // namespace

void ReducedModel::State::begin_path() {
  now->orientation_when_chosen = now->solver.orientation();
  now->inspected = now->solver.place();
  now->steps = now->steps_since_inspection = 0;
  now->forces.assign(now->z.begin(), now->z.begin() + static_cast<std::ptrdiff_t>(n));
}

bool ReducedModel::State::may_have_passed_a_pole(ConstVec x) {
  Reduction& r = *now;
  if (r.direct()) {
    return false;  // all errors are controlled
  }
  // A change by half of both sizes: from 1 to 3, or of sign. Less looks at the equations more
  // often.
  constexpr double kAnother = 0.5;
  bool changed = false;
  for (std::size_t j = 0; j < n && !changed; ++j) {
    const double move = std::fabs(x[j] - r.forces[j]);
    changed = r.analysis.differential[j] == 0 && move > tolerance * r.weight[j] &&
              move > kAnother * (std::fabs(x[j]) + std::fabs(r.forces[j]));
  }
  if (changed) {
    r.forces.assign(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
  }
  return changed;
}

// Sizes are those elsewhere: a coefficient that vanishes at this point must not be scaled up there.
std::optional<ReducedModel::State::Undetermined> ReducedModel::State::undetermined(
    std::initializer_list<PointSolver::Place> elsewhere, const PointSolver::Place& here,
    double threshold) {
  Reduction& r = *now;
  std::vector<double> entries(r.system.pattern().entries()), size(entries.size(), 0.0);
  for (const PointSolver::Place& place : elsewhere) {
    if (r.system.jacobian(place.time, place.z, entries) == Eval::discard) {
      return {};
    }
    for (std::size_t k = 0; k < size.size(); ++k) {
      size[k] = std::max(size[k], std::fabs(entries[k]));
    }
  }
  if (r.system.jacobian(here.time, here.z, entries) == Eval::discard) {
    return {};
  }
  StateSelection best = r.states_for(entries);
  if (best.states.size() < r.freedoms() || best.free.size() != r.system.rows().size()) {
    best = r.solver.selection();
  }
  const index::Decomposition there = decompose(
      dense(r.system.pattern(), entries), dense(r.system.pattern(), size), best.free, threshold);
  if (there.kernel.cols() == 0) {
    return {};
  }
  Undetermined result;
  for (const Eigen::Index k : main_parts(there.complement.rightCols(1))) {
    result.equations.push_back(row_name(k));
  }
  for (const Eigen::Index k : main_parts(there.kernel.rightCols(1))) {
    result.unknowns.push_back(column_name(best.free[k]));
  }
  return result;
}

bool ReducedModel::State::look_for_singularity(double t) {
  Reduction& r = *now;
  if (r.beginning.z.size() != r.z.size() || r.z.size() > kMostDense) {
    return false;
  }
  const PointSolver::Place here{t, r.z};
  const double threshold = std::max(kSingularAhead, tolerance);  // the point is no better known
  const auto failing = undetermined({r.beginning, here}, here, threshold);
  if (!failing) {
    return true;
  }
  if (undetermined({r.beginning}, r.beginning, threshold)) {
    return false;
  }
  throw DaeError(DaeError::Reason::index_changed, t, failing->equations, failing->unknowns,
                 "the equations become singular at t = " + time_text(t) + " (" +
                     to_string(r.analysis.values) + " before): " + joined(failing->equations) +
                     " cannot determine " + joined(failing->unknowns) +
                     " there. A coefficient becomes zero, two solutions meet and end (a fold), or "
                     "a mechanism reaches a singular position: stop before, or describe what "
                     "happens there by equations of its own (an if)");
}

void ReducedModel::State::require_regular_path() {
  Reduction& r = *now;
  const Line line{r.inspected, r.solver.place()};
  const double place = place_of_change(r.solver, line);
  const bool names = r.z.size() <= kMostDense;
  if (names ? place < 0.0 : !all_are_states()) {
    return;
  }
  std::optional<Undetermined> failing = Undetermined{};
  if (names) {
    failing =
        undetermined({line.begin, line.end}, {line.time(place), line.point(place)}, kSingular);
  }
  if (!failing) {
    return;
  }
  const auto& [equations, unknowns] = *failing;
  const double when = place < 0.0 ? line.end.time : line.time(place);
  throw DaeError(
      DaeError::Reason::index_changed, when, equations, unknowns,
      "the equations are singular near t = " + time_text(when) + ": the way from t = " +
          number_text(line.begin.time) + " to " + number_text(line.end.time) + " (" +
          to_string(r.analysis.values) + " at both) led past a point where " +
          (names ? joined(equations) + " cannot determine " + joined(unknowns)
                 : "they do not determine all unknowns") +
          ". A coefficient passes through zero there, or a mechanism through a singular position: "
          "stop before, or describe what happens there by equations of its own (an if)");
}

}  // namespace saltus
