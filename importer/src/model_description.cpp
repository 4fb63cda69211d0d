// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/model_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "number_text.hpp"

namespace saltus::importer {

const char* to_string(Causality causality) {
  switch (causality) {
    case Causality::structural_parameter:
      return "structuralParameter";
    case Causality::parameter:
      return "parameter";
    case Causality::calculated_parameter:
      return "calculatedParameter";
    case Causality::input:
      return "input";
    case Causality::output:
      return "output";
    case Causality::local:
      return "local";
    case Causality::independent:
      return "independent";
  }
  return "?";
}

const char* to_string(Variability variability) {
  switch (variability) {
    case Variability::constant:
      return "constant";
    case Variability::fixed:
      return "fixed";
    case Variability::tunable:
      return "tunable";
    case Variability::discrete:
      return "discrete";
    case Variability::continuous:
      return "continuous";
  }
  return "?";
}

const char* to_string(Initial initial) {
  switch (initial) {
    case Initial::exact:
      return "exact";
    case Initial::approx:
      return "approx";
    case Initial::calculated:
      return "calculated";
    case Initial::none:
      return "none";
  }
  return "?";
}

const char* to_string(IntervalVariability variability) {
  switch (variability) {
    case IntervalVariability::constant:
      return "constant";
    case IntervalVariability::fixed:
      return "fixed";
    case IntervalVariability::tunable:
      return "tunable";
    case IntervalVariability::changing:
      return "changing";
    case IntervalVariability::countdown:
      return "countdown";
    case IntervalVariability::triggered:
      return "triggered";
  }
  return "?";
}

const Variable* ModelDescription::find(std::string_view name) const {
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : &variables[found->second];
}

const Variable* ModelDescription::find(ValueReference reference) const {
  const auto found = by_reference.find(reference);
  return found == by_reference.end() ? nullptr : &variables[found->second];
}

const Variable* ModelDescription::state_of(const Unknown& derivative) const {
  const auto& reference = variables[derivative.variable].derivative_of;
  return reference ? find(*reference) : nullptr;
}

std::size_t ModelDescription::element_count(const Variable& variable) const {
  std::size_t count = 1;
  for (const Dimension& dimension : variable.dimensions) count *= dimension.size;
  return count;
}

const EnumerationItem* ModelDescription::item(const Variable& variable,
                                              std::string_view name) const {
  if (!variable.declared_type) return nullptr;
  const auto& items = types[*variable.declared_type].items;
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](const EnumerationItem& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

const EnumerationItem* ModelDescription::item(const Variable& variable, std::int64_t value) const {
  if (!variable.declared_type) return nullptr;
  const auto& items = types[*variable.declared_type].items;
  const auto found = std::find_if(items.begin(), items.end(),
                                  [&](const EnumerationItem& item) { return item.value == value; });
  return found == items.end() ? nullptr : &*found;
}

Value ModelDescription::parse(const Variable& variable, std::string_view text) const {
  if (variable.type == VariableType::enumeration) {
    // The name of an item may contain blanks, so it is tried before the text is split.
    if (const EnumerationItem* found = item(variable, trim(text))) return {found->value};
  }
  Value value;
  try {
    value = parse_value(variable.type, text);
  } catch (const std::invalid_argument& error) {
    std::string reason = fmt::format("variable \"{}\": {}", variable.name, error.what());
    if (variable.type == VariableType::enumeration && variable.declared_type) {
      for (const EnumerationItem& known : types[*variable.declared_type].items) {
        reason +=
            fmt::format("{} \"{}\" ({})", reason.find("; try") == std::string::npos ? "; try" : ",",
                        known.name, known.value);
      }
    }
    throw std::invalid_argument(reason);
  }
  // An array may have no elements, which only the instance knows.
  if (value.size() != 1 && variable.dimensions.empty()) {
    throw std::invalid_argument(fmt::format("variable \"{}\" takes one {}, but {} were given",
                                            variable.name, to_string(variable.type), value.size()));
  }
  return value;
}

std::string element_name(const std::string& variable, const std::vector<std::size_t>& sizes,
                         std::size_t index, bool from_zero) {
  if (sizes.empty()) return variable;
  std::string indices;
  for (std::size_t k = sizes.size(); k-- > 0;) {
    indices = fmt::format("{}{}{}", index % sizes[k] + (from_zero ? 0 : 1),
                          indices.empty() ? "" : ",", indices);
    index /= sizes[k];
  }
  if (from_zero && variable.starts_with("der(") && variable.ends_with(')')) {
    return fmt::format("{}[{}])", variable.substr(0, variable.size() - 1), indices);
  }
  return fmt::format("{}[{}]", variable, indices);
}

}  // namespace saltus::importer
