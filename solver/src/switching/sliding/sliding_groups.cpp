// SPDX-License-Identifier: BSD-2-Clause
// A sliding model where more surfaces meet than all combinations of sides are looked at for. They
// come in groups that switch terms of their own, see `Combinations`: which groups these are is
// found out where surfaces are reached, and each decides for itself.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "saltus/core/error.hpp"
#include "sliding_state.hpp"

namespace saltus {

using sliding::Combination;
using sliding::Combinations;
using sliding::CoupledSurfaces;
using sliding::Motion;
using sliding::Point;
using sliding::Side;
using sliding::Surface;

namespace {

constexpr const char* kCoupled = "more than three surfaces meet whose equations are coupled";

std::vector<std::vector<std::size_t>> joined(const std::vector<std::vector<std::size_t>>& groups,
                                             std::size_t a, std::size_t b) {
  std::vector<std::vector<std::size_t>> result;
  std::vector<std::size_t> both;
  const auto has = [](const std::vector<std::size_t>& group, std::size_t j) {
    return std::find(group.begin(), group.end(), j) != group.end();
  };
  for (const auto& group : groups) {
    if (has(group, a) || has(group, b)) {
      both.insert(both.end(), group.begin(), group.end());
    } else {
      result.push_back(group);
    }
  }
  std::sort(both.begin(), both.end());
  result.push_back(std::move(both));
  return result;
}

}  // namespace

// One more surface is reached, the last one. The configurations slid with have been through the
// event and lie beyond it; those before the event, which were kept, lie on the side that the motion
// came from. What is not needed of them shows whether the new surface is a group of its own.
void SlidingModel::State::surround_by_one_more(std::vector<Surface> surfaces,
                                               bool came_from_positive) {
  const std::vector<Configurations::Slot>& low = came_from_positive ? on->slots() : kept;
  const std::vector<Configurations::Slot>& high = came_from_positive ? kept : on->slots();
  const Combinations known = on->combinations();
  const std::size_t m = surfaces.size();
  Combinations combinations = Combinations::all(m);
  if (m > sliding::kMostEnumerated) {
    std::vector<Combination> all;
    for (std::size_t v = 0; v < known.count(); ++v) {
      for (const char positive : {char{0}, char{1}}) {
        all.push_back(known.sides(v));
        all.back().push_back(positive);
      }
    }
    combinations = Combinations::grouped(m, known.groups(), all);
  }
  std::map<Combination, std::size_t> numbers;
  for (std::size_t v = 0; v < known.count(); ++v) {
    numbers.emplace(known.sides(v), v);
  }
  std::vector<Configurations::Slot> slots;
  for (std::size_t v = 0; v < combinations.count(); ++v) {
    Combination own = combinations.sides(v);
    const bool is_high = own.back() != 0;
    own.pop_back();
    slots.push_back((is_high ? high : low)[numbers.at(own)]);
  }
  kept.clear();
  checks_pairs = false;
  meeting->become(std::move(surfaces), std::move(slots), std::move(combinations));
}

// All configurations are forks of one that has been through the event.
void SlidingModel::State::probe_groups(double t, ConstVec y, Configurations::Slot from,
                                       std::vector<std::vector<std::size_t>> groups) {
  if (meeting->aim_by_gradient(t, y) == Eval::discard) {
    throw ModelError("indicators", t, "the switching surfaces that meet here have no gradients");
  }
  std::vector<double> nearest(y.begin(), y.end());
  if (meeting->project(t, nearest, sliding::kBeside) == Eval::discard) {
    nearest.assign(y.begin(), y.end());
  }
  visits.clear();
  const std::size_t m = meeting->size();
  Combinations combinations = Combinations::grouped(
      m, std::move(groups), checks_pairs ? Combinations::pairs(m) : Combinations::checks(m));
  std::vector<Configurations::Slot> slots;
  for (std::size_t v = 0; v < combinations.count(); ++v) {
    sides->configurations().select(from);
    slots.push_back(sides->configurations().fork());
    visits.add(slots.back(), meeting->displaced(nearest, combinations.sides(v), shown));
  }
  std::vector<Surface> surfaces = meeting->surfaces();
  for (Surface& surface : surfaces) surface.evaluated_in = 0;
  meeting->orient(std::move(surfaces));
  meeting->surround(std::move(slots), std::move(combinations));
  stage = Stage::probing;
}

// What belonged to one surface alone where the groups were found may be switched by several later.
bool SlidingModel::State::are_groups_right(const Point& point) {
  std::vector<double> off;
  return !on->is_grouped() || on->check_groups(point, off) == Eval::discard ||
         std::all_of(off.begin(), off.end(), [](double one) { return one <= kSameField; });
}

// Whether the fields are what groups add up to. If not, it is asked again with others.
bool SlidingModel::State::have_right_groups(double t, ConstVec y, const Point& point) {
  const Combinations& combinations = meeting->combinations();
  const auto& groups = combinations.groups();
  std::vector<double> off;
  if (meeting->check_groups(point, off) == Eval::discard) {
    throw ModelError("derivatives", t,
                     "the equations cannot be evaluated on both sides of a switching surface");
  }
  std::vector<std::vector<std::size_t>> found = groups;
  bool right = true;
  for (std::size_t k = 0; k < off.size(); ++k) {
    if (off[k] <= kSameField) continue;
    right = false;
    const Combination check = combinations.sides(combinations.count_of_groups() + k);
    if (std::count(check.begin(), check.end(), 1) != 2) continue;
    const auto first = std::find(check.begin(), check.end(), 1);
    const auto second = std::find(first + 1, check.end(), 1);
    found = joined(found, static_cast<std::size_t>(first - check.begin()),
                   static_cast<std::size_t>(second - check.begin()));
  }
  if (right && !checks_pairs) return true;
  const bool known = found != groups;
  if (!known && (checks_pairs || std::any_of(groups.begin(), groups.end(),
                                             [](const auto& g) { return g.size() > 1; }))) {
    cannot_tell(t, meeting->surfaces(), kCoupled);
  }
  for (const auto& group : found) {
    if (group.size() > sliding::kMostEnumerated) {
      cannot_tell(t, sliding::selected(meeting->surfaces(), group), kCoupled);
    }
  }
  const std::vector<Configurations::Slot> old = meeting->slots();
  checks_pairs = !known;
  probe_groups(t, y, old.front(), std::move(found));
  sides->configurations().select(slot());
  sides->drop_others(old, on->slots());
  return false;
}

// As `leave_out_what_does_not_switch`.
bool SlidingModel::State::leave_out_of_groups(double t, ConstVec y, const Point& point,
                                              EventUpdate& update) {
  const std::size_t n = y.size(), m = meeting->size();
  const Combinations& combinations = meeting->combinations();
  double largest = 0.0;
  for (std::size_t k = 0; k < combinations.count_of_groups() * n; ++k) {
    largest = std::max(largest, std::fabs(point.fields[k]) / sides->nominals()[k % n]);
  }
  std::vector<char> is_switched(m, 0);
  for (std::size_t g = 0; g < combinations.groups().size(); ++g) {
    const auto& group = combinations.groups()[g];
    const auto number = [&](std::size_t own) {
      return own == 0 ? 0 : combinations.first_of(g) + own - 1;
    };
    for (std::size_t own = 0; own < std::size_t{1} << group.size(); ++own) {
      for (std::size_t b = 0; b < group.size(); ++b) {
        const std::size_t v = number(own), other = number(own ^ (std::size_t{1} << b));
        for (std::size_t i = 0; i < n && is_switched[group[b]] == 0; ++i) {
          is_switched[group[b]] = std::fabs(point.fields[v * n + i] - point.fields[other * n + i]) >
                                          kSameField * largest * sides->nominals()[i]
                                      ? 1
                                      : 0;
        }
      }
    }
  }
  if (std::count(is_switched.begin(), is_switched.end(), 0) == 0) {
    return false;
  }
  std::vector<Surface> surfaces;
  Combination own;
  for (std::size_t j = 0; j < m; ++j) {
    if (is_switched[j] == 0) {
      left_out.push_back(meeting->surfaces()[j].indicator);
      continue;
    }
    surfaces.push_back(meeting->surfaces()[j]);
    surfaces.back().evaluated_in = 0;
    own.push_back(own_sides[j]);
  }
  sides->configurations().select(slot());
  sides->drop_others(meeting->slots(), {slot()});
  meeting->become(std::move(surfaces), {slot()});
  if (meeting->size() > 0) {
    probe(t, y, std::move(own));
    update.iterate = stage == Stage::probing;
  }
  return true;
}

void SlidingModel::State::decide_in_groups(double t, Vec y, bool arrived, EventUpdate& update) {
  const std::size_t m = meeting->size();
  const auto [hides_sides, gram] = dependence(t, y);
  if (hides_sides && !take_sides()) {
    cannot_tell(t, meeting->surfaces(),
                "some of these surfaces follow from the others, so that not all of their sides can "
                "be asked for");
  }
  Point point;
  if (meeting->evaluate(t, y, point) == Eval::discard) {
    throw ModelError("derivatives", t,
                     "the equations cannot be evaluated on both sides of a switching surface");
  }
  if (initial && stage == Stage::probing && leave_out_of_groups(t, y, point, update)) {
    return;
  }
  if (!have_right_groups(t, y, point)) {
    update.iterate = true;
    return;
  }
  Motion motion;
  motion.sides.resize(m);
  if (!gram.empty()) motion.given.assign(m, std::numeric_limits<double>::quiet_NaN());
  for (const CoupledSurfaces& coupled :
       sliding::coupled_surfaces(meeting->combinations(), point.rates)) {
    const Motion own = coupled_motion(t, coupled, point, gram, arrived);
    for (std::size_t k = 0; k < coupled.surfaces.size(); ++k) {
      motion.sides[coupled.surfaces[k]] = own.sides[k];
      if (!own.given.empty()) motion.given[coupled.surfaces[k]] = own.given[k];
    }
  }
  adopt(t, y, motion, arrived, update);
}

// How the motion goes on as far as surfaces are concerned that act on each other and on no others.
Motion SlidingModel::State::coupled_motion(double t, const CoupledSurfaces& coupled,
                                           const Point& point, std::span<const double> gram,
                                           bool arrived) {
  const std::size_t m = meeting->size(), s = coupled.surfaces.size();
  const bool few = s <= sliding::kMostEnumerated;
  const auto where = [&] { return sliding::selected(meeting->surfaces(), coupled.surfaces); };
  if (!coupled.own_terms && !few) cannot_tell(t, where(), kCoupled);
  std::vector<char> located(s, 0);
  std::vector<Side> after;
  std::vector<std::size_t> order(s);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> products;
  const std::vector<Side> all_after = sides_left(m);
  for (const std::size_t j : coupled.surfaces) {
    if (stage == Stage::leaving) located[after.size()] = exits[j];
    after.push_back(all_after[j]);
    for (const std::size_t k : coupled.surfaces) {
      if (!gram.empty()) products.push_back(gram[j * m + k]);
    }
  }
  const sliding::OwnTerms terms =
      sliding::own_terms_of(meeting->combinations(), point.rates, coupled);
  if (!gram.empty() && sliding::independent(products, s, order).size() < s) {
    std::vector<Motion> motions;
    if (coupled.own_terms) motions = sliding::dependent_motion(terms, products, after);
    if (motions.empty()) {
      cannot_tell(
          t, where(),
          coupled.own_terms
              ? "surfaces meet that follow from each other, and no motion is found"
              : "surfaces meet that follow from each other and whose equations are coupled");
    }
    return motions.front();
  }
  std::vector<double> rates;
  if (few) rates = sliding::enumerated_rates(meeting->combinations(), point.rates, coupled);
  for (std::size_t v = 0; s == 1 && v < 2; ++v) {
    // What has just been located as zero is zero.
    if ((located[0] >> v & 1) != 0) rates[v] = 0.0;
  }
  std::vector<Motion> motions =
      few ? sliding::possible_motions(s, rates) : sliding::own_terms_motion(terms);
  if (s > 1) {
    std::erase_if(motions, [&](const Motion& one) { return stays_where_it_exits(one, located); });
  }
  if (motions.empty() && stage == Stage::leaving) {
    Motion exit;
    if (few ? sliding::weigh(rates, after, exit) : sliding::weigh_own_terms(terms, after, exit)) {
      motions.push_back(std::move(exit));
    }
  }
  if (motions.size() == 1) return motions.front();
  if (arrived && coupled.surfaces.back() >= on->size()) {
    // As near to tangential as that, the model's own answer counts: the surface is crossed.
    Motion over, weighed;
    const Motion all = crossing();
    for (const std::size_t j : coupled.surfaces) over.sides.push_back(all.sides[j]);
    const bool alone = coupled.surfaces.front() >= on->size();
    if (alone || !few ||
        (sliding::weigh(rates, over.sides, weighed) && sliding::attracts(rates, weighed))) {
      return over;
    }
  }
  const char* const why = motions.empty() ? "no motion on it or off it is consistent"
                                          : "the motion may leave it to either side";
  if (grazes(point)) {
    cannot_tell(t, where(), why);
  }
  not_unique(t, where(), why);
}

}  // namespace saltus
