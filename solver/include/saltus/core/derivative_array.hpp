// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "saltus/core/equation_series.hpp"
#include "saltus/core/model.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

/// The equations F(t, x, x', ...) = 0 of a model in the frozen configuration, together with their
/// total derivatives with respect to time up to any level. This is what makes a high index
/// tractable: hidden constraints are found in the derivatives, and nobody has to write them down.
///
/// Everything is in *scaled Taylor coefficients*. With t = t0 + scale * tau, the unknowns are
///
///     x_j(t) = sum over k of c[j][k] tau^k,    c[j][k] = x_j^(k)(t0) scale^k / k!,
///
/// and the equations F_i(t) = sum over k of F[i][k] tau^k. The coefficients c are free: nothing
/// asks that they belong to a solution. A scale near the length of a step keeps them of one size.
///
/// *Shift structure.* Let a[q] be the Taylor coefficients of dF_i/dx_j^(q) along the curve c. Then
///
///     dF[i][k] / dc[j][l] = sum over q of  l!/(l-q)! / scale^q * a[q][k - l + q]
///
/// so that `linearize` describes the Jacobian of the whole array (indices below zero count as
/// zero, and l >= q).
class DerivativeArray {
 public:
  virtual ~DerivativeArray() = default;

  /// Number of equations; it may differ from the number of unknowns.
  virtual std::size_t equations() const = 0;
  virtual std::size_t unknowns() const = 0;
  /// The highest derivative of an unknown that occurs: 1 for F(t, x, x').
  virtual std::size_t order() const = 0;
  /// For messages: what equation i says, as far as it is known.
  virtual std::string equation_name(std::size_t i) const = 0;

  /// dF_row / dx_unknown^(order) is not identically zero.
  struct Entry {
    int row = 0;
    int unknown = 0;
    int order = 0;
  };
  /// All of them, sorted by row, then unknown, then order. They belong to the configuration: valid
  /// until the next event.
  virtual std::span<const Entry> entries() const = 0;

  /// Another one whenever numbers in the equations (parameters, inputs, discrete values) have
  /// changed since.
  virtual std::uint64_t revision() const { return 0; }
  /// Those numbers that the derivatives of the equations by the unknowns depend on: what ranks are
  /// made of. They belong to the present revision.
  virtual ConstVec slope_numbers() const { return {}; }

  /// F[k * equations() + i] for k = 0 ... degree, from c[k * unknowns() + j], k = 0 ... degree +
  /// order().
  virtual Eval values(double t, double scale, std::size_t degree, ConstVec c, Vec F) = 0;
  /// As `values`, but of equation i only F[k * equations() + i] for k = 0 ... level[i] (none for
  /// -1); all else in F is left as it is. The levels asked for are few and repeat. By default, the
  /// values up to the highest level are computed and some copied.
  virtual Eval values_upto(double t, double scale, std::span<const int> level, ConstVec c, Vec F);
  /// The Taylor coefficients of each entry's derivative: a[k * entries().size() + e], k = 0 ...
  /// degree.
  virtual Eval linearize(double t, double scale, std::size_t degree, ConstVec c, Vec a) = 0;

  /// Whether `series` works.
  virtual bool offers_series() const { return false; }
  /// The equations stage by stage up to the last one, for these offsets.
  virtual std::unique_ptr<EquationSeries> series(std::span<const int> equation_offset,
                                                 std::span<const int> unknown_offset,
                                                 int last_stage);
};

}  // namespace saltus
