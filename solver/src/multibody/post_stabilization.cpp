// SPDX-License-Identifier: BSD-2-Clause
#include "post_stabilization.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::multibody {

double size_of(ConstVec y) {
  double size = 1.0;
  for (const double value : y) {
    size = std::max(size, std::fabs(value));
  }
  return size;
}

void PostStabilization::choose(const std::vector<Phase>& phases) {
  position_.index.clear();
  velocity_.index.clear();
  for (Index i = 0; i < motion_.constraints(); ++i) {
    const Phase phase = phases[std::size_t(i)];
    if (phase == Phase::reaching) {
      continue;
    }
    velocity_.index.push_back(i);
    if (phase == Phase::holding &&
        (i >= motion_.nonholonomic() || options_.positions == MultibodyOptions::Positions::all)) {
      position_.index.push_back(i);
    }
  }
}

// Orthogonal factors instead of J J^T: they keep all digits, and show rows that depend on each
// other.
void PostStabilization::factor(Rows& rows) {
  rows.columns.resize(motion_.coordinates(), Index(rows.index.size()));
  for (std::size_t k = 0; k < rows.index.size(); ++k) {
    rows.columns.col(Index(k)) = motion_.jacobian.row(rows.index[k]).transpose();
  }
  if (options_.mass_weighted) {
    motion_.mass_factor.matrixL().solveInPlace(rows.columns);
  }
  scale_columns(rows.columns, rows.scale);
  rows.decomposition.setThreshold(kRankTolerance);
  rows.decomposition.compute(rows.columns);
}

// Of a constraint that holds, phi and phi'; of one that decays, its surface.
void PostStabilization::measure(const std::vector<Phase>& phases) {
  for (std::size_t k = 0; k < velocity_.index.size(); ++k) {
    const Index i = velocity_.index[k];
    const double value =
        phases[std::size_t(i)] == Phase::decaying
            ? std::fabs(motion_.surface(i))
            : std::max(std::fabs(motion_.residual()[i]), std::fabs(motion_.rate(i)));
    const double away = value * velocity_.scale[Index(k)];
    if (farthest_ < 0 || away > distance_) {
      distance_ = away;
      farthest_ = i;
    }
  }
}

// target -= F residual, F with the Jacobian of the beginning of the pass.
void PostStabilization::subtract(Rows& rows, bool positions, Eigen::Ref<Vector> target) {
  rows.residual.resize(Index(rows.index.size()));
  for (std::size_t k = 0; k < rows.index.size(); ++k) {
    const Index i = rows.index[k];
    rows.residual[Index(k)] =
        (positions ? motion_.residual()[i] : motion_.surface(i)) * rows.scale[Index(k)];
  }
  Vector move = rows.decomposition.transpose().solve(rows.residual);
  if (options_.mass_weighted) {
    motion_.mass_factor.matrixU().solveInPlace(move);
  }
  target -= move;
}

Eval PostStabilization::move_once(double t, Vec y, const std::vector<Phase>& phases) {
  distance_ = 0.0;
  farthest_ = -1;
  choose(phases);
  if (velocity_.index.empty()) {
    return Eval::ok;
  }
  if (motion_.read_constraints(t, y) == Eval::discard ||
      (options_.mass_weighted && motion_.read_mass(t, y) == Eval::discard)) {
    return Eval::discard;
  }
  factor(velocity_);
  measure(phases);
  if (distance_ == 0.0) {
    return Eval::ok;
  }
  const Index n = motion_.coordinates();
  Eigen::Map<Vector> q(y.data(), n), v(y.data() + n, n);
  if (!position_.index.empty()) {
    const bool same_rows = position_.index == velocity_.index;
    if (!same_rows) {
      factor(position_);
    }
    subtract(same_rows ? velocity_ : position_, true, q);
    // S at the moved positions, F as it was.
    if (motion_.read_constraints(t, y) == Eval::discard) {
      return Eval::discard;
    }
  }
  subtract(velocity_, false, v);
  return q.allFinite() && v.allFinite() ? Eval::ok : Eval::discard;
}

}  // namespace saltus::multibody
