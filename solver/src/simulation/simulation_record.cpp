// SPDX-License-Identifier: BSD-2-Clause
#include "simulation_record.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "../number_text.hpp"
#include "saltus/nearest_names.hpp"

namespace saltus {

SimulationRecord::SimulationRecord(Simulation::Maker make, const std::vector<std::string>& wanted,
                                   const SimulatedSystem& system)
    : make_(std::move(make)), model_(system.name()) {
  for (const SimulatedVariable& variable : system.variables()) {
    variables_.push_back(names_.size());
    names_.push_back(variable.name);
  }
  if (!wanted.empty()) {
    std::vector<std::size_t> chosen;
    for (const std::string& name : wanted) {
      chosen.push_back(column(name));
    }
    variables_ = std::move(chosen);
    names_ = wanted;
  }
  for (const std::size_t i : variables_) {
    described_.push_back(system.variables()[i]);
  }
  columns_.resize(names_.size());
}

std::size_t SimulationRecord::column(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) {
    throw std::invalid_argument("there is no variable \"" + std::string(name) + "\"" +
                                did_you_mean(name, names_));
  }
  return static_cast<std::size_t>(found - names_.begin());
}

void SimulationRecord::add_row(double t, ConstVec all, ConstVec unknowns,
                               std::shared_ptr<const SimulatedSystem::Saved> saved) {
  if (saved != nullptr) {
    points_.push_back({time_.size(), std::move(saved)});
  }
  time_.push_back(t);
  unknowns_.emplace_back(unknowns.begin(), unknowns.end());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].push_back(all[variables_[i]]);
  }
}

void SimulationRecord::cut_back(const Size& size) {
  time_.resize(size.rows);
  unknowns_.resize(size.rows);
  for (auto& each : columns_) {
    each.resize(size.rows);
  }
  events.resize(size.events);
  points_.resize(size.points);
  outcome = SimulationResult::Outcome::unfinished;
  error.clear();
}

std::vector<double> SimulationRecord::row(std::size_t i) const {
  std::vector<double> values;
  values.reserve(columns_.size());
  for (const auto& each : columns_) {
    values.push_back(each[i]);
  }
  return values;
}

std::vector<double> SimulationRecord::recorded(ConstVec all) const {
  std::vector<double> values;
  values.reserve(variables_.size());
  for (const std::size_t i : variables_) {
    values.push_back(all[i]);
  }
  return values;
}

// Two rows have no event between them, so that the motion from the first to the second is that of
// one configuration.
std::vector<double> SimulationRecord::at(double t) const {
  if (time_.empty() || !(t >= time_.front() && t <= time_.back())) {
    throw std::out_of_range("t = " + number_text(t) + " is not within the run" +
                            (time_.empty() ? ", which has not begun"
                                           : ", which goes from " + number_text(time_.front()) +
                                                 " to " + number_text(time_.back())));
  }
  const auto before =
      static_cast<std::size_t>(std::upper_bound(time_.begin(), time_.end(), t) - time_.begin() - 1);
  if (time_[before] == t) {
    return row(before);
  }
  if (!why_no_values_between_rows.empty()) {
    throw std::logic_error("there are values at rows only: " + why_no_values_between_rows +
                           " cannot be saved");
  }
  if (second_ == nullptr) {
    second_ = make_();
  }
  const auto point = std::prev(
      std::upper_bound(points_.begin(), points_.end(), before,
                       [](std::size_t at, const Point& each) { return at < each.first_row; }));
  second_->restore(*point->saved, time_[before], unknowns_[before], {});
  // What arrives early is the event of the next row, a rounding away.
  static_cast<void>(second_->system().advance({.report = t, .barrier = t}));
  std::vector<double> all(second_->variables().size());
  second_->read(all);
  return recorded(all);
}

SimulationRecorder::SimulationRecorder(SimulationRecord& record, SimulatedSystem& system)
    : record_(record), system_(system), values_(system.variables().size()) {}

void SimulationRecorder::sample(double t, Moment moment) {
  note_row(t, moment == Moment::initial || moment == Moment::after_event);
}

void SimulationRecorder::note_row(double t, bool is_new) {
  system_.read(values_);
  const bool saves =
      record_.why_no_values_between_rows.empty() && (is_new || system_.saves_points());
  record_.add_row(t, values_, system_.unknowns(), saves ? system_.save() : nullptr);
}

void SimulationRecorder::event(const EventRecord& record) {
  SimulationResult::Event event{.time = record.time, .kind = record.kind, .conditions = {}};
  for (const std::size_t i : record.indicators) {
    event.conditions.push_back(system_.system().indicator_name(i));
  }
  record_.events.push_back(std::move(event));
}

void SimulationRecorder::warning(const Warning& warning) { record_.warnings.push_back(warning); }

}  // namespace saltus
