// SPDX-License-Identifier: BSD-2-Clause
#include "linear_projection.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus::index {
namespace {

/// Among all orthonormal bases of the same range the one nearest to the reference: with P the
/// projector on the range it is P ref (ref^T P ref)^(-1/2), as smooth as P itself.
void align(Matrix& basis, const Matrix& reference) {
  if (basis.cols() == 0) {
    return;
  }
  const Eigen::JacobiSVD<Matrix> svd(basis.transpose() * reference,
                                     Eigen::ComputeFullU | Eigen::ComputeFullV);
  basis = basis * svd.matrixU() * svd.matrixV().transpose();
}

std::string quoted_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "\"" : ", \"") + name + "\"";
  }
  return text;
}

}  // namespace

DenseMatrix dense(const Matrix& A) {
  DenseMatrix result{static_cast<std::size_t>(A.rows()), static_cast<std::size_t>(A.cols()), {}};
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      result.entries.push_back(A(i, j));
    }
  }
  return result;
}

std::vector<double> dense_vector(const Vector& v) { return {v.data(), v.data() + v.size()}; }

Matrix stacked(const Matrix& top, const Matrix& bottom) {
  Matrix result(top.rows() + bottom.rows(), std::max(top.cols(), bottom.cols()));
  result.topRows(top.rows()) = top;
  result.bottomRows(bottom.rows()) = bottom;
  return result;
}

LinearProjection::LinearProjection(DerivativeArray& system, double t, const IndexOptions& options)
    : system_(system), options_(options), point_(system, t, {}, options) {
  anchor(t);
}

void LinearProjection::anchor(double t) {
  point_ = ArrayPoint(system_, t, {}, options_);
  anchored_scale_ = point_.scale();
  RankJudge judge = make_judge(point_);
  Strangeness found = find_strangeness(point_, judge);
  values_ = found.values;
  anchored_ = std::move(found.level);
  move(t);
}

void LinearProjection::move(double t) {
  IndexOptions options = options_;
  options.scale = anchored_scale_;
  point_ = ArrayPoint(system_, t, {}, options);
  RankJudge judge = make_judge(point_);
  level_ = examine_level(point_, anchored_.level, anchored_.scales, judge);
  if (level_.a != anchored_.a || level_.d1 != anchored_.d1 || level_.leading != anchored_.leading ||
      level_.redundancy() != anchored_.redundancy()) {
    throw DaeError(DaeError::Reason::index_changed, t, {}, {},
                   "at t = " + number_text(t) + " the characteristic values are no longer " +
                       to_string(values_) + ": the derivative array of level " +
                       std::to_string(anchored_.level) +
                       " now shows d = " + std::to_string(level_.differential_equations()) +
                       ", a = " + std::to_string(level_.a) + ", " +
                       std::to_string(level_.redundancy()) + " vanishing rows instead of " +
                       std::to_string(anchored_.redundancy()) +
                       ". Let an event end the run there and go on with a new analysis");
  }
  align(level_.algebraic, anchored_.algebraic);
  align(level_.first_order, anchored_.first_order);
  align(level_.differential, anchored_.differential);
  jacobian_ = point_.jacobian(level_.level);
  at_zero_ = point_.values_at_zero(level_.level);
}

Matrix LinearProjection::by_derivative(const Matrix& combinations, int q) const {
  const int n = point_.unknowns();
  // The array differentiates by x^(q) scale^q (q is 0 or 1, so that q! = 1).
  return combinations.transpose() * level_.scales.array.row.asDiagonal() *
         jacobian_.middleCols(q * n, n) * std::pow(point_.scale(), q);
}

Vector LinearProjection::constant_part(const Matrix& combinations) const {
  return combinations.transpose() * level_.scales.array.row.asDiagonal() * at_zero_;
}

Matrix LinearProjection::leading_part(const Matrix& combinations,
                                      const Matrix& of_equations) const {
  return combinations.transpose() * level_.scales.leading_row.asDiagonal() * of_equations;
}

Vector LinearProjection::leading_constant(const Matrix& combinations) const {
  return combinations.transpose() * level_.scales.leading_row.asDiagonal() *
         at_zero_.head(point_.equations());
}

LeastSquaresReport LinearProjection::report(const Matrix& independent) const {
  LeastSquaresReport report;
  if (values_.v > 0) {
    const double whole = (level_.scales.array.row.asDiagonal() * at_zero_).norm();
    report.ignored = whole > 0.0 ? constant_part(level_.vanishing).norm() / whole : 0.0;
    report.ignored_equations = point_.equation_names(level_.vanishing.rowwise().norm());
  }
  if (values_.u > 0) {
    // The columns that a factorisation with column exchanges takes last depend on the others.
    const int n = point_.unknowns();
    Matrix scaled = independent * level_.scales.array.column.head(n).asDiagonal();
    scaled.rowwise().normalize();
    const Eigen::ColPivHouseholderQR<Matrix> factors(scaled);
    for (int k = values_.d + values_.a; k < n; ++k) {
      report.held.push_back(static_cast<int>(factors.colsPermutation().indices()[k]));
    }
    std::sort(report.held.begin(), report.held.end());
    for (const int j : report.held) {
      report.held_unknowns.push_back(point_.unknown_name(j));
    }
  }
  return report;
}

}  // namespace saltus::index

namespace saltus {

bool LeastSquaresReport::contradicts() const {
  // Of a right-hand side that is known to rounding nothing smaller can be said.
  constexpr double kConsistent = 1e-10;
  return ignored > kConsistent;
}

std::string LeastSquaresReport::text() const {
  std::string text;
  if (!ignored_equations.empty()) {
    text = "equations " + index::quoted_names(ignored_equations);
    text += contradicts() ? " contradict each other (relative size " + number_text(ignored) +
                                "): they hold in the sense of least squares only"
                          : " repeat each other: nothing is lost by ignoring what is too much";
  }
  if (!held_unknowns.empty()) {
    text += (text.empty() ? "" : "; ") + index::quoted_names(held_unknowns) +
            (held_unknowns.size() == 1 ? " is" : " are") + " not determined: held";
  }
  return text;
}

}  // namespace saltus
