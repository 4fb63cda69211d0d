// SPDX-License-Identifier: BSD-2-Clause
// A sliding model at events, third part: whether the motion found is the only one, and refusing.
#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"
#include "sliding_state.hpp"

namespace saltus {

using sliding::Motion;
using sliding::Point;
using sliding::Side;
using sliding::Surface;

// Where several surfaces meet, a motion on all of them combines four or more fields under too few
// conditions. It is unique nevertheless if each surface switches a term of its own.
void SlidingModel::State::check_unique(const Point& point, double t) const {
  const char* const why =
      "the equations there couple the surfaces, so that Filippov's field is not unique; "
      "choose SlidingOptions::Selection::bilinear to go on with products of weights";
  if (options.selection == SlidingOptions::Selection::bilinear) {
    return;
  }
  for (const auto& group : on->combinations().groups()) {
    if (group.size() > 1) {
      not_unique(t, sliding::selected(on->surfaces(), group), why);
    }
  }
  if (!on->is_grouped() && on->size() >= 2 && !have_own_terms(point, on->size())) {
    not_unique(t, on->surfaces(), why);
  }
}

// Mixed differences of the fields vanish.
bool SlidingModel::State::have_own_terms(const Point& point, std::size_t surfaces) const {
  const std::size_t n = point.y.size();
  const auto field = [&](std::size_t v, std::size_t i) { return point.fields[v * n + i]; };
  double mixed = 0.0, simple = 0.0;
  for (std::size_t v = 0; v < std::size_t{1} << surfaces; ++v) {
    for (std::size_t a = 0; a < surfaces; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const std::size_t one = std::size_t{1} << a, other = std::size_t{1} << b;
        if ((v & (one | other)) != 0) continue;
        for (std::size_t i = 0; i < n; ++i) {
          const double size = sides->nominals()[i];
          mixed = std::max(mixed, std::fabs(field(v, i) - field(v | one, i) - field(v | other, i) +
                                            field(v | one | other, i)) /
                                      size);
          simple = std::max(simple, std::fabs(field(v | one, i) - field(v, i)) / size);
        }
      }
    }
  }
  return mixed <= kSameField * simple;
}

// Whether no configuration leaves one of the surfaces at once, as none leaves x > 0 where x and its
// rate begin at zero: what their sides do is not seen yet.
bool SlidingModel::State::grazes(const Point& point) const {
  const std::size_t m = meeting->size(), configurations = point.rates.size() / m;
  for (std::size_t j = 0; j < m; ++j) {
    bool stands_still = true;
    for (std::size_t v = 0; v < configurations; ++v) {
      stands_still = stands_still && stands_still_on(j, point.rates[v * m + j]);
    }
    if (stands_still) return true;
  }
  return false;
}

bool SlidingModel::State::stands_still_on(std::size_t surface, double rate) const {
  // Of the surface's scale in the run: less is no motion off it. Larger ones would call what leaves
  // slowly a touch; none is smaller than the rounding of rates.
  constexpr double kStandsStill = 1e-9;
  const double length = stop < kNever ? stop - experiment.start : 1.0;
  return std::fabs(rate) * length <= kStandsStill * meeting->surfaces()[surface].scale;
}

// Whether both sides of a surface rest on it, on some sides of the others.
bool SlidingModel::State::rests(const Point& point) const {
  const std::size_t m = meeting->size(), configurations = point.rates.size() / m;
  for (std::size_t j = 0; j < m; ++j) {
    const std::size_t positive = std::size_t{1} << j;
    for (std::size_t v = 0; v < configurations; ++v) {
      if ((v & positive) == 0 && stands_still_on(j, point.rates[v * m + j]) &&
          stands_still_on(j, point.rates[(v | positive) * m + j])) {
        return true;
      }
    }
  }
  return false;
}

// Where fields rest on a surface and yet lead somewhere within roundings of it, their slopes have
// no bound there: two levels equalise by the root of their difference. What they do beside it
// counts.
bool SlidingModel::State::look_beside(double t, ConstVec y, Point& point) {
  if (meeting->asks_beside() || !rests(point)) return false;
  const sliding::SurfaceSet::Aim before = meeting->remembered_aim();
  meeting->ask_beside();
  Point beside;
  if (meeting->evaluate(t, y, beside) == Eval::discard || rests(beside)) {
    meeting->recall_aim(before);
    return false;
  }
  point = std::move(beside);
  return true;
}

