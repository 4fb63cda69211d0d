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
namespace {

// Secants multiply the digits by 1.6: from one of a polynomial, eight rounds lead to all of them.
constexpr int kMostPartLooks = 10;
// Nearer to each other, samples tell nothing new.
constexpr double kSamePlace = 1e-14;

}  // namespace

// Whether parts change once in this step at most, and the others keep away from zero by the same
// tests as indicators do.
bool CrossingLocator::all_parts_are_calm(Seen by) const {
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
      if (!(std::min(side * begin, side * end) >= bend &&
            side * (begin + kFaster * at_that_pace) >= 0.0)) {
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
    const Interval at = interval(k);
    for (std::size_t i = indicators_; i < watched_; ++i) {
      side_[i] = nodes_[k].z[i] > 0.0 ? 1.0 : -1.0;
      if (leaves(i, nodes_[k + 1].z[i])) {
        const SampledPolynomial p = polynomial(i, k - k % kPiece, last);
        part_changes_.push_back(
            {i, k, root_between(p, nodes_[k].fraction, nodes_[k + 1].fraction)});
      } else if (may_turn(at, i, PairMask{-1, 0})[0] != 0) {
        found = turns_between(i, k, best) || found;
      }
    }
  }
  std::sort(part_changes_.begin(), part_changes_.end(),
            [](const PartChange& a, const PartChange& b) { return a.fraction < b.fraction; });
  for (std::size_t j = 0; j + 1 < part_changes_.size(); ++j) {
    if (is_seen_between(part_changes_[j], part_changes_[j + 1], last)) {
      continue;
    }
    if (changes_between(part_changes_[j], part_changes_[j + 1], last, best)) {
      return true;
    }
  }
  return found;
}

// Whether a node between both changes has shown the indicators already.
bool CrossingLocator::is_seen_between(const PartChange& a, const PartChange& b,
                                      std::size_t last) const {
  return std::any_of(
      nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(last),
      [&](const Sample& node) { return node.fraction > a.fraction && node.fraction < b.fraction; });
}

// The polynomials tell to some digits where parts change; the time between two changes may be
// shorter. A sample in the middle tells both anew, first by the slopes of the polynomials, then by
// those of secants: where a step reaches far beyond, the polynomials have no digit right.
bool CrossingLocator::changes_between(PartChange a, PartChange b, std::size_t last, double& best) {
  double middle = 0.5 * (a.fraction + b.fraction);
  spare_.fraction = -1.0;  // the look before
  for (int look = 0; look < kMostPartLooks; ++look) {
    if (!(middle > nodes_[a.node].fraction && middle < nodes_[b.node + 1].fraction &&
          middle < best)) {
      return false;
    }
    middle_.fraction = middle;
    if (sample(middle_) == Eval::discard) {
      return false;
    }
    if (any_leaves(middle_.z)) {
      best = middle;
      std::swap(right_, middle_);
      return true;
    }
    for (PartChange* each : {&a, &b}) {
      const std::size_t i = each->part;
      const double slope =
          spare_.fraction >= 0.0
              ? (middle_.z[i] - spare_.z[i]) / (middle - spare_.fraction)
              : side_[i] * polynomial(i, each->node - each->node % kPiece, last)(middle).slope;
      each->fraction = middle - middle_.z[i] / slope;
    }
    std::swap(spare_, middle_);
    const double next = 0.5 * (a.fraction + b.fraction);
    if (!(std::fabs(next - middle) > kSamePlace)) {
      return false;
    }
    middle = next;
  }
  return false;
}

// Closes the bracket about the first change. Where one part alone changes in it, and one indicator
// with it, that part is located: it has no kink there, as an indicator has that next shows another
// part, and does not come back as soon.
void CrossingLocator::locate(double guess) {
  pursued_ = parts_ > 0 && one_condition_changes() ? part_that_changes() : 0;
  if (pursued_ == 0) {
    close(guess);
    return;
  }
  side_[pursued_] = left_.z[pursued_] > 0.0 ? 1.0 : -1.0;
  copy(left_, kept_left_);
  copy(right_, kept_right_);
  close(part_guess());
  if (changed_.empty()) {  // it is another one, which changes twice
    --stats.located;
    pursued_ = 0;
    std::swap(left_, kept_left_);
    std::swap(right_, kept_right_);
    close(guess);
  }
}

// Whether among the indicators that are beyond in `right_` one alone shows a part; notes which.
bool CrossingLocator::one_condition_changes() {
  std::size_t count = 0;
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (leaves(i, right_.z[i]) && part_shown_by(i) != 0) {
      pursued_for_ = i;
      ++count;
    }
  }
  return count == 1;
}

// The part whose margin is that of indicator i in `right_`; 0 where there is none.
std::size_t CrossingLocator::part_shown_by(std::size_t i) const {
  for (std::size_t part = indicators_; part < watched_; ++part) {
    if (std::fabs(right_.z[part]) == std::fabs(right_.z[i])) {
      return part;
    }
  }
  return 0;
}

// The one part that changes between `left_` and `right_`; 0 where there is none, or several.
std::size_t CrossingLocator::part_that_changes() const {
  std::size_t found = 0;
  for (std::size_t i = indicators_; i < watched_; ++i) {
    if ((left_.z[i] > 0.0) != (right_.z[i] > 0.0)) {
      if (found != 0) {
        return 0;
      }
      found = i;
    }
  }
  return found;
}

// Where the part that is pursued vanishes on a polynomial through its samples.
double CrossingLocator::part_guess() const {
  std::size_t before = 0;
  while (nodes_[before + 1].fraction <= left_.fraction) {
    ++before;
  }
  const std::size_t first = before - before % kPiece;
  SampledPolynomial p = polynomial(pursued_, first, first);
  for (const Sample* end : {&left_, &right_}) {
    if (!p.has(end->fraction)) {
      p.add(end->fraction, side_[pursued_] * end->z[pursued_]);
    }
  }
  return root_between(p, left_.fraction, right_.fraction);
}

// At an event, an indicator that has changed shows the part that did.
void CrossingLocator::pursue_part_of_event() {
  pursued_ = 0;
  for (std::size_t j = 0; pursued_ == 0 && j < changed_.size(); ++j) {
    pursued_for_ = changed_[j];
    pursued_ = part_shown_by(pursued_for_);
  }
  if (pursued_ != 0) {
    side_[pursued_] = right_.z[pursued_] > 0.0 ? -1.0 : 1.0;
  }
}

}  // namespace saltus
