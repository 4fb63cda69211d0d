// SPDX-License-Identifier: BSD-2-Clause
#include "start_values.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "number_text.hpp"
#include "saltus/core/nearest_names.hpp"

namespace saltus::importer {
namespace {

std::string suggestions(const ModelDescription& description, std::string_view name) {
  std::vector<std::string> known;
  known.reserve(description.variables.size());
  for (const Variable& variable : description.variables) known.push_back(variable.name);
  return did_you_mean(name, known);
}

bool holds_type(const Scalar& scalar, VariableType type) {
  return scalar.index() == (is_numeric(type)               ? from_number(type, 0.0).index()
                            : type == VariableType::string ? Scalar(std::string()).index()
                                                           : Scalar(Binary()).index());
}

/// FMI 3.0, 2.2.9: fixed and tunable clocks whose description has an interval take one from
/// outside.
double parse_interval(const Variable& variable, const std::string& text) {
  if (!takes_interval(variable)) {
    throw std::invalid_argument(
        fmt::format("\"{}\" is a clock of kind {}; only the interval of fixed and tunable input "
                    "clocks that have an intervalDecimal can be given",
                    variable.name, to_string(variable.clock->interval_variability)));
  }
  double interval = 0.0;
  if (!read_number(text, interval) || !(interval > 0.0) || !std::isfinite(interval)) {
    throw std::invalid_argument(
        fmt::format("\"{}\" is a clock: its interval must be a positive number, not \"{}\"",
                    variable.name, text));
  }
  return interval;
}

/// Where its start value is set.
Instance::Mode start_mode(const Variable& variable) {
  return variable.causality == Causality::structural_parameter ? Instance::Mode::configuration
         : variable.clocks.empty()                             ? Instance::Mode::instantiated
                                                               : Instance::Mode::initialization;
}

}  // namespace

bool takes_interval(const Variable& clock) {
  return clock.type == VariableType::clock && clock.causality == Causality::input &&
         clock.clock->interval_decimal &&
         (clock.clock->interval_variability == IntervalVariability::fixed ||
          clock.clock->interval_variability == IntervalVariability::tunable);
}

const Variable& find_variable(const ModelDescription& description, std::string_view name) {
  if (const Variable* found = description.find(name)) return *found;
  const std::string_view array = name.substr(0, name.rfind('['));
  if (const Variable* found = description.find(array); found && !found->dimensions.empty()) {
    throw std::invalid_argument(fmt::format(
        "\"{0}\" is an element of the array \"{1}\": name the array, \"{1}\"; all of its elements "
        "are "
        "recorded, and as a start value give one for all of them, or one each with blanks between",
        name, array));
  }
  throw std::invalid_argument(fmt::format("there is no variable \"{}\" in {}{}", name,
                                          description.model_name, suggestions(description, name)));
}

bool is_writable(const Variable& variable, Instance::Mode mode) {
  if (variable.variability == Variability::constant || variable.type == VariableType::clock) {
    return false;
  }
  // FMI 3.0, 2.2.6: in event mode their clock must be active, and then `ClockSchedule` sets them.
  if (!variable.clocks.empty() && mode != Instance::Mode::initialization) return false;
  const bool is_structural = variable.causality == Causality::structural_parameter;
  const bool is_input = variable.causality == Causality::input;
  const bool is_continuous_input = is_input && variable.variability == Variability::continuous;
  const bool is_tunable =
      variable.causality == Causality::parameter && variable.variability == Variability::tunable;
  switch (mode) {
    case Instance::Mode::instantiated:
      return !is_structural &&
             (variable.initial == Initial::exact || variable.initial == Initial::approx);
    case Instance::Mode::configuration:
      return is_structural;
    case Instance::Mode::initialization:
      return !is_structural && variable.initial == Initial::exact;
    case Instance::Mode::event:
    case Instance::Mode::step:
    case Instance::Mode::clock_activation:
      return is_input || is_tunable;
    case Instance::Mode::continuous_time:
      return is_continuous_input;
    case Instance::Mode::intermediate_update:
      return is_continuous_input && variable.intermediate_update;
    case Instance::Mode::terminated:
      return false;
  }
  return false;
}

Value fit(const Instance& instance, const Variable& variable, const Value& value) {
  const std::size_t count = instance.element_count(variable);
  if (value.size() != 1 && value.size() != count) {
    throw std::invalid_argument(fmt::format("variable \"{}\" has {} elements, but {} were given",
                                            variable.name, count, value.size()));
  }
  for (const Scalar& scalar : value) {
    if (!holds_type(scalar, variable.type)) {
      throw std::invalid_argument(fmt::format("variable \"{}\" is a {}, the value is not",
                                              variable.name, to_string(variable.type)));
    }
  }
  return value.size() == count ? value : Value(count, value.front());
}

StartValues::StartValues(const ModelDescription& description,
                         const std::map<std::string, std::string>& texts) {
  for (const auto& [name, text] : texts) {
    const Variable& variable = find_variable(description, name);
    if (variable.type == VariableType::clock) {
      intervals_[variable.reference] = parse_interval(variable, text);
      continue;
    }
    if (!is_writable(variable, start_mode(variable))) {
      throw std::invalid_argument(fmt::format(
          "\"{}\" cannot be given a start value: causality {}, variability {}, initial {}", name,
          to_string(variable.causality), to_string(variable.variability),
          to_string(variable.initial)));
    }
    values_[&variable] = description.parse(variable, text);
  }
}

void StartValues::configure(Instance& instance, const Variable* enabled) const {
  bool configuring = false;
  if (enabled != nullptr) {
    instance.enter_configuration_mode();
    configuring = true;
    instance.write(*enabled, {true});
  }
  for (const auto& [variable, value] : values_) {
    if (start_mode(*variable) != Instance::Mode::configuration || variable == enabled) continue;
    if (!configuring) instance.enter_configuration_mode();
    configuring = true;
    instance.write(*variable, fit(instance, *variable, value));
  }
  if (configuring) instance.exit_configuration_mode();
}

void StartValues::apply(Instance& instance) const {
  for (const auto& [variable, value] : values_) {
    if (start_mode(*variable) != instance.mode()) continue;
    instance.write(*variable, fit(instance, *variable, value));
  }
}

}  // namespace saltus::importer
