// SPDX-License-Identifier: BSD-2-Clause
// A sliding model between events: the motion on its surfaces and what is watched there.
#include <algorithm>
#include <cmath>

#include "sliding_state.hpp"

namespace saltus {

using sliding::kBeside;
using sliding::Point;

namespace {

// How often the way back from beyond a surface is corrected.
constexpr int kMostLooks = 5;

}  // namespace

// The integrator asks for a field and the locator then for indicators at the same point, with one
// other point between them at most.
const Point* SlidingModel::State::motion_at(double t, ConstVec y) {
  for (const Point& point : points) {
    if (point.is_at(t, y)) {
      return &point;
    }
  }
  newest_point = 1 - newest_point;
  Point& point = points[newest_point];
  const bool answered = on->combine(t, y, point) == Eval::ok;
  if (on->at_event && stage == Stage::quiet) {
    on->at_event = false;  // the first motion after an event
    sides->forget_fields();
  }
  return answered ? &point : nullptr;
}

// The directions to the surface are differences of fields, which keep constraints to first order:
// what a second order leaves is gone after another round. Then what follows from the other unknowns
// on each side alone is mixed as the motion is.
Eval SlidingModel::State::project_with_constraints(double t, Vec y, double precision) {
  // See above: the second order of what a step leaves is below rounding.
  constexpr int kRounds = 2;
  for (int round = 0; round < kRounds; ++round) {
    sides->configurations().select(slot());
    if (model.project(t, y) == Eval::discard || on->project(t, y, precision) == Eval::discard) {
      return Eval::discard;
    }
  }
  if (motion_at(t, y) == nullptr) return Eval::discard;
  Point& point = points[newest_point].is_at(t, y) ? points[newest_point] : points[1 - newest_point];
  std::vector<double> mixed(y.size(), 0.0), own;
  for (std::size_t v = 0; v < on->slots().size(); ++v) {
    if (!on->is_asked(v)) continue;
    own.assign(y.begin(), y.end());
    sides->configurations().select(on->slots()[v]);
    if (model.project(t, own) == Eval::discard) return Eval::discard;
    for (std::size_t i = 0; i < y.size(); ++i) {
      mixed[i] += point.motion.weights[v] * own[i];
    }
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (sides->reach(i) == 0.0) {
      point.y[i] = y[i] = mixed[i];
    }
  }
  return Eval::ok;
}

Eval SlidingModel::State::own_indicators(double t, ConstVec y, Vec z) {
  if (!look.is_at(t, y)) {
    look.t = t;
    look.y.assign(y.begin(), y.end());
    look.fields.resize(indicators);
    look.known = sides->indicators(slot(), t, y, look.fields) == Eval::ok;
    if (!look.known) return Eval::discard;
    read_parts();
  }
  std::copy(look.fields.begin(), look.fields.end(), z.begin());
  std::fill(z.begin() + static_cast<std::ptrdiff_t>(indicators), z.end(), 1.0);
  apply_holds(z);
  return Eval::ok;
}

void SlidingModel::State::read_parts() {
  if (hints != nullptr) {
    const ConstVec own = hints->parts();
    parts.assign(own.begin(), own.end());
  }
}

Eval SlidingModel::State::free_indicators(double t, ConstVec y, Vec z) {
  if (own_indicators(t, y, z) == Eval::discard) return Eval::discard;
  need_domains(t, y);
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    if (is_shifted(i)) {
      z[i] = (domains[i] != 0 ? z[i] : -z[i]) + shift_of(i, look.fields[i]);
    }
  }
  return Eval::ok;
}

void SlidingModel::State::freeze(double t, ConstVec y) {
  if (in_event_mode) {
    sides->configurations().select(slot());
    model.enter_continuous_mode(t, y);
    in_event_mode = false;
  }
}

