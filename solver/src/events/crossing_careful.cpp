// SPDX-License-Identifier: BSD-2-Clause
// The careful search for a change of domain: polynomials through the samples of each indicator.
#include <algorithm>
#include <cmath>
#include <utility>

#include "crossing.hpp"

namespace saltus {
namespace {

// A curve that comes nearer to zero than this part of its range is looked at once more.
constexpr double kNearMiss = 0.05;
// Once a sample has shown how far a polynomial is off, so much more is the most it is off
// elsewhere.
constexpr double kCaution = 4.0;
constexpr int kMostLooks = 4;
// A minimum this near to the beginning is what the event there left over.
constexpr double kLeftOver = 1e-6;
// Nearer to each other, samples tell nothing new.
constexpr double kSamePlace = 1e-7;
// Guesses that differ by more than this part of the interval betray a kink.
constexpr double kKink = 0.01;

}  // namespace

// What the natural curve shows is established anew on the refined one, if there is one.
CrossingLocator::Found CrossingLocator::search_carefully() {
  Found found = look_closely();
  if (found != Found::not_evaluable && is_unresolved()) {
    return Found::too_long;
  }
  if (found == Found::crossing && refine_curve()) {
    known_ &= bit(end_);
    inside_ &= bit(end_);
    probed_ = false;
    found = look_closely();
  }
  if (found == Found::crossing) {
    locate(guess_);
    for (int look = 0; look < kMostLooks && changes_before_event(); ++look) {
      --stats.located;
      locate(guess_);
    }
  }
  return found == Found::nothing ? nothing() : found;
}

// Walks from the beginning of the step to the first node that has left its domain, then looks
// between the nodes before. On success `left_` and `right_` enclose the first change.
CrossingLocator::Found CrossingLocator::look_closely() {
  slopes_known_ = 0;
  std::size_t last = 0;
  bool crossed = false;
  while (last < end_ && !crossed) {
    if (!knows(last + 1) && sample(nodes_[last + 1]) == Eval::discard) {
      good_fraction_ = nodes_[last].fraction;
      bad_fraction_ = nodes_[last + 1].fraction;
      std::swap(nodes_[end_].z, nodes_[last].z);
      forget();
      return Found::not_evaluable;
    }
    know(++last);
    crossed = (inside_ & bit(last)) == 0 && any_leaves(nodes_[last].z);
  }
  if (options_.detection != Detection::ends && dips(last)) {
    return Found::crossing;
  }
  if (!crossed) {
    return Found::nothing;
  }
  copy(nodes_[last - 1], left_);
  copy(nodes_[last], right_);
  guess_ = first_guess(last);
  if (probed_ && probe_.fraction > left_.fraction && probe_.fraction < right_.fraction) {
    std::swap(any_leaves(probe_.z) ? right_ : left_, probe_);
  }
  return Found::crossing;
}

// The indicator as seen from its domain, where it is positive, through all samples of the piece
// that begins at `first`.
SampledPolynomial CrossingLocator::polynomial(std::size_t i, std::size_t first,
                                              std::size_t last) const {
  SampledPolynomial p;
  const std::size_t end = std::min(first + kPiece, end_);
  for (std::size_t k = first; k <= end; ++k) {
    if (k <= last || knows(k)) {
      p.add(nodes_[k].fraction, side_[i] * nodes_[k].z[i]);
    }
  }
  return p;
}

bool CrossingLocator::dips(std::size_t last) {
  double best = 2.0;
  std::size_t which = 0;
  find_near_blocks(last, kNearMiss);
  for (std::size_t first = 0; first < last && nodes_[first].fraction < best; first += kPiece) {
    const std::size_t end = std::min(last, first + kPiece);
    suspect(first, end, kNearMiss);
    for (const std::size_t i : suspects_) {
      which = dips(i, first, end, best) ? i : which;
    }
  }
  for (std::size_t k = 0; k < last && nodes_[k].fraction < best; ++k) {
    const Interval at = interval(k);
    for (const std::size_t begin : near_) {
      const std::size_t end = end_of_block(begin);
      if (none_may_turn(at, begin, end)) {
        continue;
      }
      for (std::size_t i = begin; i < end; i += 2) {
        const PairMask may = may_turn(at, i, PairMask{-1, i + 1 < end ? -1 : 0});
        for (std::size_t j = 0; j < 2; ++j) {
          which = may[j] != 0 && turns_between(i + j, k, best) ? i + j : which;
        }
      }
    }
  }
  if (parts_ > 0 && changes_between_parts(last, best)) {
    note_changed(right_.z);
    which = changed_.front();
  }
  if (best > 1.0) {
    return false;
  }
  std::size_t before = 0;
  while (nodes_[before + 1].fraction < best) {
    ++before;
  }
  copy(nodes_[before], left_);
  go_before_turn(which);
  guess_ = 0.5 * (left_.fraction + right_.fraction);
  if (leaves(which, right_.z[which])) {
    SampledPolynomial p = polynomial(which, before - before % kPiece, last);
    p.add(right_.fraction, side_[which] * right_.z[which]);
    guess_ = root_between(p, left_.fraction, right_.fraction);
  }
  return true;
}

// Whether something changes, earlier than at `best`, where the polynomial of indicator i comes near
// to zero between the nodes `first` and `last`; `right_` is then a sample where it has.
bool CrossingLocator::dips(std::size_t i, std::size_t first, std::size_t last, double& best) {
  double low = kNever, high = -kNever;
  for (std::size_t k = first; k <= last; ++k) {
    const double w = side_[i] * nodes_[k].z[i];
    low = std::min(low, w);
    high = std::max(high, w);
  }
  double bound = kNearMiss * (high - low);
  SampledPolynomial p = polynomial(i, first, last);
  double from = nodes_[first].fraction;
  const double to = nodes_[last].fraction;
  double former = -1.0;
  for (int look = 0; look < kMostLooks && p.size() < SampledPolynomial::kMost; ++look) {
    const auto place = FirstMinimum(p, bound).in(from, to);
    if (!place || *place >= best || std::fabs(*place - former) < kSamePlace) {
      return false;
    }
    if (*place < kLeftOver) {
      from = kLeftOver;
      continue;
    }
    middle_.fraction = former = *place;
    if (sample(middle_) == Eval::discard) {
      return false;
    }
    if (any_leaves(middle_.z)) {
      best = *place;
      std::swap(right_, middle_);
      return true;
    }
    const double w = side_[i] * middle_.z[i];
    bound = std::min(bound, kCaution * std::fabs(w - p(*place).value));
    p.add(*place, w);
  }
  return false;
}

// Where the earliest changed indicator vanishes on a polynomial through the nodes: nearly exact at
// once for a smooth one. Where one through all nodes and one through the last three disagree, there
// is a kink and the nearer nodes know better.
double CrossingLocator::first_guess(std::size_t last) const {
  const double left = nodes_[last - 1].fraction, right = nodes_[last].fraction;
  double earliest = right;
  for (std::size_t i = 0; i < indicators_; ++i) {
    if (!leaves(i, nodes_[last].z[i])) {
      continue;
    }
    const std::size_t first = (last - 1) - (last - 1) % kPiece;
    double root = root_between(polynomial(i, first, last), left, right);
    if (last - first > 2) {
      SampledPolynomial near;
      for (std::size_t k = last - 2; k <= last; ++k) {
        near.add(nodes_[k].fraction, nodes_[k].z[i]);
      }
      const double nearer = root_between(near, left, right);
      root = std::fabs(root - nearer) < kKink * (right - left) ? root : nearer;
    }
    earliest = std::min(earliest, root);
  }
  return earliest;
}

}  // namespace saltus
