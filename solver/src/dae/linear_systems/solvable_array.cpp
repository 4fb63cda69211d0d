// SPDX-License-Identifier: BSD-2-Clause
#include "solvable_array.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {
namespace {

using index::Matrix;
using index::Vector;

/// The coefficients of Z with Z^T B = 0, from Z_0 and those of B.
std::vector<Matrix> kernel_series(const Matrix& Z0, const std::vector<Matrix>& B,
                                  double threshold) {
  std::vector<Matrix> Z = {Z0};
  if (B.size() < 2 || Z0.cols() == 0 || B[0].cols() == 0) {
    Z.resize(B.size(), Matrix::Zero(Z0.rows(), Z0.cols()));
    return Z;
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors;
  factors.setThreshold(threshold);
  factors.compute(B[0].transpose());
  for (std::size_t k = 1; k < B.size(); ++k) {
    Matrix sum = Matrix::Zero(B[0].cols(), Z0.cols());
    for (std::size_t j = 0; j < k; ++j) {
      sum += B[k - j].transpose() * Z[j];
    }
    Z.push_back(factors.solve(-sum));
  }
  return Z;
}

/// Coefficient k of A^T B.
template <class Right>
Right product(const std::vector<Matrix>& A, const std::vector<Right>& B, std::size_t k) {
  Right sum = A[0].transpose() * B[k];
  for (std::size_t j = 1; j <= k; ++j) {
    sum += A[j].transpose() * B[k - j];
  }
  return sum;
}

}  // namespace

SolvableArray::SolvableArray(DerivativeArray& system, bool steady, double t,
                             const IndexOptions& options)
    : system_(system),
      steady_(steady),
      tolerance_(options.rank_tolerance),
      projection_(system, t, options),
      scale_(projection_.point().scale()) {
  require_same_values(t, options);
  held_ = present_report().held;
  make_entries();
}

// Ranks are taken in a unit of time. What another one would decide otherwise is not decided.
void SolvableArray::require_same_values(double t, const IndexOptions& options) const {
  for (const double factor : {0.1, 10.0}) {
    IndexOptions other = options;
    other.scale = factor * scale_;
    CharacteristicValues there = projection_.values();
    try {
      there = characteristic_values(system_, t, {}, other);
    } catch (const DaeError&) {
      continue;  // less clear there, but not different
    }
    if (there != projection_.values()) {
      throw DaeError(DaeError::Reason::undecided, t, {}, {},
                     "at t = " + number_text(t) +
                         " it cannot be told how many equations of the linear system are "
                         "independent: with " +
                         number_text(scale_) + " as the unit of time they show " +
                         to_string(projection_.values()) + ", with " + number_text(other.scale) +
                         " " + to_string(there) +
                         ". Try units in which coefficients have similar sizes, or remove "
                         "equations that follow from others");
    }
  }
}

// Combinations of equations contain no derivative that none of them has.
void SolvableArray::make_entries() {
  const int n = static_cast<int>(unknowns());
  std::vector<char> differentiated(unknowns(), 0);
  for (const Entry& entry : system_.entries()) {
    differentiated[static_cast<std::size_t>(entry.unknown)] |= entry.order > 0 ? 1 : 0;
  }
  const int d = projection_.values().d;
  const int a = projection_.values().a;
  for (int i = 0; i < d + a; ++i) {
    for (int j = 0; j < n; ++j) {
      entries_.push_back({i, j, 0});
      if (i < d && differentiated[static_cast<std::size_t>(j)] != 0) {
        entries_.push_back({i, j, 1});
      }
    }
  }
  for (std::size_t k = 0; k < held_.size(); ++k) {
    entries_.push_back({d + a + static_cast<int>(k), held_[k], 1});
  }
  pattern_.rows = equations();
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < d + a; ++i) {
      pattern_.row.push_back(i);
    }
    const auto at = std::find(held_.begin(), held_.end(), j);
    if (at != held_.end()) {
      pattern_.row.push_back(d + a + static_cast<int>(at - held_.begin()));
    }
    pattern_.first.push_back(static_cast<int>(pattern_.row.size()));
  }
}

