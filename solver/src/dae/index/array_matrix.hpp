// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "ranks.hpp"
#include "saltus/core/derivative_array.hpp"

namespace saltus::index {

/// The highest derivative that occurs in the entries, but at least 1, so that a purely algebraic
/// system is a differential one with E = 0.
int occurring_order(const DerivativeArray& array);

/// A derivative array at one time: its coefficients, values and Jacobian as matrices. Columns are
/// sorted by degree: x, then x' * scale, ...; rows by level.
class ArrayPoint {
 public:
  ArrayPoint(DerivativeArray& array, double t, ConstVec c, const IndexOptions& options);

  /// The same place in another unit of time.
  ArrayPoint in_scale(double scale) const;

  int equations() const { return m_; }
  int unknowns() const { return n_; }
  int order() const { return order_; }
  double time() const { return t_; }
  double scale() const { return options_.scale; }
  const IndexOptions& options() const { return options_; }
  DerivativeArray& array() const { return *array_; }
  const std::vector<double>& coefficients() const { return c_; }

  /// Throws `IntegrationError` (`bad_start`), if possible with the name of an equation that is not
  /// finite.
  void require_evaluable();
  /// (level + 1) m by (level + 1 + order) n.
  Matrix jacobian(int level);
  Vector values(int level);
  /// The values with all coefficients zero: what a linear system has without its unknowns.
  Vector values_at_zero(int level);
  /// dF/dx^(q) as it stands in the equations (no Taylor scaling), and its k-th Taylor coefficient.
  Matrix derivative_matrix(int q, int k = 0);
  /// dF/dx^(order) of each entry.
  ConstVec entry_derivatives();
  /// Moves the coefficients as little as possible, and unknowns whose derivatives occur least of
  /// all (they are start values, the others guesses), until the array of
  /// this level vanishes. If that does not succeed, nothing moves, and the answer is false.
  bool solve(int level);

  std::string equation_name(int i) const;
  std::string unknown_name(int j) const;
  /// The names of the equations in which a vector over the rows of the array is large.
  std::vector<std::string> equation_names(const Vector& row_weights) const;

 private:
  ConstVec coefficients_for(int level);
  const std::vector<double>& linearized(int level);

  DerivativeArray* array_;
  double t_;
  IndexOptions options_;
  int m_;
  int n_;
  int order_;
  std::vector<double> c_;
  std::vector<double> taylor_;
  int taylor_level_ = -1;
};

std::string unknown_name(const std::vector<std::string>& names, int j);

}  // namespace saltus::index
