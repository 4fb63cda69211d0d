// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>

#include "saltus/core/linearization.hpp"

namespace saltus::importer {

/// Equations r(y, y') and what an FMU says of their derivatives at a point.
struct ClaimedDerivatives {
  const Pattern& pattern;
  ConstVec by_value, by_slope;
  ConstVec y, yp;
  ConstVec nominals;
  /// So many slopes are arguments of the equations: 0 where these are solved for them.
  std::size_t slopes = 0;
};

/// Whether the derivatives along one direction, not that of any single unknown, are what the
/// equations show: central quotients of two widths, whose difference bounds their error. Also where
/// the equations cannot be evaluated beside the point.
bool derivatives_agree(const ClaimedDerivatives& claimed,
                       const std::function<Eval(ConstVec y, ConstVec yp, Vec r)>& equations);

}  // namespace saltus::importer
