// SPDX-License-Identifier: BSD-2-Clause
// Stages of a step that lie in other domains than the motion. Equations that are locked as they
// should be are smooth there as well; but somebody else's may take the other branch, and the step
// is then a mixture of both although nothing happened in it (the stage test of DISODE45: Calvo,
// Montijano and Randez, 2016).
#include <utility>

#include "crossing.hpp"

namespace saltus {
namespace {

// A motion along a surface, nearer to it than rounding, has no step whose stages are all beside it.
constexpr std::size_t kMostTimes = 12;

}  // namespace

// After a search that found nothing: whether the step has to be taken again, shorter.
bool CrossingLocator::has_strayed() {
  for (std::size_t i = 0;; ++i) {
    const double fraction = integrator_.stage(i, y_);
    if (fraction == 0.0) {
      break;
    }
    if (evaluate(integrator_.time_at(fraction), y_, middle_.z) == Eval::discard ||
        !any_leaves(middle_.z)) {
      continue;
    }
    if (strayed_times_ == kMostTimes) {
      return false;
    }
    ++strayed_times_;
    ++stats.strayed;
    shorter_length_ = 0.5 * integrator_.length();
    // Whatever comes next begins where this step began.
    std::swap(nodes_[end_].z, nodes_[0].z);
    forget();
    return true;
  }
  strayed_times_ = 0;
  return false;
}

}  // namespace saltus
