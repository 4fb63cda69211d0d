// SPDX-License-Identifier: BSD-2-Clause
// Which configurations a motion on several surfaces goes on with.
#include <algorithm>
#include <map>

#include "sliding_state.hpp"

namespace saltus {

using sliding::Combination;
using sliding::Combinations;

namespace {

// Checks that need no further configurations, where enough of them are there: of two that differ in
// one surface alone one is taken.
std::vector<Combination> checks_among(const std::vector<Combination>& there, std::size_t surfaces) {
  // As in `Combinations::checks`; those of fewer than four surfaces are among the pairs and single
  // ones already.
  constexpr std::size_t kFew = 6, kLeast = 4;
  std::vector<Combination> wanted = Combinations::checks(surfaces);
  if (surfaces <= kFew) return wanted;
  std::vector<Combination> found;
  for (const Combination& one : there) {
    const auto count = static_cast<std::size_t>(std::count(one.begin(), one.end(), 1));
    if (count >= kLeast && count % 2 == 0) found.push_back(one);
  }
  return 4 * found.size() >= 3 * wanted.size() ? found : wanted;
}

}  // namespace

// Configurations for all combinations of sides with which the motion goes on. False where some have
// to be asked first: forks of one that is there are shown these sides.
bool SlidingModel::State::surround(double t, ConstVec y, Adopted& next) {
  const std::size_t k = next.bits.size();
  const Combinations& known = meeting->combinations();
  std::vector<std::vector<std::size_t>> groups;
  for (const auto& group : known.groups()) {
    std::vector<std::size_t> own;
    for (const std::size_t j : group) {
      const auto found = std::find(next.bits.begin(), next.bits.end(), j);
      if (found != next.bits.end()) {
        own.push_back(static_cast<std::size_t>(found - next.bits.begin()));
      }
    }
    if (!own.empty()) groups.push_back(std::move(own));
  }
  std::map<Combination, std::size_t> numbers;
  std::vector<Combination> there;  // of the surfaces slid on
  for (std::size_t v = 0; v < known.count(); ++v) {
    const Combination own = known.sides(v);
    numbers.emplace(own, v);
    Combination on_these;
    for (const std::size_t j : next.bits) on_these.push_back(own[j]);
    bool fits = true;
    for (std::size_t j = 0, b = 0; j < own.size(); ++j) {
      const bool is_slid_on = b < k && next.bits[b] == j;
      fits = fits && (is_slid_on || own[j] == next.fixed[j]);
      b += is_slid_on ? 1 : 0;
    }
    if (fits) there.push_back(std::move(on_these));
  }
  next.combinations = k > sliding::kMostEnumerated
                          ? Combinations::grouped(k, std::move(groups), checks_among(there, k))
                          : Combinations::all(k);
  visits.clear();
  // On the way to a surface that has been moved away there may be others: only those on which the
  // motion goes on are shown their sides.
  if (next.is_off) {
    beyond->become(next.surfaces, std::vector<Configurations::Slot>(1, meeting->slots().front()));
  }
  const bool dependent = meeting->is_grouped() && dependence(t, y).hides_sides;
  for (std::size_t v = 0; v < next.combinations.count(); ++v) {
    Combination own = next.fixed;
    for (std::size_t b = 0; b < k; ++b) {
      own[next.bits[b]] = next.combinations.is_positive(v, b) ? 1 : 0;
    }
    const auto found = numbers.find(own);
    if (found != numbers.end()) {
      next.slots.push_back(meeting->slots()[found->second]);
      continue;
    }
    sides->configurations().select(meeting->slots().front());
    next.slots.push_back(sides->configurations().fork());
    if (!dependent || !take_sides(next.slots.back(), own)) {
      visits.add(next.slots.back(),
                 next.is_off ? beyond->beside(t, y, next.combinations.sides(v), least_shown())
                             : meeting->beside(t, y, own, least_shown()));
    }
  }
  return visits.all().empty();
}

void SlidingModel::State::after_surrounding(double t, Vec y, EventUpdate& update) {
  if (visits.any_moved()) {
    not_unique(t, meeting->surfaces(), "changing the side moves the states");
  }
  Adopted next = std::move(*adopted);
  adopted.reset();
  const bool settles = next.settles;
  go_on_with(t, y, std::move(next), update);
  if (settles) {
    settle_again(t, y);
    update.iterate = true;
  }
}

}  // namespace saltus