// At the start the model's own answer counts for conditions on whose two sides the equations agree:
// diodes without a current, a limit that is just reached. True: there were some.
bool SlidingModel::State::leave_out_what_does_not_switch(const Point& point) {
  const std::size_t n = point.y.size(), m = meeting->size();
  double largest = 0.0;
  std::vector<double> differences(m, 0.0);
  for (std::size_t v = 0; v < std::size_t{1} << m; ++v) {
    for (std::size_t i = 0; i < n; ++i) {
      const double size = sides->nominals()[i];
      largest = std::max(largest, std::fabs(point.fields[v * n + i]) / size);
      for (std::size_t j = 0; j < m; ++j) {
        const std::size_t other = v ^ (std::size_t{1} << j);
        differences[j] =
            std::max(differences[j],
                     std::fabs(point.fields[v * n + i] - point.fields[other * n + i]) / size);
      }
    }
  }
  std::vector<std::size_t> bits;
  std::vector<Surface> surfaces;
  sliding::Combination own;
  std::size_t fixed = 0;
  for (std::size_t j = 0; j < m; ++j) {
    if (differences[j] > kSameField * largest) {
      bits.push_back(j);
      surfaces.push_back(meeting->surfaces()[j]);
      own.push_back(own_sides[j]);
    } else {
      fixed |= static_cast<std::size_t>(own_sides[j] != 0) << j;
      left_out.push_back(meeting->surfaces()[j].indicator);
    }
  }
  if (bits.size() == m) {
    return false;
  }
  const std::vector<Configurations::Slot> all = meeting->slots();
  std::vector<Configurations::Slot> slots;
  for (std::size_t v = 0; v < std::size_t{1} << bits.size(); ++v) {
    std::size_t vertex = fixed;
    for (std::size_t b = 0; b < bits.size(); ++b) {
      vertex |= (v >> b & 1) << bits[b];
    }
    slots.push_back(all[vertex]);
  }
  sides->configurations().select(slot());
  sides->drop_others(all, slots);
  for (const Configurations::Slot one : all) {
    if (std::find(slots.begin(), slots.end(), one) == slots.end()) visits.forget(one);
  }
  own_sides = std::move(own);
  meeting->become(std::move(surfaces), std::move(slots));
  return true;
}

// Both sides push towards a surface, and yet the motion cannot go on along it.
void SlidingModel::State::refuse(double t, std::size_t indicator, const std::string& why) {
  const std::string name = model.indicator_name(indicator);
  refusal = "\"" + name + "\": " + why;
  refused_at = t;
  warn(experiment, {.time = t,
                    .subject = name,
                    .message = "both sides may push towards this surface, and the motion does not "
                               "slide on it: " +
                               why});
}

namespace {

// Nobody knows whether there is one motion, which is no proof of several.
class Undecided : public EventError {
 public:
  explicit Undecided(const EventError& error) : EventError(error) {}
};

EventError several_motions(const Model& model, double t, const std::vector<Surface>& where,
                           const std::string& why) {
  std::vector<std::string> names;
  std::string text;
  for (const Surface& surface : where) {
    const std::string name = model.indicator_name(surface.indicator);
    // A text that the equations meet twice, as one of its conditions in each branch, is named once.
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    text += (text.empty() ? "\"" : ", \"") + names.back() + "\"";
  }
  return {EventError::Reason::not_unique, t, names,
          "the solution is not unique at t = " + number_text(t) + " on the surface of " + text +
              ": " + why};
}

}  // namespace

// What cannot be told at the start of a run, or is decided for other conditions than those asked
// about, is left to the model: its own answer counts until the motion has left this point, and what
// it meets then is an event.
bool SlidingModel::State::decide_or_leave_to_motion(double t, Vec y, EventUpdate& update) {
  const bool may_leave = initial || free();
  others_are_shown = shows_other_sides(t, y);
  try {
    decide(t, y, !initial, update);
    return true;
  } catch (const Undecided&) {
    const bool leaves = may_leave && stage == Stage::probing && (initial || others_are_shown);
    if (!leaves) throw;
    return false;
  }
}

void SlidingModel::State::cannot_tell(double t, const std::vector<Surface>& where,
                                      const std::string& why) const {
  throw Undecided(several_motions(model, t, where, why));
}

void SlidingModel::State::not_unique(double t, const std::vector<Surface>& where,
                                     const std::string& why) const {
  throw several_motions(model, t, where, why);
}

}  // namespace saltus
