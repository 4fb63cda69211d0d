// SPDX-License-Identifier: BSD-2-Clause
#include "simulation_record.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "saltus/core/nearest_names.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {

SimulationRecord::SimulationRecord(Simulation::Maker make, const std::vector<std::string>& wanted,
                                   const SimulatedSystem& system)
    : make_(std::move(make)), model_(system.name()) {
  for (std::size_t i = 0; i < system.variables().size(); ++i) {
    const SimulatedVariable& variable = system.variables()[i];
    if (variable.kind == SimulatedVariable::Kind::text) {
      texts_.push_back(variable.name);
      continue;
    }
    variables_.push_back(i);
    names_.push_back(variable.name);
  }
  if (!wanted.empty()) {
    std::vector<std::size_t> chosen;
    for (const std::string& name : wanted) {
      chosen.push_back(variables_[column(name)]);
      if (std::count(wanted.begin(), wanted.end(), name) > 1) {
        throw std::invalid_argument("\"" + name + "\" shall be recorded twice");
      }
    }
    variables_ = std::move(chosen);
    others_ = std::exchange(names_, wanted);
  }
  for (const std::size_t i : variables_) {
    described_.push_back(system.variables()[i]);
  }
  content.columns.resize(names_.size());
  content.reached = system.experiment().start;
}

std::size_t SimulationRecord::column(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (std::find(texts_.begin(), texts_.end(), name) != texts_.end()) {
    throw std::invalid_argument("\"" + std::string(name) +
                                "\" is a text, and texts are not recorded: Simulation::text shows "
                                "what it is");
  }
  if (found == names_.end()) {
    const bool exists = std::find(others_.begin(), others_.end(), name) != others_.end();
    throw std::invalid_argument(exists ? "\"" + std::string(name) + "\" was not recorded"
                                       : "there is no variable \"" + std::string(name) + "\"" +
                                             did_you_mean(name, names_));
  }
  return static_cast<std::size_t>(found - names_.begin());
}

void SimulationRecord::add_row(double t, ConstVec all, ConstVec unknowns,
                               std::shared_ptr<const SimulatedSystem::Saved> saved) {
  if (saved != nullptr) {
    content.points.push_back({content.time.size(), std::move(saved)});
  }
  content.time.push_back(t);
  content.unknowns.emplace_back(unknowns.begin(), unknowns.end());
  for (std::size_t i = 0; i < content.columns.size(); ++i) {
    content.columns[i].push_back(all[variables_[i]]);
  }
  content.reached = t;
}

std::vector<double> SimulationRecord::row(std::size_t i) const {
  std::vector<double> values;
  values.reserve(content.columns.size());
  for (const auto& each : content.columns) {
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

std::vector<double> SimulationRecord::at(double t) const {
  const std::vector<double>& time = content.time;
  if (time.empty()) {
    throw std::out_of_range("there are no values: the run has not begun");
  }
  if (!(t >= time.front() && t <= content.reached)) {
    throw std::out_of_range("t = " + number_text(t) + " is not within the run, which goes from " +
                            number_text(time.front()) + " to " + number_text(content.reached));
  }
  const auto before =
      static_cast<std::size_t>(std::upper_bound(time.begin(), time.end(), t) - time.begin() - 1);
  return time[before] == t ? row(before) : between_rows(before, t);
}

// Two rows have no event between them, so that the motion from the first to the second is that of
// one configuration, and no discrete value changes.
std::vector<double> SimulationRecord::between_rows(std::size_t before, double t) const {
  // So near to a row, as a part of the way to the next, the chord is exact to rounding, and no
  // method can take a step.
  constexpr double kBesideRow = 1e-9;
  if (before + 1 < content.time.size()) {
    const double begin = content.time[before], length = content.time[before + 1] - begin;
    const double fraction = (t - begin) / length;
    if (fraction < kBesideRow || fraction > 1.0 - kBesideRow) {
      std::vector<double> values = row(before);
      const std::vector<double> next = row(before + 1);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += fraction * (next[i] - values[i]);
      }
      return values;
    }
  }
  if (!why_no_values_between_rows.empty()) {
    throw std::logic_error("there are values at rows only: " + why_no_values_between_rows +
                           " cannot be saved");
  }
  if (second_ == nullptr) {
    second_ = make_();
  }
  const auto point = std::prev(
      std::upper_bound(content.points.begin(), content.points.end(), before,
                       [](std::size_t at, const Point& each) { return at < each.first_row; }));
  second_->restore(*point->saved, content.time[before], content.unknowns[before], {});
  // What arrives early is the event of the next row, a rounding away.
  static_cast<void>(second_->system().advance({.report = t, .barrier = t}));
  std::vector<double> all(second_->variables().size());
  second_->read(all);
  return recorded(all);
}

SimulationRecorder::SimulationRecorder(SimulationRecord& record, SimulatedSystem& system)
    : record_(record), system_(system), values_(system.variables().size()) {}

void SimulationRecorder::sample(double t, Moment moment) {
  if (moment == Moment::before_event && std::exchange(skips_left_limit_, false)) {
    return;
  }
  note_row(t, moment == Moment::initial || moment == Moment::after_event);
}

void SimulationRecorder::note_row(double t, bool is_new) {
  system_.read(values_);
  const bool saves =
      record_.why_no_values_between_rows.empty() && (is_new || system_.saves_points());
  record_.add_row(t, values_, system_.unknowns(), saves ? system_.save() : nullptr);
}

void SimulationRecorder::event(const EventRecord& record) {
  SimulationResult::Event event{.time = record.time,
                                .kind = record.kind,
                                .conditions = {},
                                .changes = {record.changes.begin(), record.changes.end()},
                                .time_sensitivities = system_.event_time_sensitivities()};
  for (const std::size_t i : record.indicators) {
    event.conditions.push_back(system_.system().indicator_name(i));
  }
  event.changes.resize(event.conditions.size(), IndicatorChange::unknown);
  record_.content.events.push_back(std::move(event));
}

void SimulationRecorder::warning(const Warning& warning) {
  record_.content.warnings.push_back(warning);
}

}  // namespace saltus
