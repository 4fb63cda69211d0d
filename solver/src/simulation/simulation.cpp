// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/simulation.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "../number_text.hpp"
#include "saltus/error.hpp"
#include "saltus/nearest_names.hpp"
#include "simulation_record.hpp"
#include "simulation_stack.hpp"

namespace saltus {

using modeling::Variable;

namespace {

bool is_given(const Variable& v) {
  return v.role == Variable::Role::parameter || v.causality == Variable::Causality::input;
}
bool has_start(const Variable& v) {
  return is_given(v) || v.role == Variable::Role::state || v.role == Variable::Role::algebraic ||
         v.role == Variable::Role::discrete;
}

}  // namespace

struct Simulation::Saved::Point {
  const void* simulation = nullptr;
  double time = 0.0;
  std::vector<double> unknowns;
  std::vector<std::byte> model;
  StepMemory steps;
  double next_event_time = kNever;
  SimulationRecord::Size recorded;
};

struct Simulation::State {
  State(Maker maker, SimulationOptions chosen)
      : make(std::move(maker)), options(std::move(chosen)), stack(make, options) {
    for (const auto& [name, value] : options.values) {
      set_start(find(name), value);
    }
    begin_record();
  }

  void begin_record() {
    record = std::make_shared<SimulationRecord>(make, options, stack.model());
    record->why_no_values_between_rows = stack.why_not_saved();
    listen();
  }
  void listen() {
    recorder = std::make_unique<SimulationRecorder>(*record, stack);
    stack.controller().add(*recorder);
    for (Observer* observer : observers) {
      stack.controller().add(*observer);
    }
  }

  std::size_t find(std::string_view name) const {
    std::vector<std::string> names;
    for (const Variable& variable : stack.model().variables()) {
      if (variable.name == name) {
        return names.size();
      }
      names.push_back(variable.name);
    }
    throw std::invalid_argument("there is no variable \"" + std::string(name) + "\"" +
                                did_you_mean(name, names));
  }
  const Variable& variable(std::size_t i) const { return stack.model().variables()[i]; }

  void write(std::size_t i, double value) {
    const Variable& v = variable(i);
    const bool whole = !v.is_number();
    const bool fits = v.type == Variable::Type::boolean ? value == 0.0 || value == 1.0
                      : v.type == Variable::Type::int32 ? std::fabs(value) < 0x1p31
                                                        : std::fabs(value) < 0x1p53;
    if (!std::isfinite(value) || (whole && (value != std::trunc(value) || !fits))) {
      throw std::invalid_argument("\"" + v.name + "\" cannot be " + number_text(value) +
                                  (v.type == Variable::Type::boolean ? ": it is 0 or 1"
                                   : whole                           ? ": it is a whole number"
                                                                     : ""));
    }
    if ((v.min && value < *v.min) || (v.max && value > *v.max)) {
      throw std::invalid_argument("\"" + v.name + "\" cannot be " + number_text(value) +
                                  ": it is declared to be " +
                                  (v.min && value < *v.min ? "at least " + number_text(*v.min)
                                                           : "at most " + number_text(*v.max)));
    }
    if (whole) {
      stack.model().set_whole(i, static_cast<std::int64_t>(value));
    } else {
      stack.model().set_number(i, value);
    }
  }
  void set_start(std::size_t i, double value) {
    if (!has_start(variable(i))) {
      throw std::invalid_argument("\"" + variable(i).name +
                                  "\" cannot be set: the equations of the model compute it");
    }
    write(i, value);
    given[i] = value;
  }
  // Both values have a row. What holds between events only is followed by an event.
  void set_running(std::size_t i, double value) {
    const Variable& v = variable(i);
    if (!is_given(v) || (v.role == Variable::Role::parameter && !v.tunable)) {
      throw std::logic_error("\"" + v.name + "\" cannot be set while the run goes on: " +
                             (v.role == Variable::Role::parameter
                                  ? "it is a parameter, and not tunable"
                                  : "only inputs and tunable parameters can"));
    }
    recorder->note_row(time(), false);
    write(i, value);
    stack.system().disturb();
    recorder->note_row(time(), true);
    if (!v.continuous) {
      stack.controller().request_event();
    }
  }

  double time() const { return begun ? stack.system().time() : stack.experiment().start; }
  void require_begun(const char* what) const {
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
    } catch (const std::exception& failure) {
      ended = true;
      record->outcome = SimulationResult::Outcome::failed;
      record->error = failure.what();
      note_cost();
      throw;
    }
    note_cost();
  }
  void note_cost() {
    record->integration = stack.system().integrator().stats();
    record->crossings = stack.system().crossing_stats();
    record->choices = stack.choices();
  }
  void end(SimulationResult::Outcome how) {
    stack.controller().finish();
    ended = true;
    record->outcome = how;
  }

