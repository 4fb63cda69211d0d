// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>

#include "saltus/core/model.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

class DerivativeArray;

/// The solution of a model's equations as a power series: what `Taylor` integrates with.
class SolutionSeries {
 public:
  virtual ~SolutionSeries() = default;

  /// The solution through (t, y): y_i(t + scale * tau) = sum of c[k * n + i] tau^k, k = 0 ...
  /// degree. First y is moved onto the surface of the solutions where it is not there yet (see
  /// `Model::project`). Unknowns that never occur differentiated may lack the last coefficients,
  /// which are zero then.
  virtual Eval expand(double t, Vec y, double scale, std::size_t degree, Vec c) = 0;

  /// The nominal values of all unknowns, also of those that `Model::nominals` excludes from the
  /// control of errors by infinity: their series, too, has to converge. Leaves `y` as it is where
  /// nothing else is known.
  virtual void nominals(Vec) const {}
};

/// Of y' = f(t, y), written as equations y' - f = 0 in the order of the unknowns; null if the
/// array does not offer their series. It must outlive the result.
std::unique_ptr<SolutionSeries> explicit_series(DerivativeArray& array);

}  // namespace saltus
