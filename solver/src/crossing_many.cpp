// SPDX-License-Identifier: BSD-2-Clause
// What is asked of all indicators in every step, of which there may be ten thousand.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "all_of.hpp"
#include "crossing.hpp"

namespace saltus {
namespace {

// A step before that was longer or shorter than this one by more than this factor tells nothing.
constexpr double kLeastHistory = 0.05;
constexpr double kLeast = std::numeric_limits<double>::min();

// As seen from a domain, what is surely inside: zero is not in the upper one.
Pair least_inside(Pair side) { return side > 0.0 ? Pair{kLeast, kLeast} : Pair{0.0, 0.0}; }

constexpr auto stays = [](Pair z, Pair side) { return ~((z > 0.0) ^ (side > 0.0)); };

}  // namespace

bool CrossingLocator::any_of_many_leaves(const double* z) const {
  return !all_of(indicators_, stays, z, side_.data());
}

// Whether every indicator has gone on as in the step before: whether both ends of this step lie
// farther from zero than four times what a parabola through them and the beginning of the step
// before bends between them, and one that came nearer would not have reached zero at twice that
// pace: if it would have and has not it has turned, and where, nobody knows. (A function that bends
// only towards its domain lies above its chords prolonged, and cannot touch zero before they do;
// twice is for those that come faster and faster.) Where a whole block is farther from zero than it
// moves in a step that is sure without a parabola for each.
bool CrossingLocator::keeps_its_course() {
  const double ratio = length_before_ / integrator_.length();
  if (!(ratio > kLeastHistory && ratio * kLeastHistory < 1.0)) {
    blocks_known_ = false;
    return false;
  }
  // After a longer step the parabola would bend less than the indicators may do.
  const double inverse = 1.0 / ratio, scale = 1.0 / (1.0 + std::min(ratio, 1.0));
  if (indicators_ == 1) {
    const double a = z_before_[0], b = nodes_[0].z[0], c = nodes_[end_].z[0], side = side_[0];
    const double bend = std::fabs((c - b) - (b - a) * inverse) * scale;
    const double least = side > 0.0 ? kLeast : 0.0;
    return std::min(side * b, side * c) >= bend + least &&
           side * (b + kFaster * (b - a) * inverse) >= least;
  }
  const auto goes_on = [=](Pair a, Pair b, Pair c, Pair side) {
    const Pair at_that_pace = (b - a) * inverse;
    const Pair bend = magnitude((c - b) - at_that_pace) * scale;
    return smaller(smaller(side * b, side * c) - bend, side * (b + kFaster * at_that_pace)) >=
           least_inside(side);
  };
  const double *a = z_before_, *b = nodes_[0].z, *c = nodes_[end_].z, *side = side_.data();
  bool all = true;
  std::size_t begin = 0;
  for (Block* block = blocks_.data(); begin + kBlock <= indicators_; ++block, begin += kBlock) {
    const Block before = *block;
    *block = summary(b + begin, c + begin, side + begin);
    const double at_that_pace = before.moved * inverse;
    const double bend = std::max((block->moved + at_that_pace) * scale, kFaster * at_that_pace);
    const bool far = blocks_known_ && std::min(block->distance, before.distance) >= bend + kLeast;
    all = all && (far || all_of(kBlock, goes_on, a + begin, b + begin, c + begin, side + begin));
  }
  blocks_known_ = true;
  return all && all_of(indicators_ - begin, goes_on, a + begin, b + begin, c + begin, side + begin);
}

// Whether any indicator has left its domain at the end of the step.
bool CrossingLocator::leaves_at_end() const {
  if (!blocks_known_) {
    return any_leaves(nodes_[end_].z);
  }
  const double *z = nodes_[end_].z, *side = side_.data();
  std::size_t begin = 0;
  for (const Block* block = blocks_.data(); begin + kBlock <= indicators_;
       ++block, begin += kBlock) {
    if (!(block->distance > 0.0) && !all_of(kBlock, stays, z + begin, side + begin)) {
      return true;
    }
  }
  return !all_of(indicators_ - begin, stays, z + begin, side + begin);
}

// How far from zero the indicators of a block end a step, at least, and how far they have moved, at
// most; not a number if one of them is not.
CrossingLocator::Block CrossingLocator::summary(const double* from, const double* to,
                                                const double* side) {
  // In two halves, so that one minimum need not wait for the other.
  struct Half {
    Pair distance = {kNever, kNever}, moved = {0.0, 0.0};
    PairMask numbers = {-1, -1};
  } even, odd;
  const auto take = [&](Half& half, std::size_t i) {
    const Pair end = pair_at(to + i);
    half.distance = smaller(half.distance, end * pair_at(side + i));
    half.moved = larger(half.moved, magnitude(end - pair_at(from + i)));
    half.numbers &= end == end;
  };
#pragma GCC unroll 4
  for (std::size_t i = 0; i < kBlock; i += 4) {
    take(even, i);
    take(odd, i + 2);
  }
  if (!both(even.numbers & odd.numbers)) {
    return {};
  }
  return {.distance = smaller_of(smaller(even.distance, odd.distance)),
          .moved = larger_of(larger(even.moved, odd.moved))};
}

// Whether every indicator stays farther from zero than a parabola through its three samples could
// bend, eight times over, or does not move at all.
bool CrossingLocator::keeps_away() const {
  const auto away = [](Pair a, Pair b, Pair c, Pair side) {
    const Pair low = smaller(side * a, smaller(side * b, side * c));
    return low >= magnitude(a - 2.0 * b + c) + least_inside(side);
  };
  return all_of(indicators_, away, nodes_[0].z, nodes_[(end_ + 1) / 2].z, nodes_[end_].z,
                side_.data());
}

// Whether an indicator that came towards zero, and might have reached it, is farther off in the
// middle of the step than at its beginning: it has turned soon after that, and the parabola cannot
// tell where.
bool CrossingLocator::has_turned() const {
  if (length_before_ == 0.0) {
    return false;
  }
  const double faster = kFaster * integrator_.length() / length_before_;
  const auto goes_on = [=](Pair a, Pair b, Pair middle, Pair side) {
    return (side * (b + faster * (b - a)) >= 0.0) | (side * (middle - b) <= 0.0);
  };
  return !all_of(indicators_, goes_on, z_before_, nodes_[0].z, nodes_[(end_ + 1) / 2].z,
                 side_.data());
}

// The same at the end: an indicator that might have reached zero in the second half of the step, at
// twice the pace of the first, and is in its domain. Whether one is already on its way back there,
// the slopes tell.
bool CrossingLocator::turns_before_end() {
  const double *a = nodes_[0].z, *b = nodes_[(end_ + 1) / 2].z, *c = nodes_[end_].z;
  const auto goes_on = [=](Pair from, Pair middle, Pair to, Pair side) {
    return (side * (middle + kFaster * (middle - from)) >= 0.0) | (side * to <= 0.0);
  };
  if (all_of(indicators_, goes_on, a, b, c, side_.data())) {
    return false;
  }
  slopes_known_ = 0;
  if (!know_slopes(end_)) {
    return true;
  }
  const auto still_comes = [=](Pair from, Pair middle, Pair to, Pair slope, Pair side) {
    return goes_on(from, middle, to, side) | (side * slope <= 0.0);
  };
  return !all_of(indicators_, still_comes, a, b, c, slopes_.data() + end_ * watched_, side_.data());
}

// Leaves in `suspects_` all indicators for which `may_turn_between` may hold before the node
// `last`, and their neighbours: it would deny the same of the others, each in each interval.
void CrossingLocator::suspect_turns(std::size_t last) {
  if (indicators_ < kBlock) {  // it is asked at once
    suspects_.resize(indicators_);
    std::iota(suspects_.begin(), suspects_.end(), std::size_t{0});
    return;
  }
  suspects_.clear();
  // At the pace before the interval an indicator comes along by pace * (weight * here - before),
  // and from behind it by part * (later - next).
  struct Interval {
    const double *before, *here, *next, *later;
    double pace, weight, part;
  };
  std::array<Interval, kMostIntervals> intervals;
  for (std::size_t k = 0; k < last; ++k) {
    Interval& in = intervals[k];
    const double length = nodes_[k + 1].fraction - nodes_[k].fraction;
    in.here = nodes_[k].z;
    in.next = nodes_[k + 1].z;
    in.weight = 1.0;
    if (k > 0) {
      in.before = nodes_[k - 1].z;
      in.pace = 1.0;
    } else if (length_before_ > 0.0) {
      in.before = z_before_;
      in.pace = length * integrator_.length() / length_before_;
    } else {
      in.before = slopes_.data();
      in.pace = know_slopes(0) ? -length : std::numeric_limits<double>::quiet_NaN();
      in.weight = 0.0;
    }
    std::size_t later = k + 2;
    while (later <= end_ && !knows(later)) {
      ++later;
    }
    if (later <= end_) {
      in.later = nodes_[later].z;
      in.part = length / (nodes_[later].fraction - nodes_[k + 1].fraction);
      continue;
    }
    in.later = in.next;
    in.part = 0.0;
    in.pace *= kFaster;
    if (k == 0 && length_before_ == 0.0) {
      suspects_ = left_over_;  // it does not believe their slopes
    }
  }
  for (std::size_t begin = 0; begin < indicators_; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, indicators_);
    bool all = true;
    for (std::size_t k = 0; k < last && all; ++k) {
      const Interval& in = intervals[k];
      const double pace = in.pace, weight = in.weight, part = in.part;
      const auto keeps_off = [=](Pair before, Pair here, Pair next, Pair later, Pair side) {
        return (side * (here + pace * (weight * here - before)) >= 0.0) &
               (side * (next - part * (later - next)) >= 0.0);
      };
      all = all_of(end - begin, keeps_off, in.before + begin, in.here + begin, in.next + begin,
                   in.later + begin, side_.data() + begin);
    }
    for (std::size_t i = begin; i < end && !all; ++i) {
      suspects_.push_back(i);
    }
  }
}

