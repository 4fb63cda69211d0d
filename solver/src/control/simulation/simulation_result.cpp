// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/control/simulation_result.hpp"

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>
#include <utility>

#include "saltus/core/number_text.hpp"
#include "simulation_record.hpp"

namespace saltus {
namespace {

// In a summary for people; `events()` has all.
constexpr std::size_t kMostEventsShown = 20;

std::string csv_cell(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) {
    return name;
  }
  std::string quoted = "\"";
  for (const char c : name) {
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  }
  return quoted + '"';
}

// For reading: without the last digits, which are rounding.
std::string rounded(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.12g", value);
  return buffer;
}

std::string count(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

const char* to_string(SimulationResult::Outcome outcome) {
  switch (outcome) {
    case SimulationResult::Outcome::unfinished:
      return "has come to t = ";
    case SimulationResult::Outcome::reached_stop:
      return "reached the stop time ";
    case SimulationResult::Outcome::terminated_by_model:
      return "was ended by the model at t = ";
    case SimulationResult::Outcome::failed:
      return "failed after t = ";
  }
  return "";
}

}  // namespace

SimulationValues::SimulationValues(std::shared_ptr<const SimulationRecord> record,
                                   std::vector<double> values)
    : record_(std::move(record)), values_(std::move(values)) {}
double SimulationValues::operator[](std::string_view name) const {
  return values_[record_->column(name)];
}

SimulationResult::SimulationResult(std::shared_ptr<const SimulationRecord> record)
    : record_(std::move(record)) {}

SimulationResult::Outcome SimulationResult::outcome() const { return record_->outcome; }
const std::string& SimulationResult::error() const { return record_->error; }
const std::string& SimulationResult::model() const { return record_->model(); }
const std::string& SimulationResult::unit(std::string_view name) const {
  return record_->variable(record_->column(name)).unit;
}
const std::string& SimulationResult::description(std::string_view name) const {
  return record_->variable(record_->column(name)).description;
}
std::size_t SimulationResult::rows() const { return record_->time().size(); }
std::span<const double> SimulationResult::time() const { return record_->time(); }
const std::vector<std::string>& SimulationResult::names() const { return record_->names(); }
std::span<const double> SimulationResult::operator[](std::string_view name) const {
  return record_->values(record_->column(name));
}
SimulationValues SimulationResult::at(double t) const { return {record_, record_->at(t)}; }
const std::vector<SimulationResult::Event>& SimulationResult::events() const {
  return record_->content.events;
}
const std::vector<Warning>& SimulationResult::warnings() const { return record_->content.warnings; }
const std::vector<std::string>& SimulationResult::choices() const { return record_->choices; }
const IntegratorStats& SimulationResult::integration() const { return record_->integration; }
const CrossingStats& SimulationResult::crossings() const { return record_->crossings; }

void SimulationResult::write_csv(const std::filesystem::path& file) const {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << "time";
  for (const std::string& name : names()) {
    out << ',' << csv_cell(name);
  }
  out << '\n';
  for (std::size_t row = 0; row < rows(); ++row) {
    out << number_text(time()[row]);
    for (std::size_t i = 0; i < names().size(); ++i) {
      out << ',' << number_text(record_->values(i)[row]);
    }
    out << '\n';
  }
  out.close();
  if (!out) {
    throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), file.string());
  }
}

std::string SimulationResult::summary() const {
  std::string all = "The run of " + model() + ' ';
  all += rows() > 0 ? to_string(outcome()) + rounded(record_->content.reached) : "has not begun";
  all += '\n';
  if (!error().empty()) {
    all += error() + '\n';
  }
  for (const std::string& choice : choices()) {
    all += "  " + choice + '\n';
  }
  all += count(events().size(), "event") + ", " + count(rows(), "row") + ", " +
         count(integration().steps, "step") + ", " +
         count(integration().rhs_evaluations, "evaluation") + " of the equations\n";
  for (std::size_t i = 0; i < events().size() && i < kMostEventsShown; ++i) {
    const Event& event = events()[i];
    all += "  " + rounded(event.time) + "  " + to_string(event.kind);
    for (std::size_t c = 0; c < event.conditions.size(); ++c) {
      all += "  " + with_change(event.conditions[c], event.changes.at(c));
    }
    all += '\n';
  }
  if (events().size() > kMostEventsShown) {
    all += "  and " + std::to_string(events().size() - kMostEventsShown) + " more\n";
  }
  for (const Warning& warning : warnings()) {
    all += "warning: " + to_string(warning) + '\n';
  }
  return all;
}

}  // namespace saltus