std::string SolvableArray::equation_name(std::size_t i) const {
  const auto d = static_cast<std::size_t>(projection_.values().d);
  const auto a = static_cast<std::size_t>(projection_.values().a);
  return i < d       ? "differential combination " + std::to_string(i + 1)
         : i < d + a ? "algebraic combination " + std::to_string(i - d + 1)
                     : "an undetermined unknown is held";
}

LeastSquaresReport SolvableArray::present_report() {
  const index::Level& level = projection_.level();
  return projection_.report(index::stacked(
      projection_.leading_part(level.differential, projection_.point().derivative_matrix(1)),
      projection_.by_derivative(level.algebraic, 0)));
}

LeastSquaresReport SolvableArray::report(double t) {
  projection_.move(t);
  return present_report();
}

// A coefficient a_k of an entry is a function of time, too, with the Taylor coefficients
// binomial(k + p, p) a_(k + p): so is the whole array.
SolvableArray::GivenSeries SolvableArray::given_series(double t, int degree) {
  const int level = projection_.level().level;
  const int m = static_cast<int>(system_.equations());
  const int n = static_cast<int>(unknowns());
  const auto all = static_cast<std::size_t>(level + degree);
  const auto given = system_.entries();
  const std::vector<double> zero((all + 2 + system_.order()) * unknowns(), 0.0);
  std::vector<double> a((all + 1) * given.size());
  std::vector<double> rest((all + 1) * system_.equations());
  if (system_.linearize(t, scale_, all, zero, a) == Eval::discard ||
      system_.values(t, scale_, all, zero, rest) == Eval::discard) {
    return {};
  }
  GivenSeries series;
  std::vector<double> binomial(all + 1, 1.0);  // (k + p, p), for the present p
  for (int p = 0; p <= degree; ++p) {
    Matrix J = Matrix::Zero((level + 1) * m, (level + 2) * n);
    Vector g((level + 1) * m);
    for (int k = 0; k <= level; ++k) {
      const double factor = binomial[static_cast<std::size_t>(k)];
      for (int i = 0; i < m; ++i) {
        g[k * m + i] = factor * rest[static_cast<std::size_t>((k + p) * m + i)];
      }
      for (std::size_t e = 0; e < given.size(); ++e) {
        const auto [row, unknown, q] = given[e];
        const double value = factor * a[static_cast<std::size_t>(k + p) * given.size() + e];
        for (int l = q; l - q + k <= level; ++l) {
          J((l - q + k) * m + row, l * n + unknown) += (q == 1 ? l / scale_ : 1.0) * value;
        }
      }
    }
    series.array.push_back(std::move(J));
    series.rest.push_back(std::move(g));
    for (int k = 0; k <= level; ++k) {
      binomial[static_cast<std::size_t>(k)] *= static_cast<double>(k + p + 1) / (p + 1);
    }
  }
  return series;
}

// Z1 spans E T with T the kernel of the algebraic equations; any regular X keeps its range.
std::vector<Matrix> SolvableArray::differential_basis(const std::vector<Matrix>& algebraic,
                                                      int degree) {
  const index::Level& level = projection_.level();
  const auto columns = level.scales.array.column.head(static_cast<Eigen::Index>(unknowns()));
  std::vector<Matrix> scaled;
  for (const Matrix& A2 : algebraic) {
    scaled.push_back((A2 * columns.asDiagonal()).transpose());
  }
  const Matrix kernel =
      index::left_kernel(scaled[0], static_cast<Eigen::Index>(unknowns()) - projection_.values().a);
  const std::vector<Matrix> T = kernel_series(kernel, scaled, tolerance_);
  std::vector<Matrix> E;
  for (int k = 0; k <= degree; ++k) {
    E.push_back((level.scales.leading_row.asDiagonal() *
                 projection_.point().derivative_matrix(1, k) * columns.asDiagonal())
                    .transpose());
  }
  std::vector<Matrix> Z1 = {level.differential};
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors;
  factors.setThreshold(tolerance_);
  factors.compute(product(E, T, 0));
  const Matrix X = factors.solve(level.differential);
  for (std::size_t k = 1; k < E.size(); ++k) {
    Z1.push_back(product(E, T, k) * X);
  }
  return Z1;
}