// Leaves in `suspects_` the indicators whose samples at the nodes from `first` to `last` do not
// show that a polynomial through them keeps away from zero by more than `margin` of its range.
void CrossingLocator::suspect(std::size_t first, std::size_t last, double margin) {
  suspects_.clear();
  const auto check = [&](std::size_t i, auto load) {
    Pair low = load(nodes_[first].z) * load(side_.data());
    Pair high = low, bend = {0.0, 0.0}, rise = {0.0, 0.0};
    for (std::size_t k = first + 1; k <= last; ++k) {
      const Pair step = load(nodes_[k].z) - load(nodes_[k - 1].z);
      bend = k > first + 1 ? bend + magnitude(step - rise) : bend;
      rise = step;
      const Pair w = load(nodes_[k].z) * load(side_.data());
      low = smaller(low, w);
      high = larger(high, w);
    }
    const PairMask away = low > bend + margin * (high - low);
    for (std::size_t k = 0; k < 2 && i + k < indicators_; ++k) {
      if (away[k] == 0) {
        suspects_.push_back(i + k);
      }
    }
  };
  std::size_t i = 0;
  for (; i + 1 < indicators_; i += 2) {
    check(i, [i](const double* z) { return pair_at(z + i); });
  }
  if (i < indicators_) {
    check(i, [i](const double* z) { return Pair{z[i], z[i]}; });
  }
}

}  // namespace saltus