// Each indicator of the wrapped model is positive as long as every configuration is in its domain.
// Then, two a surface: how strongly its positive and its negative side push towards it; on several
// surfaces, how large the shares of both sides are.
Eval SlidingModel::State::sliding_indicators(double t, ConstVec y, Vec z) {
  need_domains(t, y);
  find_conditions_on_surfaces(t, y);
  std::fill(z.begin(), z.end(), 1.0);
  std::vector<double> own(indicators);
  const std::size_t looks = same_indicators && !any_joined ? 1 : on->slots().size();
  for (std::size_t v = 0; v < looks; ++v) {
    if (indicators_of_side(v, t, y, own) == Eval::discard) return Eval::discard;
    if (v == 0 && !holds.empty()) {
      look.t = t;
      look.y.assign(y.begin(), y.end());
      look.fields = own;
      look.known = true;
    }
    if (v == 0) {
      shifted_by.assign(indicators, 0.0);
      for (std::size_t i = 0; i < indicators; ++i) {
        if (is_shifted(i) && is_joined[i] == 0) shifted_by[i] = shift_of(i, own[i]);
      }
    }
    apply_holds(own);
    for (std::size_t i = 0; i < indicators; ++i) {
      const double oriented = domains[v * indicators + i] != 0 ? own[i] : -own[i];
      z[i] = v == 0 ? oriented : std::min(z[i], oriented);
    }
  }
  if (imposes && (!same_indicators || is_any_condition_near_zero(own))) {
    if (mix_conditions(t, y, z) == Eval::discard) return Eval::discard;
    for (std::size_t i = 0; i < indicators; ++i) {
      z[i] = switches[i] == 0 && domains[i] == 0 ? -z[i] : z[i];
    }
  }
  for (std::size_t i = 0; i < indicators; ++i) {
    z[i] = on->owns(i) && is_joined[i] == 0 ? 1.0 : z[i] + shifted_by[i];
  }
  if (was_set) {
    std::vector<double> values;
    if (on->values(t, y, values) == Eval::discard) return Eval::discard;
    for (std::size_t j = 0; j < on->size(); ++j) {
      z[on->surfaces()[j].indicator] = clearance(j, values[j]);
    }
  }
  const Point* point = motion_for_driver(t, y);
  if (point == nullptr) return Eval::discard;
  for (std::size_t j = 0; j < on->size(); ++j) {
    const std::array<double, 2> exit = exit_values(*point, j);
    // The last pair is that of all surfaces which have none of their own: where the first is left.
    const std::size_t place = indicators + 2 * std::min(j, exit_pairs - 1);
    z[place] = j < exit_pairs ? exit[0] : std::min(z[place], exit[0]);
    z[place + 1] = j < exit_pairs ? exit[1] : std::min(z[place + 1], exit[1]);
  }
  return Eval::ok;
}

// Positive as long as a surface is not left upwards, or downwards.
std::array<double, 2> SlidingModel::State::exit_values(const Point& point, std::size_t j) const {
  if (!on->given.empty() && !std::isnan(on->given[j])) {
    return {1.0, 1.0};
  }
  const bool alone = on->size() == 1;
  return {exit_shift + (alone ? -point.rates[1] : 1.0 - point.motion.shares[j]),
          exit_shift + (alone ? point.rates[0] : point.motion.shares[j])};
}

// Positive as long as a point with this value of the surface function counts as one on the surface:
// an input that is set may take the surface away from under the motion.
double SlidingModel::State::clearance(std::size_t surface, double value) const {
  return 1.0 - std::fabs(value) / (still_on() * on->surfaces()[surface].scale);
}

void SlidingModel::State::begin_phase(double t, ConstVec y) {
  sides->times = {.earliest = t, .latest = std::min(stop, next_event_time)};
  freeze(t, y);
  slid_on.clear();
  for (const sliding::Surface& surface : on->surfaces()) {
    slid_on.push_back(surface.indicator);
  }
  was_set = false;
  in_phase = true;
  asked_y.clear();
  read_domains(t, y);
  measure_shifts(t, y);
}

void SlidingModel::State::need_domains(double t, ConstVec y) {
  if (is_joined.size() != indicators) {
    find_joined_conditions();
  }
  if (domains.size() != on->slots().size() * indicators) {
    read_domains(t, y);
  }
}