SolvableArray::Expansion SolvableArray::expand(double t, int degree) {
  if (!steady_) {
    projection_.move(t);
  }
  const GivenSeries given = given_series(t, degree);
  if (given.array.empty()) {
    return {};
  }
  const index::Level& level = projection_.level();
  const auto n = static_cast<Eigen::Index>(unknowns());
  const auto m = static_cast<Eigen::Index>(system_.equations());
  const Eigen::Index d = projection_.values().d;
  const Eigen::Index a = projection_.values().a;
  const auto rows = level.scales.array.row.asDiagonal();

  // What contains derivatives, and what vanishes.
  std::vector<Matrix> by_x, forbidden, whole;
  std::vector<Vector> rest;
  for (std::size_t p = 0; p < given.array.size(); ++p) {
    by_x.push_back(rows * given.array[p].leftCols(n));
    rest.push_back(rows * given.rest[p]);
    whole.push_back(rows * given.array[p] * level.scales.array.column.asDiagonal());
  }
  const bool moves = !steady_ && degree > 0;
  std::vector<Matrix> Y(whole.size(), Matrix::Zero(level.algebraic.rows(), a));
  std::vector<Matrix> Z1(whole.size(), Matrix::Zero(m, d));
  Y[0] = level.algebraic;
  Z1[0] = level.differential;
  if (moves) {
    const std::vector<Matrix> V = kernel_series(level.vanishing, whole, tolerance_);
    for (std::size_t p = 0; p < whole.size(); ++p) {
      Matrix B(whole[p].rows(), whole[p].cols() - n + V[p].cols());
      B << whole[p].rightCols(whole[p].cols() - n), V[p];
      forbidden.push_back(std::move(B));
    }
    Y = kernel_series(level.algebraic, forbidden, tolerance_);
  }

  Expansion result;
  result.t = t;
  std::vector<Matrix> algebraic;
  for (std::size_t k = 0; k < whole.size(); ++k) {
    algebraic.push_back(product(Y, by_x, k));
  }
  if (moves && d > 0) {
    Z1 = differential_basis(algebraic, degree);
  }
  std::vector<Matrix> E, A;
  std::vector<Vector> f;
  const auto leading = level.scales.leading_row.asDiagonal();
  for (int k = 0; k <= degree; ++k) {
    E.push_back(leading * given.array[static_cast<std::size_t>(k)].block(0, n, m, n) * scale_);
    A.push_back(leading * given.array[static_cast<std::size_t>(k)].topLeftCorner(m, n));
    f.push_back(leading * given.rest[static_cast<std::size_t>(k)].head(m));
  }
  for (std::size_t k = 0; k < whole.size(); ++k) {
    Matrix P = Matrix::Zero(n, n);
    Matrix Q = Matrix::Zero(n, n);
    Vector g = Vector::Zero(n);
    P.topRows(d) = product(Z1, E, k);
    Q.topRows(d) = product(Z1, A, k);
    g.head(d) = product(Z1, f, k);
    Q.middleRows(d, a) = algebraic[k];
    g.segment(d, a) = product(Y, rest, k);
    for (std::size_t h = 0; k == 0 && h < held_.size(); ++h) {
      P(d + a + static_cast<Eigen::Index>(h), held_[h]) = 1.0;
    }
    result.P.push_back(std::move(P));
    result.Q.push_back(std::move(Q));
    result.g.push_back(std::move(g));
  }
  return result;
}

// Newton's iterations come back to the same few times: those of the stages of one step.
const SolvableArray::Expansion& SolvableArray::expansion(double t, std::size_t degree) {
  // Three stages, both ends of a step and those of a repeated one; a matter of speed alone.
  constexpr std::size_t kKept = 8;
  for (const Expansion& known : known_) {
    if (known.t == t && known.P.size() > degree) {
      return known;
    }
  }
  Expansion found = expand(t, static_cast<int>(degree));
  if (known_.size() < kKept) {
    known_.push_back(std::move(found));
    return known_.back();
  }
  Expansion& place = known_[oldest_++ % kKept];
  place = std::move(found);
  return place;
}

}  // namespace saltus
