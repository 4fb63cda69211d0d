// SPDX-License-Identifier: BSD-2-Clause
#include "array_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "saltus/core/error.hpp"
#include "time_scale.hpp"

namespace saltus::index {
namespace {

// Corrections of unknowns whose derivatives occur cost this much more than others: a start value is
// meant, a guess is not. A smaller weight would come near the rank tolerance.
constexpr double kReluctance = 1e-6;
constexpr int kIterations = 20;
// Residual of the equilibrated array at which it counts as zero.
constexpr double kSettled = 1e-10;
// Factors serve for as long as each correction leaves no more than this of the residual: a
// factorisation costs as much as some ten of them.
constexpr double kLeadsOn = 0.1;

}  // namespace

std::string unknown_name(const std::vector<std::string>& names, int j) {
  const auto at = static_cast<std::size_t>(j);
  return at < names.size() ? names[at] : "unknown " + std::to_string(j + 1);
}

int occurring_order(const DerivativeArray& array) {
  int order = 1;
  for (const DerivativeArray::Entry& entry : array.entries()) {
    order = std::max(order, entry.order);
  }
  return order;
}

ArrayPoint::ArrayPoint(DerivativeArray& array, double t, ConstVec c, const IndexOptions& options)
    : array_(&array),
      t_(t),
      options_(options),
      m_(static_cast<int>(array.equations())),
      n_(static_cast<int>(array.unknowns())),
      order_(occurring_order(array)),
      c_(c.begin(), c.end()) {
  if (options_.scale == 0.0) {
    options_.scale = time_scale(array, t, c);
    double power = 1.0;
    for (std::size_t k = 0; k < c_.size(); ++k) {
      power *= k > 0 && k % array.unknowns() == 0 ? options_.scale : 1.0;
      c_[k] *= power;
    }
  }
}

ArrayPoint ArrayPoint::in_scale(double scale) const {
  IndexOptions options = options_;
  options.scale = scale;
  std::vector<double> c = c_;
  double power = 1.0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    power *= k > 0 && k % array_->unknowns() == 0 ? scale / options_.scale : 1.0;
    c[k] *= power;
  }
  return {*array_, t_, c, options};
}

std::string ArrayPoint::equation_name(int i) const {
  return array_->equation_name(static_cast<std::size_t>(i));
}

std::string ArrayPoint::unknown_name(int j) const {
  return index::unknown_name(options_.unknown_names, j);
}

std::vector<std::string> ArrayPoint::equation_names(const Vector& row_weights) const {
  const double large = 0.3 * row_weights.cwiseAbs().maxCoeff();
  std::set<int> rows;
  for (Eigen::Index r = 0; r < row_weights.size(); ++r) {
    if (std::abs(row_weights[r]) > large) {
      rows.insert(static_cast<int>(r) % m_);
    }
  }
  std::vector<std::string> names;
  for (const int i : rows) {
    names.push_back(equation_name(i));
  }
  return names;
}

ConstVec ArrayPoint::coefficients_for(int level) {
  const std::size_t needed =
      (static_cast<std::size_t>(level) + array_->order() + 1) * static_cast<std::size_t>(n_);
  if (c_.size() < needed) {
    c_.resize(needed, 0.0);
  }
  return ConstVec(c_).first(needed);
}

const std::vector<double>& ArrayPoint::linearized(int level) {
  if (taylor_level_ >= level) {
    return taylor_;
  }
  const std::span<const DerivativeArray::Entry> entries = array_->entries();
  taylor_.assign(entries.size() * (static_cast<std::size_t>(level) + 1), 0.0);
  const Eval eval = array_->linearize(t_, options_.scale, static_cast<std::size_t>(level),
                                      coefficients_for(level), taylor_);
  for (std::size_t k = 0; k < taylor_.size(); ++k) {
    if (eval != Eval::ok || !std::isfinite(taylor_[k])) {
      const bool known = eval == Eval::ok;
      throw IntegrationError(
          IntegrationError::Reason::bad_start, t_, 0.0,
          known ? equation_name(entries[k % entries.size()].row) : std::string(),
          "the derivatives of the equations are not finite there; check the start values (roots, "
          "logarithms, divisions) and give the unknowns a start inside the domain");
    }
  }
  taylor_level_ = level;
  return taylor_;
}

