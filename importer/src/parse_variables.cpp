// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <stdexcept>

#include "description_words.hpp"
#include "parse_description.hpp"

namespace saltus::importer {
namespace {

constexpr const char* kIndicesFromZero = "org.saltus.indices-from-zero";

bool is_float(VariableType type) {
  return type == VariableType::float32 || type == VariableType::float64;
}

constexpr Element::Word<IntervalVariability> kIntervalVariabilities[] = {
    {"constant", IntervalVariability::constant},   {"fixed", IntervalVariability::fixed},
    {"tunable", IntervalVariability::tunable},     {"changing", IntervalVariability::changing},
    {"countdown", IntervalVariability::countdown}, {"triggered", IntervalVariability::triggered}};

/// FMI 3.0, 2.4.7.4: the default depends on type and causality, unlike in FMI 2.0.
Variability default_variability(const Variable& variable) {
  switch (variable.causality) {
    case Causality::structural_parameter:
    case Causality::parameter:
    case Causality::calculated_parameter:
      return Variability::fixed;
    default:
      return is_float(variable.type) ? Variability::continuous : Variability::discrete;
  }
}

void parse_start(const Element& entry, Variable& variable) {
  try {
    if (is_numeric(variable.type)) {
      variable.start_text = entry.text("start");
      variable.start = parse_value(variable.type, variable.start_text);
    } else {
      for (const Element& start : entry.children("Start")) {
        const std::string text = start.text("value");
        if (variable.start.empty()) variable.start_text = text;
        variable.start.push_back(parse_scalar(variable.type, text));
      }
    }
  } catch (const std::invalid_argument& error) {
    entry.fail("start", error.what());
  }
}

void parse_clock(const Element& entry, Variable& variable) {
  ClockAttributes& clock = variable.clock.emplace();
  entry.required("intervalVariability");
  clock.interval_variability = *entry.word("intervalVariability", kIntervalVariabilities);
  clock.can_be_deactivated = entry.boolean("canBeDeactivated");
  clock.priority = entry.number<std::uint32_t>("priority");
  clock.interval_decimal = entry.number<double>("intervalDecimal");
  clock.shift_decimal = entry.number<double>("shiftDecimal").value_or(0.0);
  clock.supports_fraction = entry.boolean("supportsFraction");
  clock.resolution = entry.number<std::uint64_t>("resolution");
  clock.interval_counter = entry.number<std::uint64_t>("intervalCounter");
  clock.shift_counter = entry.number<std::uint64_t>("shiftCounter").value_or(0);
}

void parse_dimensions(const Element& entry, Variable& variable) {
  for (const Element& dimension : entry.children("Dimension")) {
    const auto size = dimension.number<std::uint64_t>("start");
    const auto reference = dimension.number<ValueReference>("valueReference");
    if (size.has_value() == reference.has_value()) {
      entry.fail(nullptr, "a Dimension needs either start or valueReference");
    }
    if (size == 0U) entry.fail(nullptr, "a Dimension must not be 0");
    variable.dimensions.push_back({.size = size.value_or(1), .reference = reference});
  }
}

Variable parse_variable(const Element& entry, VariableType type,
                        const ModelDescription& description, const TypesByName& types) {
  Variable variable;
  variable.type = type;
  variable.line = entry.line();
  variable.name = entry.required("name");
  if (variable.name.empty()) entry.fail("name", "the name is empty");
  variable.reference = entry.required_number<ValueReference>("valueReference");
  variable.binary_reference = variable.reference;
  variable.description = entry.text("description");
  variable.causality = entry.word("causality", kCausalities).value_or(Causality::local);
  variable.variability =
      entry.word("variability", kVariabilities).value_or(default_variability(variable));
  if (variable.variability == Variability::continuous && !is_float(type)) {
    entry.fail("variability", fmt::format("a {} cannot be continuous", to_string(type)));
  }
  variable.initial = entry.word("initial", kInitials).value_or(default_initial(variable));
  if (type == VariableType::enumeration) entry.required("declaredType");
  inherit_declared_type(entry, description, types, variable);
  parse_attributes(entry, variable);
  variable.derivative_of = entry.number<ValueReference>("derivative");
  variable.intermediate_update = entry.boolean("intermediateUpdate");
  variable.can_handle_multiple_set_per_time_instant =
      entry.boolean("canHandleMultipleSetPerTimeInstant", true);
  variable.previous = entry.number<ValueReference>("previous");
  variable.max_size = entry.number<std::uint64_t>("maxSize");
  variable.clocks = entry.numbers<ValueReference>("clocks").value_or(std::vector<ValueReference>{});
  if (type == VariableType::clock) parse_clock(entry, variable);
  parse_dimensions(entry, variable);
  parse_start(entry, variable);
  for (const Element& alias : entry.children("Alias")) {
    variable.aliases.push_back({.name = alias.required("name"),
                                .description = alias.text("description"),
                                .display_unit = alias.text("displayUnit")});
  }
  if (const auto annotations = entry.child("Annotations")) {
    for (const Element& annotation : annotations->children("Annotation")) {
      variable.annotations.push_back(annotation.text("type"));
      variable.indices_from_zero |= variable.annotations.back() == kIndicesFromZero;
    }
  }
  return variable;
}

}  // namespace

void parse_variables(const Element& root, ModelDescription& description) {
  const auto list = root.child("ModelVariables");
  if (!list) root.fail(nullptr, "the element ModelVariables is missing");
  const TypesByName types = types_by_name(description);
  std::vector<Element> entries;
  for (const Element& entry : list->children()) {
    const auto type = type_of_element(entry.name(), "");
    if (!type) {
      if (description.fmi_version.starts_with("3.0")) {
        entry.fail(nullptr, "not a variable of FMI 3.0");
      }
      description.warnings.push_back(fmt::format(
          "line {}: the variable <{}> is unknown and ignored", entry.line(), entry.name()));
      continue;
    }
    description.variables.push_back(parse_variable(entry, *type, description, types));
    enter_variable(entry, description.variables.size() - 1, description);
    entries.push_back(entry);
  }
  std::size_t independent = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Variable& variable = description.variables[i];
    resolve_variable(entries[i], variable, description);
    if (variable.causality == Causality::independent) ++independent;
  }
  if (independent != 1) {
    description.warnings.push_back(
        fmt::format("there are {} independent variables instead of one", independent));
  }
}

}  // namespace saltus::importer
