// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "dae/index/linear_projection.hpp"
#include "saltus/core/derivative_array.hpp"
#include "saltus/core/linearization.hpp"

namespace saltus {

/// A linear system with too many or too few equations as the nearest one that is solvable: n
/// equations in n unknowns in which nothing is hidden, with their derivatives by time.
///
///     Z1^T (E x' - A x - f) = 0,   Z2^T (derivative array without derivatives) = 0,   x_held' = 0
///
/// The projections are those of `LinearReduction` at each time. Their Taylor coefficients follow
/// from what defines them: Z^T B = 0 gives Z_k^T B_0 = -(Z_0^T B_k + ... + Z_(k-1)^T B_1), which
/// has a solution as long as the rank of B does not change. They are a basis of the right space and
/// as good as any other, see `LinearReduction`.
class SolvableArray final : public DerivativeArray, public Linearization {
 public:
  /// Analyses the system at t. `steady`: only the right-hand side depends on time.
  SolvableArray(DerivativeArray& system, bool steady, double t, const IndexOptions& options);

  std::size_t equations() const override { return unknowns(); }
  std::size_t unknowns() const override { return system_.unknowns(); }
  std::size_t order() const override { return 1; }
  std::string equation_name(std::size_t i) const override;
  std::span<const Entry> entries() const override { return entries_; }
  Eval values(double t, double scale, std::size_t degree, ConstVec c, Vec F) override;
  Eval linearize(double t, double scale, std::size_t degree, ConstVec c, Vec a) override;

  const Pattern& pattern() override { return pattern_; }
  Eval evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) override;

  const CharacteristicValues& values() const { return projection_.values(); }
  LeastSquaresReport report(double t);

 private:
  using Matrix = index::Matrix;
  using Vector = index::Vector;

  /// P x' + Q x + g = 0 near t, by coefficients in the time unit of the analysis.
  struct Expansion {
    double t = 0.0;
    std::vector<Matrix> P, Q;
    std::vector<Vector> g;
  };
  /// The system itself near t, likewise: its array, without and with the unknowns' part.
  struct GivenSeries {
    std::vector<Matrix> array;
    std::vector<Vector> rest;
  };

  const Expansion& expansion(double t, std::size_t degree);
  Expansion expand(double t, int degree);
  GivenSeries given_series(double t, int degree);
  std::vector<Matrix> differential_basis(const std::vector<Matrix>& algebraic, int degree);
  LeastSquaresReport present_report();
  void require_same_values(double t, const IndexOptions& options) const;
  void make_entries();

  DerivativeArray& system_;
  bool steady_;
  double tolerance_;
  index::LinearProjection projection_;
  double scale_;  ///< the unit of time in which ranks were decided
  std::vector<int> held_;
  std::vector<Entry> entries_;
  Pattern pattern_;
  std::vector<Expansion> known_;
  std::size_t oldest_ = 0;
};

}  // namespace saltus