void ArrayPoint::require_evaluable() {
  std::vector<double> F(static_cast<std::size_t>(m_), 0.0);
  const Eval eval = array_->values(t_, options_.scale, 0, coefficients_for(0), F);
  const auto bad =
      std::find_if(F.begin(), F.end(), [](double value) { return !std::isfinite(value); });
  if (eval != Eval::ok || bad != F.end()) {
    throw IntegrationError(
        IntegrationError::Reason::bad_start, t_, 0.0,
        bad != F.end() ? equation_name(static_cast<int>(bad - F.begin())) : std::string(),
        "give the unknowns a start inside the domain of the equations (roots, logarithms, "
        "divisions)");
  }
}

Matrix ArrayPoint::jacobian(int level) {
  const std::vector<double>& a = linearized(level);
  const std::span<const DerivativeArray::Entry> entries = array_->entries();
  Matrix J = Matrix::Zero((level + 1) * m_, (level + 1 + order_) * n_);
  // The shift structure of the derivative array, see its header.
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto [row, unknown, q] = entries[e];
    for (int l = q; l <= level + q; ++l) {
      double factor = 1.0;
      for (int p = 0; p < q; ++p) {
        factor *= (l - p) / options_.scale;
      }
      for (int k = l - q; k <= level; ++k) {
        J(k * m_ + row, l * n_ + unknown) +=
            factor * a[static_cast<std::size_t>(k - l + q) * entries.size() + e];
      }
    }
  }
  return J;
}

Matrix ArrayPoint::derivative_matrix(int q, int k) {
  const std::vector<double>& a = linearized(k);
  const std::span<const DerivativeArray::Entry> entries = array_->entries();
  Matrix result = Matrix::Zero(m_, n_);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e].order == q) {
      result(entries[e].row, entries[e].unknown) +=
          a[static_cast<std::size_t>(k) * entries.size() + e];
    }
  }
  return result;
}

ConstVec ArrayPoint::entry_derivatives() {
  return ConstVec(linearized(0)).first(array_->entries().size());
}

Vector ArrayPoint::values(int level) {
  Vector F = Vector::Constant((level + 1) * m_, std::nan(""));
  if (array_->values(t_, options_.scale, static_cast<std::size_t>(level), coefficients_for(level),
                     Vec(F.data(), static_cast<std::size_t>(F.size()))) != Eval::ok) {
    F.setConstant(std::nan(""));
  }
  return F;
}

Vector ArrayPoint::values_at_zero(int level) {
  std::vector<double> given(coefficients_for(level).size(), 0.0);
  given.swap(c_);
  const Vector F = values(level);
  given.swap(c_);
  if (!F.allFinite()) {
    throw IntegrationError(IntegrationError::Reason::bad_start, t_, 0.0, "",
                           "the right-hand side of a linear system is not finite there");
  }
  return F;
}

bool ArrayPoint::solve(int level) {
  coefficients_for(level);
  const std::vector<double> given = c_;
  Vector weight = Vector::Ones(n_);
  for (const DerivativeArray::Entry& entry : array_->entries()) {
    if (entry.order > 0) {
      weight[entry.unknown] = kReluctance;
    }
  }
  // Gauss-Newton with the shortest correction in the scaled coefficients.
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors;
  factors.setThreshold(options_.rank_tolerance);
  Scales factored;
  bool fresh = false;
  double before = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const Vector F = values(level);
    if (!F.allFinite()) {
      break;
    }
    const Matrix J = jacobian(level);
    const Scales scales = equilibrate(J);
    const double residual = (scales.row.asDiagonal() * F).lpNorm<Eigen::Infinity>();
    if (residual < kSettled) {
      return true;
    }
    if (iteration > 5 && fresh && residual > 0.5 * before) {
      break;
    }
    fresh = iteration == 0 || residual > kLeadsOn * before;
    before = residual;
    if (fresh) {
      factored = scales;
      factored.column.head(n_).array() *= weight.array();
      factors.compute(factored.row.asDiagonal() * J * factored.column.asDiagonal());
    }
    const Vector correction =
        factored.column.asDiagonal() * factors.solve(-(factored.row.asDiagonal() * F));
    for (Eigen::Index j = 0; j < std::min<Eigen::Index>(correction.size(), Eigen::Index(c_.size()));
         ++j) {
      c_[static_cast<std::size_t>(j)] += correction[j];
    }
    taylor_level_ = -1;
    try {
      linearized(level);
    } catch (const IntegrationError&) {
      break;
    }
  }
  c_ = given;
  taylor_level_ = -1;
  return false;
}

}  // namespace saltus::index
