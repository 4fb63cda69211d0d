// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "linear/sparse_lu.hpp"
#include "reduction.hpp"
#include "saltus/core/variable_derivatives.hpp"

namespace saltus {

/// The levels of the rows of a reduction, by equation; of what is computed from the solution none.
std::vector<int> levels_of(const Reduction& reduction, EquationDerivatives& equations);

/// How the point of a reduction that was approached last, and its slope, change with what is given:
/// unknowns, numbers and the time.
///
/// The rows F_R(t, z, p) = 0 determine the free columns from the states s: dz = S ds + dz_p, by the
/// implicit function theorem, one factorisation for all directions. Where constraints bind what is
/// given, `find_nearest_point` has chosen s so that
///
///     S(z)' W^-2 (g - x) = 0,    W = weight + |g|.
///
/// Differentiated, that gives ds. The second derivatives in it, those of S, are multiplied by
/// g - x, which is small, and zero where g is consistent: they are taken by differences of the
/// Jacobian.
class PointDerivatives {
 public:
  /// At z of the reduction, which was approached from `given`.
  PointDerivatives(Reduction& reduction, EquationDerivatives& equations, double t, ConstVec given);

  /// `counts`: see `find_nearest_point`; empty: all that is given is kept. For each known, `by` has
  /// the rates of all unknowns, then those of their slopes.
  Eval evaluate(const std::vector<char>& counts, std::vector<double>& by);

 private:
  static Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

  // The rows linearised at a point.
  struct Tangent {
    std::vector<double> z;
    std::vector<double> entries;  // by the columns of the reduction
    Eigen::MatrixXd by_known;     // rows x given numbers and time
    SparseLu<double> lu;          // of the free columns
    Eigen::MatrixXd responses;    // of all columns to the states
  };
  struct Shift {
    const Eigen::VectorXd& z;
    std::size_t known;
    double width;
  };

  std::size_t knowns() const { return given_.size() + numbers_ + 1; }
  void place(ConstVec z);
  Eval linearize(ConstVec z, Tangent& tangent);
  bool factorize(const Tangent& tangent, bool transposed, SparseLu<double>& lu) const;
  void find_responses(Tangent& tangent) const;
  Eigen::VectorXd follow(const Tangent& tangent, std::size_t known) const;
  bool multipliers(const Tangent& tangent, const Eigen::VectorXd& v, Eigen::VectorXd& result) const;
  Eval weighed_rows(const Tangent& at, const Eigen::VectorXd& multipliers, const Shift& shift,
                    Eigen::VectorXd& result);
  Eval bend(const Tangent& at, const Eigen::VectorXd& multipliers, const Eigen::VectorXd& along,
            std::size_t known, Eigen::VectorXd& result);
  Eval nearest(const std::vector<char>& counts, const Tangent& here, Eigen::MatrixXd& moves);

  Reduction& r_;
  EquationDerivatives& equations_;
  double time_;
  ConstVec given_;
  std::size_t numbers_;
  ExtendedSystem known_;        // the same rows, with what is given among their columns
  std::vector<int> row_of_;     // of the reduction's rows in it, or -1
  std::vector<int> column_of_;  // of the reduction's columns in it, or -1
  std::vector<double> point_;   // its columns
  std::vector<double> known_entries_;
};

}  // namespace saltus
