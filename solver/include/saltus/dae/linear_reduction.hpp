// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "saltus/core/derivative_array.hpp"
#include "saltus/dae/index_analysis.hpp"

namespace saltus {

/// A matrix, row by row.
struct DenseMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> entries;
  double operator()(std::size_t i, std::size_t j) const { return entries[i * columns + j]; }
};

/// A linear system in which nothing is hidden:
///
///     E1 x' = A1 x + f1       differential equations
///        0  = A2 x + f2       algebraic equations
///
/// The rows of E1 and A2 together are independent.
struct StrangenessFree {
  DenseMatrix E1;
  DenseMatrix A1;
  std::vector<double> f1;
  DenseMatrix A2;
  std::vector<double> f2;
};

/// What a system with too many or too few equations made necessary.
struct LeastSquaresReport {
  /// 0 = f3 is what contradictory equations leave; it is ignored, that is, they hold only in the
  /// sense of least squares. The size of f3 relative to the right-hand side; 0 for a system that
  /// has a solution.
  double ignored = 0.0;
  /// Equations that take part in the contradiction or repeat others.
  std::vector<std::string> ignored_equations;
  /// One unknown for each that is undetermined; to be held at its value (or chosen by somebody).
  std::vector<int> held;
  std::vector<std::string> held_unknowns;
  /// Whether equations contradict each other by more than rounding.
  bool contradicts() const;
  /// Empty if the system is regular; else a warning in words.
  std::string text() const;
};

/// Linear systems E(t) x' = A(t) x + f(t) of any size and index, reduced as GELDA does it (Kunkel,
/// Mehrmann, Rath, Weickert: GELDA, a software package for the solution of general linear
/// differential-algebraic equations, SIAM J. Sci. Comput. 18, 1997): Z1, Z2 are projections of the
/// equations and of their derivatives, found by singular values at each time.
///
/// *What is valid.* Every Z may be multiplied by a regular matrix without changing the solutions.
/// So any method that fulfils the equations at points of time (BDF, collocation) may use the
/// reduced system at each of its points with whatever basis is found there. What compares matrices
/// of two times (a Newton matrix kept from an earlier point, difference quotients in time) needs
/// bases that are smooth. They are here: scales are kept from the first time, each basis is
/// rotated to lie nearest to its first one, and the range of each is smooth as long as the
/// characteristic values do not change. `anchor` starts afresh when a basis has turned far.
class LinearReduction {
 public:
  /// The system must be linear in x, x': the derivatives may depend on the time alone, which is
  /// not checked. It must outlive this object. Analyses at t; throws as `analyze_index`.
  LinearReduction(DerivativeArray& system, double t, const IndexOptions& options = {});
  ~LinearReduction();
  LinearReduction(LinearReduction&&) noexcept;
  LinearReduction& operator=(LinearReduction&&) noexcept;

  const CharacteristicValues& values() const;
  /// Throws `DaeError` (`index_changed`) with old and new values if they are not those of the
  /// start any more.
  StrangenessFree at(double t);
  /// New scales and bases at t.
  void anchor(double t);
  /// At the time of the latest call of `at` or `anchor`.
  LeastSquaresReport report() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A second-order system in which nothing is hidden:
///
///     M1 x'' + C1 x' + K1 x = f1        d2 equations
///              C2 x' + K2 x = f2        d1
///                      K3 x = f3        a
struct ReducedSecondOrder {
  DenseMatrix M1, C1, K1;
  std::vector<double> f1;
  DenseMatrix C2, K2;
  std::vector<double> f2;
  DenseMatrix K3;
  std::vector<double> f3;
};

/// Linear systems M(t) x'' + C(t) x' + K(t) x = f(t) of any size and index, reduced as they stand
/// (Wunderlich: Analysis and Numerical Solution of Structured and Switched Differential-Algebraic
/// Systems, TU Berlin 2008, Theorem 3.21). To write v = x' for all unknowns first would raise the
/// index and ask for more derivatives of f. What `LinearReduction` says about bases holds here.
class SecondOrderReduction {
 public:
  SecondOrderReduction(DerivativeArray& system, double t, const IndexOptions& options = {});
  ~SecondOrderReduction();
  SecondOrderReduction(SecondOrderReduction&&) noexcept;
  SecondOrderReduction& operator=(SecondOrderReduction&&) noexcept;

  const CharacteristicValues& values() const;
  ReducedSecondOrder at(double t);
  /// The system as one of first order with as few new unknowns as possible, d2 of them: w = M1 x'
  /// stands before x, and
  ///
  ///     w' + (C1 - M1') x' = -K1 x + f1,   M1 x' = w,   C2 x' = -K2 x + f2,   0 = -K3 x + f3.
  ///
  /// It is strangeness-free, of 2 d2 + d1 differential equations, and needs no derivative of f
  /// beyond those of the reduction (Wunderlich, section 3.3; with w = M1 x' in the place of
  /// v = Q1^T x', so that no derivative of an orthogonal basis is needed). Z0 stays what it was at
  /// the anchor, so that M1' = Z0^T M'.
  StrangenessFree trimmed_form(double t);
  /// The unknowns whose velocity enters w: those that need a start value for it.
  std::vector<int> with_velocity(double t);
  void anchor(double t);
  LeastSquaresReport report() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
