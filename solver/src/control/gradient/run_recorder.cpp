// SPDX-License-Identifier: BSD-2-Clause
#include "run_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace saltus {

using modeling::StartSides;
using modeling::TouchWatch;
using modeling::Variable;

RunRecorder::RunRecorder(modeling::DescribedModel& model, std::function<bool()> is_implicit)
    : EventDecorator(model),
      model_(model),
      is_implicit_(std::move(is_implicit)),
      watch_(model),
      sides_(model) {}

Pullback* RunRecorder::pullback() const {
  Directional* const own = model_.capabilities().directional;
  return own != nullptr ? own->pullback() : nullptr;
}

Direction RunRecorder::none(std::size_t unknowns) const {
  return {.time = 0.0,
          .unknowns = std::vector<double>(unknowns, 0.0),
          .numbers = std::vector<double>(model_.variables().size(), 0.0)};
}

void RunRecorder::ask_for(const std::vector<std::size_t>& parameters) {
  asked_.assign(model_.variables().size(), 0);
  for (const std::size_t i : parameters) asked_[i] = 1;
}
// What is discrete holds what events have assigned, whatever that depends on.
bool RunRecorder::matters(std::size_t number) const {
  return asked_.empty() || asked_[number] != 0 ||
         model_.variables()[number].role == Variable::Role::discrete;
}

void RunRecorder::lose(double t, const std::string& subject, const std::string& why) {
  if (run_.loss) return;
  run_.loss = RecordedRun::Loss{t, subject, why};
  run_.events.clear();
  run_.phases.clear();
  watch_.stop();
}

// Those of the present event.
std::string RunRecorder::conditions() const {
  std::string names;
  for (const std::size_t i : changed_) {
    names += (names.empty() ? ", of '" : "', '") + model_.indicator_name(i);
  }
  return names.empty() ? names : names + "'";
}

void RunRecorder::initialize(const Experiment& experiment, Vec y) {
  experiment_ = experiment;
  run_ = {};
  changed_.clear();
  near_.restart();
  std::vector<StartSides::Parameter> looked_at;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    const Variable& v = model_.variables()[i];
    const double value = asked_[i] != 0 ? std::fabs(model_.number(i)) : 0.0;
    const double size = value != 0.0 ? value : v.nominal.value_or(1.0);
    if (asked_[i] != 0) looked_at.push_back({i, size, v.name});
  }
  sides_.look(experiment, looked_at);
  model_.initialize(experiment, y);
  run_.events.push_back({.time = experiment.start});
}

EventUpdate RunRecorder::update_discrete_states(double t, Vec y) {
  Pullback* const back = run_.loss ? nullptr : pullback();
  if (back != nullptr) back->keep_bodies(y);
  const EventUpdate update = model_.update_discrete_states(t, y);
  if (run_.loss) return update;
  RecordedRun::Event& event = run_.events.back();
  if (back != nullptr) {
    Pullback::Kept kept = back->kept_bodies();
    if (kept.missed) {
      lose(t, "events()",
           "assigns numbers where motions meet that slide, which a gradient does not follow: "
           "`.sensitivities` may");
      return update;
    }
    if (kept.bodies != nullptr) event.bodies.push_back(std::move(kept.bodies));
  }
  if (update.sliding != SlidingChange::none) {
    lose(t, model_.name(),
         "slides from here on" + conditions() +
             ", which a gradient does not follow: `.sensitivities` does");
    return update;
  }
  if (update.terminate) {
    event.ends_run = true;
    run_.end.assign(y.begin(), y.end());
  }
  return update;
}

void RunRecorder::enter_continuous_mode(double t, ConstVec y) {
  model_.enter_continuous_mode(t, y);
  if (const auto loss = run_.phases.empty() ? sides_.loss(false) : std::nullopt) {
    lose(t, "'" + loss->subject + "'", loss->why);
  }
  if (run_.loss) return;
  RecordedRun::Phase phase{.saved = model_.save(), .times = {}, .points = {}, .implicit = {}};
  begins_ = !model_.is_explicit();
  if (!begins_) {
    phase.times.push_back(t);
    phase.points.assign(y.begin(), y.end());
    std::vector<double>& slope = run_.events.back().slope_after;
    slope.resize(y.size());
    if (model_.derivatives(t, y, slope) == Eval::discard) {
      lose(t, model_.name(), "cannot be evaluated after the event here");
      return;
    }
  }
  run_.phases.push_back(std::move(phase));
  std::vector<double> z(model_.shape().indicators);
  if (model_.indicators(t, y, z) == Eval::ok) {
    side_.resize(z.size());
    std::transform(z.begin(), z.end(), side_.begin(), [](double value) { return value > 0.0; });
  }
  watch_.begin(t, y, experiment_.tolerance);
}

// Of implicit equations, whose phases begin at a point that is found here. Within a phase unknowns
// may change their meaning, which is then as if another one began.
Eval RunRecorder::make_consistent(double t, Vec y, Vec yp) {
  const bool begins = std::exchange(begins_, false);
  if (!begins && !run_.loss) {
    if (t > run_.phases.back().times.back()) add_point(t, y);
    run_.events.push_back({.time = t});
    run_.phases.push_back({.saved = model_.save(), .times = {}, .points = {}, .implicit = {}});
  }
  const Eval answer = model_.make_consistent(t, y, yp);
  if (!run_.loss) {
    run_.phases.back().times.push_back(t);
    run_.phases.back().points.assign(y.begin(), y.end());
  }
  return answer;
}

void RunRecorder::add_point(double t, ConstVec y) {
  RecordedRun::Phase& phase = run_.phases.back();
  phase.times.push_back(t);
  phase.points.insert(phase.points.end(), y.begin(), y.end());
  phase.implicit.push_back(is_implicit_() ? 1 : 0);
}

Capabilities RunRecorder::capabilities() {
  Capabilities can = EventDecorator::capabilities();
  if (can.consistency != nullptr && !can.is_explicit) can.consistency = this;
  return can;
}

StepVerdict RunRecorder::completed_step(double t, ConstVec y) {
  if (!run_.loss) {
    if (t > run_.phases.back().times.back()) add_point(t, y);
    if (const auto touch = watch_.step(t, y)) {
      lose(t, "'" + model_.indicator_name(touch->indicator) + "'", touch->why());
    }
  }
  return model_.completed_step(t, y);
}

// An event where the run ends, and that moves, is not there for other parameters.
void RunRecorder::check_end() {
  if (run_.loss || run_.events.size() < 2) return;
  const RecordedRun::Event& last = run_.events.back();
  const bool is_at_end = !last.ends_run && run_.phases.back().times.size() == 1;
  if (is_at_end && (last.follows || !last.moved.is_zero())) {
    lose(last.time, model_.name(),
         "has an event" + conditions() +
             ", where the run ends: with other parameters it would come before or not at all "
             "(choose another stop time)");
  }
}

void RunRecorder::enter_event_mode(double t, ConstVec y) {
  if (!run_.loss) {
    RecordedRun::Event event{.time = t};
    if (model_.is_explicit()) {
      find_moved(t, y, event);
    } else {
      changed_ = changed_indicators(t, y);
      lose(t, model_.name(),
           "has an event" + conditions() +
               ", through which a gradient does not follow implicit equations: `.sensitivities` "
               "may");
    }
    if (!run_.loss) run_.events.push_back(std::move(event));
  }
  model_.enter_event_mode(t, y);
}

}  // namespace saltus
