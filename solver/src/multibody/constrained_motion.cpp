// SPDX-License-Identifier: BSD-2-Clause
#include "constrained_motion.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace saltus::multibody {
namespace {

Vec view(Vector& v) { return {v.data(), std::size_t(v.size())}; }
Vec view(Matrix& a) { return {a.data(), std::size_t(a.size())}; }

// What the accelerations of redundant constraints may differ by, as a part of their size.
constexpr double kContradiction = 1e-6;

}  // namespace

void scale_columns(Eigen::MatrixXd& columns, Vector& scale) {
  scale.resize(columns.cols());
  for (Index i = 0; i < columns.cols(); ++i) {
    const double length = columns.col(i).norm();
    scale[i] = length > 0.0 ? 1.0 / length : 1.0;
    columns.col(i) *= scale[i];
  }
}

ConstrainedMotion::ConstrainedMotion(const MultibodySystem& system, std::vector<double> sigma)
    : system_(system),
      names_(system.coordinates()),
      constraint_names_(system.nonholonomic_constraints()) {
  n_ = Index(names_.size());
  m_nonholonomic_ = Index(constraint_names_.size());
  const std::vector<std::string> holonomic = system.holonomic_constraints();
  constraint_names_.insert(constraint_names_.end(), holonomic.begin(), holonomic.end());
  m_ = Index(constraint_names_.size());
  if (sigma.size() == 1) {
    sigma.assign(holonomic.size(), sigma.front());
  }
  if (sigma.size() != holonomic.size()) {
    throw std::invalid_argument(
        "MultibodyOptions::sigma needs one number, or one for each holonomic constraint");
  }
  for (const double rate : sigma) {
    if (!(rate >= 0.0 && rate < kNever)) {
      throw std::invalid_argument(
          "MultibodyOptions::sigma needs numbers that are not negative: a violated constraint "
          "would grow");
    }
  }
  sigma_ = Eigen::Map<const Vector>(sigma.data(), Index(sigma.size()));
  residual_.setZero(m_);
  rate_.setZero(m_ - m_nonholonomic_);
  drift_.setZero(m_);
  jacobian.setZero(m_, n_);
  mass_.setZero(n_, n_);
  force_.setZero(n_);
}

Eval ConstrainedMotion::read_constraints(double t, ConstVec y) {
  if (m_ == 0) {
    return Eval::ok;
  }
  jacobian.setZero();
  const std::size_t n = std::size_t(n_);
  system_.constraints(t, y.first(n), y.subspan(n),
                      {.residual = view(residual_),
                       .rate = view(rate_),
                       .jacobian = view(jacobian),
                       .drift = view(drift_)});
  return residual_.allFinite() && rate_.allFinite() && jacobian.allFinite() && drift_.allFinite()
             ? Eval::ok
             : Eval::discard;
}

Eval ConstrainedMotion::read_mass(double t, ConstVec y) {
  mass_.setZero();
  system_.mass(t, y.first(std::size_t(n_)), view(mass_));
  if (!mass_.allFinite()) {
    return Eval::discard;
  }
  mass_factor.compute(mass_);
  return mass_factor.info() == Eigen::Success ? Eval::ok : Eval::discard;
}

std::string ConstrainedMotion::not_finite(double t, ConstVec y) {
  if (read_constraints(t, y) == Eval::discard) {
    for (Index i = 0; i < m_; ++i) {
      if (!std::isfinite(residual_[i] + rate(i) + drift_[i]) || !jacobian.row(i).allFinite()) {
        return "the constraint \"" + constraint_name(i) + "\"";
      }
    }
  }
  read_forces(t, y);
  const bool has_mass = read_mass(t, y) == Eval::ok;
  for (Index i = 0; i < n_; ++i) {
    if (!has_mass && !mass_.row(i).allFinite()) {
      return "the mass matrix in the row of \"" + coordinate_name(i) + "\"";
    }
    if (!std::isfinite(force_[i])) {
      return "the force on \"" + coordinate_name(i) + "\"";
    }
  }
  return has_mass ? "an acceleration" : "";
}

Index ConstrainedMotion::bad_pivot() const {
  for (Index k = 1; k <= n_; ++k) {
    if (Eigen::LLT<Matrix>(mass_.topLeftCorner(k, k)).info() != Eigen::Success) {
      return k - 1;
    }
  }
  return -1;
}

void ConstrainedMotion::read_forces(double t, ConstVec y) {
  const std::size_t n = std::size_t(n_);
  force_.setZero();
  system_.forces(t, y.first(n), y.subspan(n), view(force_));
}

// With M = L L^T and W = L^-1 J^T the accelerations are a = L^-T (L^-1 D + W lambda), and those of
// the surfaces J a + drift + sigma phi' are to be `speed`: W^T z = speed - drift - sigma phi' -
// W^T L^-1 D for z = W lambda. The smallest z that does is what Gauss' principle asks for; it is
// also defined where rows of J depend on each other.
Eval ConstrainedMotion::accelerate(double t, ConstVec y, const Vector& speed, Vec acceleration) {
  if (read_constraints(t, y) == Eval::discard || read_mass(t, y) == Eval::discard) {
    return Eval::discard;
  }
  read_forces(t, y);
  free_ = mass_factor.matrixL().solve(force_);
  contradiction_ = -1;
  if (m_ > 0) {
    weighted_ = mass_factor.matrixL().solve(Eigen::MatrixXd(jacobian.transpose()));
    scale_columns(weighted_, scale_);
    wanted_ = speed - drift_;
    wanted_.tail(rate_.size()).array() -= sigma_.array() * rate_.array();
    wanted_ = wanted_.cwiseProduct(scale_) - weighted_.transpose() * free_;
    decomposition_.setThreshold(kRankTolerance);
    decomposition_.compute(weighted_);
    push_ = decomposition_.transpose().solve(wanted_);
    if (decomposition_.rank() < m_) {
      const Vector missed = weighted_.transpose() * push_ - wanted_;
      Index worst = 0;
      if (missed.cwiseAbs().maxCoeff(&worst) >
          kContradiction * (wanted_.norm() + free_.norm() + drift_.norm())) {
        contradiction_ = worst;
      }
    }
    free_ += push_;
  }
  Eigen::Map<Vector> a(acceleration.data(), n_);
  a = mass_factor.matrixU().solve(free_);
  return a.allFinite() ? Eval::ok : Eval::discard;
}

Vector ConstrainedMotion::multipliers() const {
  return m_ > 0 ? Vector(decomposition_.solve(push_).cwiseProduct(scale_)) : Vector();
}

}  // namespace saltus::multibody
