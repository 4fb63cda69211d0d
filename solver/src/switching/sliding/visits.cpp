// SPDX-License-Identifier: BSD-2-Clause
#include "visits.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::sliding {
namespace {

// How far a projection may move an unknown, in its size.
constexpr double kJump = 1e-9;

}  // namespace

EventUpdate Visit::update_discrete_states(Model& model, Configurations& sides, double t,
                                          ConstVec nominals,
                                          std::span<const Configurations::Imposed> conditions) {
  sides.select(slot);
  if (!entered) {
    model.enter_event_mode(t, y);
    entered = true;
  }
  const std::vector<double> before = y;
  if (!conditions.empty()) {
    sides.impose(conditions);
  }
  const EventUpdate update = model.update_discrete_states(t, y);
  if (!conditions.empty()) {
    sides.impose({});
  }
  // A model that projects may do so here, which is no jump.
  const double jump = model.projects() ? kJump : 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double size = std::max(nominals[i], std::fabs(before[i]));
    moved = moved || (std::isfinite(size) && std::fabs(y[i] - before[i]) > jump * size);
  }
  if (!update.iterate && !update.terminate) {
    if (freezes) {
      model.enter_continuous_mode(t, y);
    }
    settled = true;
  }
  return update;
}

EventUpdate Visits::pass(Model& model, Configurations& sides, double t, ConstVec nominals,
                         std::span<const Configurations::Imposed> conditions) {
  EventUpdate all;
  for (Visit& visit : visits_) {
    if (visit.settled) {
      continue;
    }
    const EventUpdate update = visit.update_discrete_states(model, sides, t, nominals, conditions);
    all.iterate = all.iterate || update.iterate;
    all.nominals_changed = all.nominals_changed || update.nominals_changed;
    all.terminate = all.terminate || update.terminate;
    all.next_event_time = std::min(all.next_event_time, update.next_event_time);
  }
  all.states_changed = any_moved();
  return all;
}

bool Visits::settled() const {
  return std::all_of(visits_.begin(), visits_.end(),
                     [](const Visit& visit) { return visit.settled; });
}

bool Visits::any_moved() const {
  return std::any_of(visits_.begin(), visits_.end(),
                     [](const Visit& visit) { return visit.moved; });
}

}  // namespace saltus::sliding