  Maker make;
  SimulationOptions options;
  SimulationStack stack;
  std::map<std::size_t, double> given;  // by `options.values` and before the start
  std::shared_ptr<SimulationRecord> record;
  std::unique_ptr<SimulationRecorder> recorder;
  std::vector<Observer*> observers;
  bool begun = false;
  bool ended = false;
};

Simulation::Simulation(Maker make_model, SimulationOptions options)
    : state_(std::make_unique<State>(std::move(make_model), std::move(options))) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

SimulationResult Simulation::run() {
  if (!state_->begun) {
    start();
  }
  advance_to(state_->stack.experiment().stop);
  return result();
}

void Simulation::start() {
  State& s = *state_;
  if (s.begun) {
    throw std::logic_error("start() a second time: reset() comes first");
  }
  s.begun = true;
  s.guarded([&] { s.stack.controller().start(s.stack.experiment()); });
}

void Simulation::advance_to(double t) {
  State& s = *state_;
  s.require_begun("advance_to()");
  if (!(t >= s.time()) || t > s.stack.experiment().stop) {
    throw std::invalid_argument("t = " + number_text(t) + " is not between the present " +
                                number_text(s.time()) + " and the stop time " +
                                number_text(s.stack.experiment().stop));
  }
  s.guarded([&] {
    const RunResult part = s.stack.controller().advance_to(t);
    if (part.outcome == RunResult::Outcome::terminated_by_model) {
      s.end(SimulationResult::Outcome::terminated_by_model);
    } else if (t == s.stack.experiment().stop) {
      s.end(SimulationResult::Outcome::reached_stop);
    }
  });
}

double Simulation::time() const { return state_->time(); }

double Simulation::value(std::string_view name) {
  State& s = *state_;
  const std::size_t i = s.find(name);
  if (!s.begun) {
    const Variable& v = s.variable(i);
    if (const auto found = s.given.find(i); found != s.given.end()) {
      return found->second;
    }
    if (!has_start(v)) {
      throw std::logic_error("\"" + v.name + "\" has no value before start()");
    }
    return v.is_number() ? v.start : static_cast<double>(v.start_integer);
  }
  std::vector<double> values(s.stack.model().variables().size());
  s.stack.read(s.time(), s.stack.system().unknowns(), values);
  return values[i];
}

void Simulation::set(std::string_view name, double value) {
  State& s = *state_;
  const std::size_t i = s.find(name);
  if (!s.begun) {
    s.set_start(i, value);
    return;
  }
  s.require_begun("set()");
  s.set_running(i, value);
}

Simulation::Saved Simulation::save() {
  State& s = *state_;
  s.require_begun("save()");
  if (const std::string why = s.stack.why_not_saved(); !why.empty()) {
    throw std::logic_error("a run with " + why + " cannot be saved");
  }
  auto point = std::make_shared<Saved::Point>();
  const ConstVec unknowns = s.stack.system().unknowns();
  *point = {.simulation = state_.get(),
            .time = s.time(),
            .unknowns = {unknowns.begin(), unknowns.end()},
            .model = s.stack.model().save(),
            .steps = s.stack.system().memory(),
            .next_event_time = s.stack.controller().next_event_time(),
            .recorded = s.record->size()};
  Saved saved;
  saved.point_ = std::move(point);
  restore(saved);  // so that this run goes on as those do that come back
  return saved;
}

void Simulation::restore(const Saved& saved) {
  State& s = *state_;
  if (saved.point_ == nullptr || saved.point_->simulation != state_.get()) {
    throw std::invalid_argument("what shall be restored was not saved by this simulation");
  }
  const Saved::Point& point = *saved.point_;
  s.stack.model().restore(point.model);
  s.stack.begin_anew();
  s.stack.system().resume(point.time, point.unknowns, false, point.steps);
  s.stack.controller().take_over(s.stack.experiment(), point.time, point.next_event_time);
  s.record->cut_back(point.recorded);
  s.listen();
  s.begun = true;
  s.ended = false;
}

void Simulation::reset() {
  State& s = *state_;
  const std::map<std::size_t, double> given = std::exchange(s.given, {});
  s.stack = SimulationStack(s.make, s.options);
  s.begun = s.ended = false;
  for (const auto& [i, value] : given) {
    s.set_start(i, value);
  }
  s.begin_record();
}

void Simulation::add(Observer& observer) {
  state_->observers.push_back(&observer);
  state_->stack.controller().add(observer);
}

SimulationResult Simulation::result() const { return SimulationResult(state_->record); }

}  // namespace saltus
