// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/control/simulated_system.hpp"
#include "saltus/control/simulation_result.hpp"
#include "saltus/core/observer.hpp"
#include "saltus/simulation.hpp"

namespace saltus {

/// The rows of a run, and what it takes to come back to each.
class SimulationRecord {
 public:
  /// The system from a row on.
  struct Point {
    std::size_t first_row = 0;
    std::shared_ptr<const SimulatedSystem::Saved> saved;
  };
  /// All that a run has left so far, and how far it has come.
  struct Content {
    std::vector<double> time;
    std::vector<std::vector<double>> columns;
    std::vector<std::vector<double>> unknowns;  ///< of each row
    std::vector<Point> points;
    std::vector<SimulationResult::Event> events;
    std::vector<Warning> warnings;
    double reached = 0.0;
  };

  /// `wanted` are names; none: all.
  SimulationRecord(Simulation::Maker make, const std::vector<std::string>& wanted,
                   const SimulatedSystem& system);

  const std::string& model() const { return model_; }
  const std::vector<std::string>& names() const { return names_; }
  const SimulatedVariable& variable(std::size_t column) const { return described_[column]; }
  /// The position of a recorded variable; throws `std::invalid_argument`.
  std::size_t column(std::string_view name) const;
  std::span<const double> values(std::size_t column) const { return content.columns[column]; }
  std::span<const double> time() const { return content.time; }
  /// See `SimulationResult::at`.
  std::vector<double> at(double t) const;

  /// Adds a row: `all` are the values of all variables of the model, of which some are recorded.
  /// `saved` is the system at this point, or null where it is as in the row before.
  void add_row(double t, ConstVec all, ConstVec unknowns,
               std::shared_ptr<const SimulatedSystem::Saved> saved);

  Content content;
  std::vector<std::string> choices;
  IntegratorStats integration;
  CrossingStats crossings;
  SimulationResult::Outcome outcome = SimulationResult::Outcome::unfinished;
  std::string error;
  std::string why_no_values_between_rows;

 private:
  std::vector<double> row(std::size_t i) const;
  std::vector<double> between_rows(std::size_t before, double t) const;
  std::vector<double> recorded(ConstVec all) const;

  Simulation::Maker make_;
  std::string model_;
  std::vector<std::string> names_;
  std::vector<std::string> others_;  // names that are not recorded
  std::vector<std::string> texts_;   // nor are these, which are no numbers
  std::vector<SimulatedVariable> described_;
  std::vector<std::size_t> variables_;  // that are recorded, in the order of the columns
  mutable std::unique_ptr<SimulatedSystem> second_;  // for `at`
};

/// Writes what happens into a record. `note_row` is for whoever changes values at rest.
class SimulationRecorder : public Observer {
 public:
  SimulationRecorder(SimulationRecord& record, SimulatedSystem& system);
  void sample(double t, Moment moment) override;
  void event(const EventRecord& record) override;
  void warning(const Warning& warning) override;

  /// A row of the present point; `is_new`: values were set since the last one.
  void note_row(double t, bool is_new);
  /// Values were set at the point that the next event is at, and a row shows it as it was before.
  void skip_next_left_limit() { skips_left_limit_ = true; }

 private:
  SimulationRecord& record_;
  SimulatedSystem& system_;
  std::vector<double> values_;
  bool skips_left_limit_ = false;
};

}  // namespace saltus
