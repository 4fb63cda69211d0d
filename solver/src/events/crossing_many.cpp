// SPDX-License-Identifier: BSD-2-Clause
// What is asked of all indicators in every step, of which there may be ten thousand.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/all_of.hpp"
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
bool CrossingLocator::has_turned_since() const {
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
bool CrossingLocator::some_turn_before_end() {
  const double *a = nodes_[0].z, *b = nodes_[(end_ + 1) / 2].z, *c = nodes_[end_].z;
  const auto goes_on = [=](Pair from, Pair middle, Pair to, Pair side) {
    return (side * (middle + kFaster * (middle - from)) >= 0.0) | (side * to <= 0.0);
  };
  if (all_of(indicators_, goes_on, a, b, c, side_.data())) {
    return false;
  }
  if (!know_slopes(end_)) {
    return true;
  }
  const auto still_comes = [=](Pair from, Pair middle, Pair to, Pair slope, Pair side) {
    return goes_on(from, middle, to, side) | (side * slope <= 0.0);
  };
  return !all_of(indicators_, still_comes, a, b, c, slopes_.data() + end_ * watched_, side_.data());
}

// Whether a chord beside the interval that begins at node k, prolonged into it, reaches zero in it.
// Of a function that comes ever faster and leaves ever faster only the one behind it does, of one
// that slows down only the one before; in the first step of a phase that is the tangent, unless
// this one brought the event or is only part of a condition. Where there is none behind, one that
// comes faster and faster may reach zero at twice the pace; where there is none on either side, it
// might. One that went away before and comes nearer now has turned: no chord but its tangent tells
// how fast it comes; at the beginning of the step one that went away may have turned unseen.
//
// Answers for two neighbours at once, where they are `asked` about.
PairMask CrossingLocator::may_turn(const Interval& at, std::size_t i, PairMask asked) {
  const Pair side = pair_at(side_.data() + i), here = pair_at(at.here + i),
             next = pair_at(at.next + i);
  asked &= ~(((here > 0.0) ^ (side > 0.0)) | ((next > 0.0) ^ (side > 0.0)));
  if (!any(asked)) {
    return asked;
  }
  PairMask known = {-1, -1};
  Pair at_that_pace = {0.0, 0.0};
  if (at.before != nullptr) {
    at_that_pace = at.pace * (here - pair_at(at.before + i));
  } else {
    for (std::size_t j = 0; j < 2; ++j) {
      known[j] = asked[j] != 0 && i + j < indicators_ && !is_left_over(i + j) ? -1 : 0;
    }
    known = any(known) && know_slopes(0) ? known : PairMask{0, 0};
    at_that_pace = known ? at.length * pair_at(slopes_.data() + i) : at_that_pace;
  }
  PairMask has_turned = asked & (side * at_that_pace > 0.0);
  if (at.node > 0) {
    has_turned &= side * (next - here) < 0.0;
  }
  if (i < indicators_ && any(has_turned) && know_slopes(at.node)) {
    at_that_pace =
        has_turned ? at.length * pair_at(slopes_.data() + at.node * watched_ + i) : at_that_pace;
  }
  PairMask may = side * (here + at_that_pace) < 0.0;
  if (at.later != nullptr) {
    may |= side * (next - at.part * (pair_at(at.later + i) - next)) < 0.0;
  } else {
    may |= ~known | (side * (here + kFaster * at_that_pace) < 0.0);
  }
  return may & asked;
}

// Whether the samples beside an interval, and the slopes as far as they are known, show of all
// indicators from `begin` to `end` that `may_turn` would say no: some comparisons instead of a call
// for every two. As seen from their domains, where they are positive.
bool CrossingLocator::none_may_turn(const Interval& at, std::size_t begin, std::size_t end) const {
  const bool with_slopes = knows_slopes(at.node);
  if (at.before == nullptr) {
    return with_slopes && at.later != nullptr && none_turns<false, true>(at, begin, end);
  }
  return with_slopes ? none_turns<true, true>(at, begin, end)
                     : none_turns<true, false>(at, begin, end);
}

// For what is known at the beginning of the interval: the sample before, the slopes.
template <bool kBefore, bool kSlopes>
bool CrossingLocator::none_turns(const Interval& at, std::size_t begin, std::size_t end) const {
  const double pace = at.pace, length = at.length, part = at.part;
  const bool has_later = at.later != nullptr;
  const PairMask is_first = at.node == 0 ? PairMask{-1, -1} : PairMask{0, 0};
  const auto keeps_clear = [=](Pair z, Pair z_next, Pair side, Pair z_slope, Pair z_before,
                               Pair z_later) {
    const Pair here = side * z, next = side * z_next;
    const Pair by_slope = kSlopes ? length * (side * z_slope) : here;
    const Pair by_chord = kBefore ? pace * (here - side * z_before) : by_slope;
    const PairMask has_turned = (by_chord > 0.0) & (is_first | (next < here));
    const PairMask shown = kSlopes ? PairMask{-1, -1} : ~has_turned;
    const Pair change = kSlopes ? (has_turned ? by_slope : by_chord) : by_chord;
    const Pair behind = has_later ? next - part * (side * z_later - next) : here + kFaster * change;
    return (shown & (smaller(here + change, behind) >= 0.0)) | (smaller(here, next) < 0.0);
  };
  const double* const here = at.here + begin;
  return all_of(end - begin, keeps_clear, here, at.next + begin, side_.data() + begin,
                kSlopes ? slopes_.data() + at.node * watched_ + begin : here,
                kBefore ? at.before + begin : here, has_later ? at.later + begin : here);
}

// Leaves in `near_` where the blocks begin that may have members of which a look between the
// samples up to the node `last` could find something. Those of the others are farther from zero
// than all that polynomials through the samples, `margin` of their ranges included, and chords and
// tangents prolonged by an interval can make of what they move.
void CrossingLocator::find_near_blocks(std::size_t last, double margin) {
  near_.clear();
  const bool is_first = length_before_ == 0.0;
  const bool known = indicators_ >= kBlock && know_slopes(0);
  const double interval = kFaster * nodes_[1].fraction;
  const double pace = is_first ? 0.0 : interval * integrator_.length() / length_before_;
  std::size_t later = last + 1;
  while (later <= end_ && !knows(later)) {
    ++later;
  }
  const double moves = std::max(kFaster, (2.0 + margin) * static_cast<double>(last));
  const auto is_far = [&](std::size_t begin) {
    const double* side = side_.data() + begin;
    double distance = kNever, moved = 0.0;
    bool numbers = true;
    const auto look = [&](const double* from, const double* to, double factor) {
      const Block block = summary(from + begin, to + begin, side);
      numbers = numbers && block.distance == block.distance;
      distance = std::min(distance, block.distance);
      moved = std::max(moved, factor * block.moved);
    };
    look(is_first ? nodes_[1].z : z_before_, nodes_[0].z, is_first ? moves : pace);
    for (std::size_t k = 1; k <= last; ++k) {
      look(nodes_[k - 1].z, nodes_[k].z, moves);
    }
    if (later <= end_) {
      look(nodes_[last].z, nodes_[later].z, moves);
    }
    const auto is_slow = [=](Pair slope) { return interval * magnitude(slope) <= distance; };
    return numbers && distance >= moved + kLeast && all_of(kBlock, is_slow, slopes_.data() + begin);
  };
  for (std::size_t begin = 0; begin < indicators_; begin += kBlock) {
    if (!known || begin + kBlock > indicators_ || !is_far(begin)) {
      near_.push_back(begin);
    }
  }
}

// Leaves in `suspects_` those in near blocks whose samples at the nodes from `first` to `last` do
// not show that a polynomial through them keeps away from zero by more than `margin` of its range.
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
  for (const std::size_t begin : near_) {
    const std::size_t end = end_of_block(begin);
    std::size_t i = begin;
    for (; i + 1 < end; i += 2) {
      check(i, [i](const double* z) { return pair_at(z + i); });
    }
    if (i < end) {
      check(i, [i](const double* z) { return Pair{z[i], z[i]}; });
    }
  }
}

}  // namespace saltus
