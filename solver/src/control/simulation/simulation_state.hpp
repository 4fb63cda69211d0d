// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/simulation.hpp"
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

/// What a simulation owns: the system, its controller, the record of the run, and how far the run
/// has come.
struct Simulation::State {
  State(Maker maker, SimulationOptions chosen);

  void begin_record();
  // The system of `system` may be another one than before.
  void make_controller();

  /// Throws `std::invalid_argument`, with the names that are near.
  std::size_t find(std::string_view name) const;
  void set_start(std::size_t i, double value);
  void set_start_text(std::size_t i, const std::string& text);
  // Both values get a row: that of the new one is written here, or by the event that follows.
  template <class Set>
  void set_running(std::size_t i, const Set& set_value);
  // The values that were set since the last step come into force together, in an event.
  void handle_set_values();

  double time() const { return begun ? system->time() : system->experiment().start; }
  /// Throw `std::logic_error` where `what` is not allowed.
  void require_system(const char* what) const;
  void require_running(const char* what) const;
  // Whatever happens in it, the record tells how far the run has come and what it cost.
  template <class Part>
  void guarded(const Part& part);
  void note_failure(const std::exception& failure);
  void note_cost() const;
  void end(SimulationResult::Outcome how);

  std::uint64_t number;  // told apart from all others, also from those that had its place in memory
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

template <class Set>
void Simulation::State::set_running(std::size_t i, const Set& set_value) {
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

template <class Part>
void Simulation::State::guarded(const Part& part) {
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

}  // namespace saltus
