// SPDX-License-Identifier: BSD-2-Clause
#include "simulation_state.hpp"

#include <atomic>
#include <stdexcept>
#include <utility>

#include "saltus/core/nearest_names.hpp"

namespace saltus {
namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

void check_start(const SimulatedVariable& v) {
  if (!v.no_start_because.empty()) {
    throw std::invalid_argument("\"" + v.name + "\" cannot be set: " + v.no_start_because);
  }
}

}  // namespace

Simulation::State::State(Maker maker, SimulationOptions chosen)
    : number(next_number()), make(std::move(maker)), options(std::move(chosen)), system(make()) {
  for (const auto& [name, value] : options.values) {
    set_start(find(name), value);
  }
  for (const auto& [name, text] : options.texts) {
    set_start_text(find(name), text);
  }
  begin_record();
}

void Simulation::State::begin_record() {
  record = std::make_shared<SimulationRecord>(make, options.record, *system);
  record->why_no_values_between_rows = system->why_no_values_between_rows();
  for (const std::string& doubt : system->warnings()) {
    record->content.warnings.push_back({.time = kBeforeTheRun, .subject = {}, .message = doubt});
  }
  make_controller();
}

void Simulation::State::make_controller() {
  controller = std::make_unique<ModeController>(
      system->system(), ControllerOptions{.report_interval = options.report_interval.value_or(
                                              system->report_interval())});
  recorder = std::make_unique<SimulationRecorder>(*record, *system);
  controller->add(*recorder);
  for (Observer* observer : observers) {
    controller->add(*observer);
  }
}

std::size_t Simulation::State::find(std::string_view name) const {
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

void Simulation::State::set_start(std::size_t i, double value) {
  const SimulatedVariable& v = system->variables()[i];
  check_start(v);
  check_value(v, value);
  system->set_start(i, value);
  given[i] = value;
}

void Simulation::State::set_start_text(std::size_t i, const std::string& text) {
  const SimulatedVariable& v = system->variables()[i];
  check_text(v);
  check_start(v);
  system->set_start_text(i, text);
  given_texts[i] = text;
}

void Simulation::State::handle_set_values() {
  recorder->skip_next_left_limit();
  controller->request_event();
  const RunResult event = controller->advance_to(time());
  was_set = needs_event = false;
  if (event.outcome == RunResult::Outcome::terminated_by_model) {
    record->content.reached = time();
    end(SimulationResult::Outcome::terminated_by_model);
  }
}

void Simulation::State::require_system(const char* what) const {
  if (controller == nullptr) {
    throw std::logic_error(std::string(what) +
                           " after a reset() that failed: make a new Simulation");
  }
}

void Simulation::State::require_running(const char* what) const {
  require_system(what);
  if (!begun) {
    throw std::logic_error(std::string(what) + " before start()");
  }
  if (ended) {
    throw std::logic_error(std::string(what) + " after the end of the run: reset() it first");
  }
}

void Simulation::State::note_failure(const std::exception& failure) {
  ended = true;
  record->outcome = SimulationResult::Outcome::failed;
  record->error = failure.what();
  note_cost();
}

void Simulation::State::note_cost() const {
  record->integration = system->integration();
  record->crossings = system->crossings();
  record->choices = system->choices();
}

void Simulation::State::end(SimulationResult::Outcome how) {
  controller->finish();
  ended = true;
  record->outcome = how;
}

}  // namespace saltus
