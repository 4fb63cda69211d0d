// SPDX-License-Identifier: BSD-2-Clause
#include "start_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace saltus::importer {
namespace {

constexpr std::size_t kMaxSuggestions = 3;

/// Levenshtein's distance, one row at a time.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string suggestions(const ModelDescription& description, std::string_view name) {
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (const Variable& variable : description.variables) {
    const std::size_t d = distance(name, variable.name);
    if (d <= 1 + name.size() / 3) near.emplace_back(d, variable.name);
  }
  std::sort(near.begin(), near.end());
  near.resize(std::min(near.size(), kMaxSuggestions));
  std::string text;
  for (const auto& [d, known] : near) {
    text += fmt::format("{}\"{}\"", text.empty() ? "; did you mean " : " or ", known);
  }
  return text;
}

bool holds_type(const Scalar& scalar, VariableType type) {
  return scalar.index() == (is_numeric(type)               ? from_number(type, 0.0).index()
                            : type == VariableType::string ? Scalar(std::string()).index()
                                                           : Scalar(Binary()).index());
}

}  // namespace

const Variable& find_variable(const ModelDescription& description, std::string_view name) {
  if (const Variable* found = description.find(name)) return *found;
  throw std::invalid_argument(fmt::format("there is no variable \"{}\" in {}{}", name,
                                          description.model_name, suggestions(description, name)));
}

bool is_writable(const Variable& variable, Instance::Mode mode) {
  if (variable.variability == Variability::constant || variable.type == VariableType::clock ||
      !variable.clocks.empty()) {
    return false;
  }
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
    if (!is_writable(variable, Instance::Mode::instantiated) &&
        !is_writable(variable, Instance::Mode::configuration)) {
      throw std::invalid_argument(fmt::format(
          "\"{}\" cannot be given a start value: causality {}, variability {}, initial {}", name,
          to_string(variable.causality), to_string(variable.variability),
          to_string(variable.initial)));
    }
    values_[&variable] = description.parse(variable, text);
  }
}

void StartValues::configure(Instance& instance) const {
  bool configuring = false;
  for (const auto& [variable, value] : values_) {
    if (variable->causality != Causality::structural_parameter) continue;
    if (!configuring) instance.enter_configuration_mode();
    configuring = true;
    instance.write(*variable, fit(instance, *variable, value));
  }
  if (configuring) instance.exit_configuration_mode();
}

void StartValues::apply(Instance& instance) const {
  for (const auto& [variable, value] : values_) {
    if (variable->causality == Causality::structural_parameter) continue;
    instance.write(*variable, fit(instance, *variable, value));
  }
}

}  // namespace saltus::importer
