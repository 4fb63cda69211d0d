// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/simulation.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "saltus/core/number_text.hpp"
#include "simulation_checks.hpp"
#include "simulation_state.hpp"

namespace saltus {

Simulation::Simulation(Maker make, SimulationOptions options) {
  check_options(options);
  state_ = std::make_unique<State>(std::move(make), std::move(options));
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

SimulationResult Simulation::run() {
  const double stop = state_->system->experiment().stop;
  if (!std::isfinite(stop)) {
    throw std::invalid_argument("run() needs a stop time that is finite");
  }
  if (state_->begun) {
    state_->require_running("run()");
  } else {
    start();
  }
  advance_to(stop);
  return result();
}

void Simulation::start() {
  State& s = *state_;
  s.require_system("start()");
  if (s.begun) {
    throw std::logic_error("start() a second time: reset() comes first");
  }
  s.begun = true;
  s.guarded([&] { s.controller->start(s.system->experiment()); });
}

void Simulation::advance_to(double t) {
  State& s = *state_;
  s.require_running("advance_to()");
  const double stop = s.system->experiment().stop;
  if (!(t >= s.time()) || t > stop) {
    throw std::invalid_argument("t = " + number_text(t) + " is not between the present " +
                                number_text(s.time()) + " and the stop time " + number_text(stop));
  }
  s.guarded([&] {
    if (s.needs_event) {
      s.handle_set_values();
      if (s.ended) return;
    }
    s.was_set = false;
    const RunResult part = s.controller->advance_to(t);
    s.record->content.reached = s.time();
    if (part.outcome == RunResult::Outcome::terminated_by_model) {
      s.end(SimulationResult::Outcome::terminated_by_model);
    } else if (t == stop) {
      s.end(SimulationResult::Outcome::reached_stop);
    }
  });
}

double Simulation::time() const { return state_->time(); }

double Simulation::value(std::string_view name) {
  State& s = *state_;
  const std::size_t i = s.find(name);
  check_number(s.system->variables()[i]);
  if (!s.begun) {
    if (const auto found = s.given.find(i); found != s.given.end()) {
      return found->second;
    }
    const SimulatedVariable& v = s.system->variables()[i];
    if (!v.no_start_because.empty()) {
      throw std::logic_error("\"" + v.name + "\" has no value before start()");
    }
    return v.start;
  }
  std::vector<double> values(s.system->variables().size());
  s.system->read(values);
  return values[i];
}

void Simulation::set(std::string_view name, double value) {
  State& s = *state_;
  const std::size_t i = s.find(name);
  if (!s.begun) {
    s.set_start(i, value);
    return;
  }
  s.require_running("set()");
  check_value(s.system->variables()[i], value);
  s.set_running(i, [&] { s.system->set(i, value); });
}

std::string Simulation::text(std::string_view name) {
  State& s = *state_;
  const std::size_t i = s.find(name);
  const SimulatedVariable& v = s.system->variables()[i];
  check_text(v);
  if (!s.begun) {
    const auto found = s.given_texts.find(i);
    return found == s.given_texts.end() ? v.start_text : found->second;
  }
  return s.system->text(i);
}

void Simulation::set(std::string_view name, std::string_view text) {
  State& s = *state_;
  const std::size_t i = s.find(name);
  check_text(s.system->variables()[i]);
  if (!s.begun) {
    s.set_start_text(i, std::string(text));
    return;
  }
  s.require_running("set()");
  s.set_running(i, [&] { s.system->set_text(i, std::string(text)); });
}

Simulation::Saved Simulation::save() {
  State& s = *state_;
  s.require_running("save()");
  if (const std::string why = s.system->why_not_saved(); !why.empty()) {
    throw std::logic_error("this run cannot be saved: " + why + " cannot");
  }
  if (s.was_set) {
    s.guarded([&] { s.handle_set_values(); });
    s.require_running("save()");
  }
  auto point = std::make_shared<Saved::Point>();
  const ConstVec unknowns = s.system->unknowns();
  *point = {.simulation = s.number,
            .time = s.time(),
            .unknowns = {unknowns.begin(), unknowns.end()},
            .system = s.system->save(),
            .steps = s.system->saved_steps(),
            .next_event_time = s.controller->next_event_time(),
            .recorded = s.record->content};
  Saved saved;
  saved.point_ = std::move(point);
  restore(saved);  // so that this run goes on as those do that come back
  return saved;
}

void Simulation::restore(const Saved& saved) {
  State& s = *state_;
  if (saved.point_ == nullptr || saved.point_->simulation != s.number) {
    throw std::invalid_argument("what shall be restored was not saved by this simulation");
  }
  const Saved::Point& point = *saved.point_;
  s.controller.reset();
  try {
    s.system->restore(*point.system, point.time, point.unknowns, point.steps);
  } catch (...) {  // it is nowhere
    s.make_controller();
    s.begun = s.ended = true;
    throw;
  }
  s.record->content = point.recorded;
  s.record->outcome = SimulationResult::Outcome::unfinished;
  s.record->error.clear();
  s.make_controller();
  s.controller->take_over(s.system->experiment(), point.time, point.next_event_time);
  s.begun = true;
  s.ended = s.was_set = s.needs_event = false;
}

void Simulation::reset() {
  State& s = *state_;
  s.controller.reset();
  s.system.reset();  // some FMUs allow one instance at a time
  s.system = s.make();
  s.begun = s.ended = s.was_set = s.needs_event = false;
  s.observers.clear();
  for (const auto& [i, value] : s.given) {
    s.system->set_start(i, value);
  }
  for (const auto& [i, text] : s.given_texts) {
    s.system->set_start_text(i, text);
  }
  s.begin_record();
}

void Simulation::add(Observer& observer) {
  state_->observers.push_back(&observer);
  state_->controller->add(observer);
}

SimulationResult Simulation::result() const { return SimulationResult(state_->record); }

}  // namespace saltus
