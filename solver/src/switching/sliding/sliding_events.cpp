// SPDX-License-Identifier: BSD-2-Clause
// A sliding model at events. An event goes through stages, one discrete update of each
// configuration a pass: the configurations in force settle; where a motion back is suspected, or at
// the start of a run, forks of them are shown the other sides of the surfaces and settle there;
// then the rates decide.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/same_bits.hpp"
#include "saltus/core/error.hpp"
#include "sliding_state.hpp"

namespace saltus {

using sliding::Point;

namespace {

// What takes more passes than this may go back and forth for ever. A black box that slides by
// itself needs more of them, and looks at another configuration would begin them anew.
constexpr int kSurelySettled = 3;
constexpr int kSurelySettledInside = 20;

}  // namespace

void SlidingModel::State::forget_kept() {
  if (unprobed) {
    kept.push_back(*std::exchange(unprobed, std::nullopt));
  }
  forget_earlier();
  for (const Configurations::Slot slot : kept) {
    sides->drop(slot);
  }
  kept.clear();
}

// Whoever does not project keeps the motion near its surfaces: what an event decides, it decides
// where the motion is put back onto them.
bool SlidingModel::State::put_onto_surfaces(double t, Vec y) {
  if (free() || was_set || options.projecting_driver) return false;
  const std::vector<double> where(y.begin(), y.end());
  if (on->project(t, y, kLeaving) == Eval::discard) {
    std::copy(where.begin(), where.end(), y.begin());
  }
  return !std::equal(where.begin(), where.end(), y.begin(), same_bits);
}

void SlidingModel::State::begin_event(double t, ConstVec given) {
  std::vector<double> y(given.begin(), given.end());
  put_onto_surfaces(t, y);
  fired.clear();
  visits.clear();
  left_out.clear();
  sides->forget_fields();
  on->at_event = meeting->at_event = true;
  sides->times = {.earliest = t, .latest = stop};
  initial = in_phase = false;
  only_entered = true;
  stage = Stage::settling;
  asked_y.clear();
  need_domains(t, y);
  note_sides(t, y);
  passes = 0;
  sides->look_for_noise(slot(), t, y);
  if (free()) {
    begin_free_event(t, y);
  } else {
    begin_event_on_surfaces(t, y);
  }
}

// Where conditions differ between configurations, the one that is nearest to zero is meant.
void SlidingModel::State::note_sides(double t, ConstVec y) {
  was_positive.assign(domains.begin(), domains.begin() + static_cast<std::ptrdiff_t>(
                                                             std::min(indicators, domains.size())));
  was_positive.resize(indicators, 0);
  if (free() || !sides->configurations().nests_conditions()) {
    return;
  }
  const std::vector<std::size_t> nearest = sides->nearest(on->slots(), t, y);
  for (std::size_t i = 0; i < indicators; ++i) {
    was_positive[i] = domains[nearest[i] * indicators + i];
  }
  note_normals(t, y);
}

void SlidingModel::State::begin_free_event(double t, ConstVec y) {
  std::vector<double> z(indicators + 2 * exit_pairs);
  if (!in_event_mode && own_indicators(t, y, z) == Eval::ok) {
    for (std::size_t i = 0; i < indicators; ++i) {
      if (switches[i] != 0 && ((z[i] > 0.0) != (domains[i] != 0) || is_in_noise(t, y, i, z[i]))) {
        fired.push_back(i);
      }
    }
  }
  release_holds_at(t, y);
  sides->configurations().select(slot());
  impose_conditions(t, y);
  conditions_wait = !imposed.empty();
  if (!fired.empty()) {
    kept.push_back(sides->configurations().fork());
    keep_conditions();
    // Those that wait have not changed yet: they are what they were in the phase that ends.
    conditions.resize(indicators);
    for (std::size_t i = 0; i < indicators; ++i) {
      conditions[i] = switches[i] == 0 ? was_positive[i] : 0;
    }
  }
  look.known = false;
  if (!in_event_mode) {
    model.enter_event_mode(t, y);
    in_event_mode = true;
  }
  show_own_sides(t, y);
}

// An exit concerns nobody but us. Anything else is an event for every configuration, each shown its
// own side of the surfaces.
void SlidingModel::State::begin_event_on_surfaces(double t, ConstVec y) {
  exits.assign(on->size(), 0);
  conditions_wait = imposes;
  bool left = false;
  std::vector<double> z(indicators + 2 * exit_pairs);
  if (!is_off_surfaces(t, y) && sliding_indicators(t, y, z) == Eval::ok) {
    for (std::size_t i = 0; i < indicators; ++i) {
      if (switches[i] != 0 && (!(z[i] > shifted_by[i]) || is_in_noise(t, y, i, z[i]))) {
        fired.push_back(i);
      }
    }
    const Point* const point = motion_for_driver(t, y);
    for (std::size_t j = 0; point != nullptr && j < on->size(); ++j) {
      // Half of the shift is for importers that stop before the zero.
      const double limit = 0.5 * exit_shift;
      const std::array<double, 2> exit = exit_values(*point, j);
      exits[j] = static_cast<char>((exit[0] > limit ? 0 : 2) | (exit[1] > limit ? 0 : 1));
      left = left || exits[j] != 0;
    }
  }
  const bool settled = settle_joined_conditions(t, y);
  if (left && fired.empty() && !settled) {
    stage = Stage::leaving;
    return;
  }
  if (slides_by_value()) {
    go_on_beside(t, y);
    return;
  }
  release_holds_at(t, y);
  const std::vector<char> before = conditions;
  impose_conditions(t, y);
  let_conditions_wait(before);
  for (std::size_t v = 0; v < on->slots().size(); ++v) {
    sides->configurations().select(on->slots()[v]);
    if (!fired.empty()) {
      kept.push_back(sides->configurations().fork());
    }
  }
  show_own_sides(t, y);
}

// What another look may find to have changed its domain.
bool SlidingModel::State::is_in_noise(double t, ConstVec y, std::size_t indicator, double z) {
  return sides->noise(indicator) > 0.0 &&
         std::fabs(z) <= 2.0 * sides->noise(indicator) * sides->scale(slot(), t, y, indicator);
}

bool SlidingModel::State::is_off_surfaces(double t, ConstVec y) {
  std::vector<double> values;
  if (!was_set || on->values(t, y, values) == Eval::discard) {
    return false;
  }
  for (std::size_t j = 0; j < on->size(); ++j) {
    if (!(clearance(j, values[j]) > 0.0)) return true;
  }
  return false;
}

// The fields at the point where an event was located are known already; `slots` are where the
// configurations are now that had them.
void SlidingModel::State::remember_motion(double t, ConstVec y,
                                          const std::vector<Configurations::Slot>& slots) {
  for (const Point& point : points) {
    if (!point.is_at(t, y)) continue;
    for (std::size_t v = 0; v < slots.size(); ++v) {
      if (!on->is_asked(v)) continue;
      sides->remember_field(slots[v], t, on->where_to_ask(t, y, v),
                            ConstVec(point.fields).subspan(v * y.size(), y.size()));
    }
    return;
  }
}

EventUpdate SlidingModel::State::update(double t, Vec y) {
  const bool was_off = only_entered && put_onto_surfaces(t, y);
  EventUpdate update = pass(t, y);
  update.states_changed = update.states_changed || was_off;
  return update;
}

EventUpdate SlidingModel::State::pass(double t, Vec y) {
  if (stage == Stage::quiet && initial) {
    visits.clear();  // a start that was saved and is resumed here
    keep_conditions();
    show_own_sides(t, y);
    stage = Stage::settling;
  } else if (stage == Stage::quiet) {
    if (is_answered(t, y)) {
      return {.next_event_time = next_event_time};
    }
    begin_again(t, y);
  } else if (only_entered && was_set && !free()) {
    // Shown beside the surfaces as the inputs have made them.
    stage = Stage::settling;
    visits.clear();
    show_own_sides(t, y);
  }
  only_entered = false;
  EventUpdate update;
  if (stage == Stage::leaving) {
    // Whoever drives the model may not have kept the point on the surface as exactly as we leave
    // it.
    if (on->project(t, y, kLeaving) == Eval::discard) {
      throw ModelError("indicators", t, "the way back to a switching surface is not found");
    }
    update.states_changed = true;
    remember_motion(t, y, on->slots());
    meeting->become(on->surfaces(), on->slots(), on->combinations());
    meeting->recall_aim(on->remembered_aim());
    if (on->is_grouped()) {
      impose_conditions(t, y);  // for configurations that are made
    }
    decide(t, y, false, update);
  } else {
    if (stage == Stage::settling) {
      sides->forget_fields();
    }
    for (const sliding::Visit& visit : visits.all()) {
      if (!visit.settled) {
        sides->forget_fields(visit.slot);
      }
    }
    std::optional<Before> previous;
    const int enough =
        model.capabilities().indicator_rates != nullptr ? kSurelySettled : kSurelySettledInside;
    if (stage == Stage::settling && free() && ++passes > enough) {
      sides->configurations().select(slot());
      previous = {sides->configurations().fork(), {y.begin(), y.end()}};
    }
    update = visits.pass(model, sides->configurations(), t, sides->nominals(), imposed);
    if (update.nominals_changed) {
      sides->read_nominals();
    }
    next_event_time = stage == Stage::settling ? update.next_event_time : next_event_time;
    update.states_changed = false;
    if (stage == Stage::settling && free()) {
      const std::vector<double>& moved = visits.front().y;
      for (std::size_t i = 0; i < y.size(); ++i) {
        if (moved[i] != shown_at.front()[i] || (restores_constraints() && moved[i] != y[i])) {
          y[i] = moved[i];
          update.states_changed = true;
        }
      }
    }
    if (previous && !(update.iterate && alternates(t, y, *previous, update))) {
      sides->drop(previous->slot);
      previous.reset();
    }
    if (!previous && (update.iterate || update.terminate)) {
      update.next_event_time = next_event_time;
      return update;
    }
    if (previous) {
      // the motion goes on as a mixture
    } else if (stage == Stage::settling) {
      after_settling(t, y, update);
    } else if (stage == Stage::surrounding) {
      after_surrounding(t, y, update);
    } else {
      after_probing(t, y, update);
    }
  }
  if (!update.iterate) {
    initial = false;
    forget_kept();
    conclude(t, y, update);
  }
  if (!update.iterate) {
    stage = Stage::quiet;
    asked_t = t;
    asked_y.assign(y.begin(), y.end());
    domains_are_old = true;
  }
  update.next_event_time = next_event_time;
  return update;
}

// One update more than needed changes nothing; one after something was set decides anew.
bool SlidingModel::State::is_answered(double t, ConstVec y) const {
  return same_bits(t, asked_t) &&
         std::equal(y.begin(), y.end(), asked_y.begin(), asked_y.end(), same_bits);
}

void SlidingModel::State::begin_again(double t, ConstVec y) {
  if (domains_are_old && asked_y.size() == y.size()) {
    read_domains(asked_t, asked_y);
  }
  begin_event(t, y);
}

void SlidingModel::State::after_settling(double t, Vec y, EventUpdate& update) {
  if (!visits.any_moved()) {
    keep_decisions(t, y);
  }
  if (!free()) {
    meet_while_sliding(t, y, update);
  } else if (initial) {
    look_around_start(t, y, update);
  } else if (!fired.empty()) {
    update.states_changed = update.states_changed || !options.projecting_driver;
    if (!visits.any_moved()) {
      suspect_crossing(t, y, update);
    }
  }
}

}  // namespace saltus