void SlidingModel::State::read_domains(double t, ConstVec y) {
  domains_are_old = false;
  const std::size_t count = on->slots().size();
  domains.assign(count * indicators, 0);
  find_joined_conditions();
  same_indicators = true;
  std::vector<double> z(indicators), first(indicators);
  for (std::size_t v = 0; v < count; ++v) {
    Eval answer = Eval::ok;
    if (free()) {
      std::vector<double> all(indicators + 2 * exit_pairs);
      answer = own_indicators(t, y, all);
      std::copy_n(all.begin(), indicators, z.begin());
    } else {
      answer = indicators_of_side(v, t, y, z);
      apply_holds(z);
    }
    if (answer == Eval::discard) return;  // whoever drives the model will find out
    for (std::size_t i = 0; i < indicators; ++i) {
      domains[v * indicators + i] = z[i] > 0.0 ? 1 : 0;
    }
    if (v == 0) {
      first = z;
    }
    same_indicators = same_indicators && z == first;
  }
  if (imposes && free()) {
    conditions.assign(domains.begin(), domains.end());
    for (std::size_t i = 0; i < indicators; ++i) {
      conditions[i] = static_cast<char>(switches[i] == 0 && domains[i] != 0);
    }
  } else if (imposes && read_conditions(t, y, conditions)) {
    for (std::size_t v = 0; v < count; ++v) {
      for (std::size_t i = 0; i < indicators; ++i) {
        domains[v * indicators + i] =
            switches[i] == 0 ? conditions[i] : domains[v * indicators + i];
      }
    }
  }
}

// The motion leaves a surface along it, so that a stage of the first step may lie beyond a curved
// one although the motion does not. Where the field does not exist there, it is taken beside the
// surface.
Eval SlidingModel::State::field_beside_left(double t, ConstVec y, Vec yp) {
  std::vector<double> moved(y.begin(), y.end());
  if (meeting->project(t, moved, tolerance) == Eval::discard) return Eval::discard;
  return sides->field(slot(), t, meeting->displaced(moved, left_to, kBeside), yp);
}

// The nearest point on the right side of all surfaces, none if y itself is.
std::optional<std::vector<double>> SlidingModel::State::within_domains(double t, ConstVec y) {
  std::vector<double> z(indicators);
  need_domains(t, y);
  if (sides->indicators(slot(), t, y, z) == Eval::discard) return std::nullopt;
  std::vector<std::size_t> passed;
  for (std::size_t i = 0; i < indicators; ++i) {
    if (switches[i] != 0 && (z[i] > 0.0) != (domains[i] != 0) && !on->owns(i)) {
      passed.push_back(i);
    }
  }
  std::vector<sliding::Surface> surfaces = distinct(on->slots(), t, y, passed);
  if (surfaces.empty() || surfaces.size() > most_surfaces) return std::nullopt;
  sliding::Combination within;
  for (const sliding::Surface& surface : surfaces) {
    within.push_back(domains[surface.indicator]);
  }
  beyond->become(std::move(surfaces), {slot()});
  // From far beyond a curved surface one direction does not lead back exactly.
  std::vector<double> moved(y.begin(), y.end());
  for (int round = 0; round < kMostLooks; ++round) {
    if (beyond->aim_by_gradient(t, moved) == Eval::discard) return std::nullopt;
    if (beyond->project(t, moved, kBeside) == Eval::ok) {
      return beyond->displaced(moved, within, kBeside);
    }
  }
  return std::nullopt;
}

// An importer may look beyond a surface, and finds the end of a shifted indicator there, even where
// the field does not exist. It is then that of the nearest point within.
Eval SlidingModel::State::field_within_domains(double t, ConstVec y, Vec yp) {
  const auto within = within_domains(t, y);
  return within ? sides->field(slot(), t, *within, yp) : Eval::discard;
}

// The same while the motion slides.
const Point* SlidingModel::State::motion_for_driver(double t, ConstVec y) {
  const Point* const point = motion_at(t, y);
  if (point != nullptr || options.projecting_driver) return point;
  const auto within = within_domains(t, y);
  return within ? motion_at(t, *within) : nullptr;
}

}  // namespace saltus
