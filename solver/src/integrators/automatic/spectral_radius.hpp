// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "saltus/core/model.hpp"

namespace saltus {

/// The spectral radius of df/dy of an explicit model, from a few evaluations: von Mises' power
/// iteration on differences of f (Sommeijer, Shampine, Verwer: RKC, J. Comput. Appl. Math. 88,
/// 1998, section 3). The direction is kept from one estimate to the next, so that few iterations
/// are enough.
class SpectralRadius {
 public:
  /// At (t, y), where unknown i is of the size `sizes[i]`; infinite where f cannot be evaluated.
  /// `evaluations` grows by what was needed.
  double estimate(Model& model, double t, ConstVec y, ConstVec sizes, std::size_t& evaluations);

 private:
  double norm(const std::vector<double>& v, ConstVec sizes) const;

  std::vector<double> direction_, slope_, point_, shifted_;
};

}  // namespace saltus
