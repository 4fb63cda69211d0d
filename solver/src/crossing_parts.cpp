// SPDX-License-Identifier: BSD-2-Clause
// The comparisons that conditions are made of (`h < 0 && v < 0`), where the model shows them. The
// margin of such a condition is the smallest of those of its parts, or the largest, so that a part
// may fall and rise again unseen behind another one. But a condition can only change where one of
// its parts does: if parts change twice in a step, the indicators are looked at in between.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "crossing.hpp"

namespace saltus {

// Whether parts change once in this step at most, and the others keep away from zero by the same
// tests as indicators do.
bool CrossingLocator::parts_are_calm(Seen by) const {
  bool changed = false;
  const std::size_t middle = (end_ + 1) / 2;
  for (std::size_t i = indicators_; i < watched_; ++i) {
    const double begin = nodes_[0].z[i], end = nodes_[end_].z[i];
    if ((begin > 0.0) != (end > 0.0)) {
      if (std::exchange(changed, true)) {
        return false;
      }
      continue;
    }
    const double side = begin > 0.0 ? 1.0 : -1.0;
    if (by == Seen::middle) {
      const double between = nodes_[middle].z[i];
      const double low = std::min(side * between, std::min(side * begin, side * end));
      if (!(low >= std::fabs(begin - 2.0 * between + end))) {
        return false;
      }
    } else {
      const double ratio = length_before_ / integrator_.length();
      const double at_that_pace = (begin - z_before_[i]) / ratio;
      const double bend = std::fabs((end - begin) - at_that_pace) / (1.0 + std::min(ratio, 1.0));
      if (!(std::min(side * begin, side * end) >= bend && side * (begin + at_that_pace) >= 0.0)) {
        return false;
      }
    }
  }
  return true;
}

// Whether an indicator changes, earlier than at `best`, between two changes of parts before the
// node `last`, or where a part turns near zero; `right_` is then a sample where it has.
bool CrossingLocator::changes_between_parts(std::size_t last, double& best) {
  bool found = false;
  part_changes_.clear();
  for (std::size_t k = 0; k < last && nodes_[k].fraction < best; ++k) {
    for (std::size_t i = indicators_; i < watched_; ++i) {
      side_[i] = nodes_[k].z[i] > 0.0 ? 1.0 : -1.0;
      if (leaves(i, nodes_[k + 1].z[i])) {
        part_changes_.push_back(root_between(polynomial(i, k - k % kPiece, last),
                                             nodes_[k].fraction, nodes_[k + 1].fraction));
      } else if (may_turn_between(i, k)) {
        found = turns_between(i, k, best) || found;
      }
    }
  }
  std::sort(part_changes_.begin(), part_changes_.end());
  for (std::size_t j = 0; j + 1 < part_changes_.size(); ++j) {
    middle_.fraction = 0.5 * (part_changes_[j] + part_changes_[j + 1]);
    if (middle_.fraction >= best) {
      break;
    }
    // A node in between has shown it already.
    const bool is_seen =
        std::any_of(nodes_.begin(), nodes_.begin() + last, [&](const Sample& node) {
          return node.fraction > part_changes_[j] && node.fraction < part_changes_[j + 1];
        });
    if (is_seen) {
      continue;
    }
    if (sample(middle_) == Eval::ok && any_leaves(middle_.z)) {
      best = middle_.fraction;
      std::swap(right_, middle_);
      return true;
    }
  }
  return found;
}

}  // namespace saltus
