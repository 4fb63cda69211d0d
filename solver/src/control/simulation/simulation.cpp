// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/simulation.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "native_system.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/nearest_names.hpp"
#include "saltus/core/number_text.hpp"
#include "simulation_checks.hpp"
#include "simulation_record.hpp"

namespace saltus {

struct Simulation::Saved::Point {
  std::uint64_t simulation = 0;  // its number
  double time = 0.0;
  std::vector<double> unknowns;
  std::shared_ptr<const SimulatedSystem::Saved> system;
  std::vector<std::byte> steps;
  double next_event_time = kNever;
  SimulationRecord::Content recorded;
};

struct Simulation::State {
  State(Maker maker, SimulationOptions chosen)
      : make(std::move(maker)), options(std::move(chosen)), system(make()) {
    for (const auto& [name, value] : options.values) {
      set_start(find(name), value);
    }
    for (const auto& [name, text] : options.texts) {
      set_start_text(find(name), text);
    }
    begin_record();
  }

  void begin_record() {
    record = std::make_shared<SimulationRecord>(make, options.record, *system);
    record->why_no_values_between_rows = system->why_no_values_between_rows();
    for (const std::string& doubt : system->warnings()) {
      record->content.warnings.push_back({.time = kBeforeTheRun, .subject = {}, .message = doubt});
    }
    make_controller();
  }
  // The system of `system` may be another one than before.
  void make_controller() {
    controller = std::make_unique<ModeController>(
        system->system(), ControllerOptions{.report_interval = options.report_interval.value_or(
                                                system->report_interval())});
    recorder = std::make_unique<SimulationRecorder>(*record, *system);
    controller->add(*recorder);
    for (Observer* observer : observers) {
      controller->add(*observer);
    }
  }

  std::size_t find(std::string_view name) const {
    std::vector<std::string> names;
    for (const SimulatedVariable& variable : system->variables()) {
      if (variable.name == name) {
        return names.size();
      }
      names.push_back(variable.name);
    }
    throw std::invalid_argument("there is no variable \"" + std::string(name) + "\"" +
                                did_you_mean(name, names));
  }

  void check_start(const SimulatedVariable& v) const {
    if (!v.no_start_because.empty()) {
      throw std::invalid_argument("\"" + v.name + "\" cannot be set: " + v.no_start_because);
    }
  }
  void set_start_text(std::size_t i, const std::string& text) {
    const SimulatedVariable& v = system->variables()[i];
    check_text(v);
    check_start(v);
    system->set_start_text(i, text);
    given_texts[i] = text;
  }
  void set_start(std::size_t i, double value) {
    const SimulatedVariable& v = system->variables()[i];
    check_start(v);
    check_value(v, value);
    system->set_start(i, value);
    given[i] = value;
  }
  // Both values get a row: that of the new one is written here, or by the event that follows.
  template <class Set>
  void set_running(std::size_t i, const Set& set_value) {
    const SimulatedVariable& v = system->variables()[i];
    if (!v.no_change_because.empty()) {
      throw std::logic_error("\"" + v.name + "\" cannot be set: " + v.no_change_because);
    }
    if (record->time().back() != time()) {
      recorder->note_row(time(), false);
    }
    set_value();
    was_set = true;
    // What a reduced model knows of the point is from before.
    needs_event = needs_event || v.needs_event || system->saves_points();
    if (!needs_event) {
      recorder->note_row(time(), true);
    }
  }
  // The values that were set since the last step come into force together, in an event.
  void handle_set_values() {
    recorder->skip_next_left_limit();
    controller->request_event();
    const RunResult event = controller->advance_to(time());
    was_set = needs_event = false;
    if (event.outcome == RunResult::Outcome::terminated_by_model) {
      record->content.reached = time();
      end(SimulationResult::Outcome::terminated_by_model);
    }
  }

  double time() const { return begun ? system->time() : system->experiment().start; }
  void require_system(const char* what) const {
    if (controller == nullptr) {
      throw std::logic_error(std::string(what) +
                             " after a reset() that failed: make a new Simulation");
    }
  }
  void require_running(const char* what) const {
    require_system(what);
    if (!begun) {
      throw std::logic_error(std::string(what) + " before start()");
    }
    if (ended) {
      throw std::logic_error(std::string(what) + " after the end of the run: reset() it first");
    }
  }
  // Whatever happens in it, the record tells how far the run has come and what it cost.
  template <class F>
  void guarded(F&& part) {
    try {
      part();
    } catch (const EventError& failure) {
      const EventError told(
          failure.reason(), failure.time(), failure.indicators(),
          failure.what() + (system->brings_own_solver() ? "" : remedy(failure, options)),
          failure.accumulation());
      note_failure(told);
      throw told;
    } catch (const std::exception& failure) {
      note_failure(failure);
      throw;
    }
    note_cost();
  }
  void note_failure(const std::exception& failure) {
    ended = true;
    record->outcome = SimulationResult::Outcome::failed;
    record->error = failure.what();
    note_cost();
  }
  void note_cost() const {
    record->integration = system->integration();
    record->crossings = system->crossings();
    record->choices = system->choices();
  }
  void end(SimulationResult::Outcome how) {
    controller->finish();
    ended = true;
    record->outcome = how;
  }

  // Told apart from all others, also from those that had its place in memory.
  std::uint64_t number = [] {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }();
  Maker make;
  SimulationOptions options;
  std::unique_ptr<SimulatedSystem> system;
  std::map<std::size_t, double> given;  // by `options.values` and before the start
  std::map<std::size_t, std::string> given_texts;
  std::shared_ptr<SimulationRecord> record;
  std::unique_ptr<SimulationRecorder> recorder;
  std::unique_ptr<ModeController> controller;
  std::vector<Observer*> observers;
  bool begun = false;
  bool ended = false;
  bool was_set = false;      // a value, since the last step,
  bool needs_event = false;  // and that has to be an event
};

Simulation::Simulation(Maker make, SimulationOptions options) {
  check_options(options);
  state_ = std::make_unique<State>(std::move(make), std::move(options));
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Simulation Simulation::of(ModelMaker make_model, SimulationOptions options) {
  return Simulation(
      [make_model, options] { return std::make_unique<NativeSystem>(make_model(), options); },
      options);
}

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
