// SPDX-License-Identifier: BSD-2-Clause
// What the descriptions of all versions of FMI say of a variable in the same way.
#include <fmt/format.h>

#include <stdexcept>

#include "parse_description.hpp"

namespace saltus::importer {
namespace {

/// The types of FMI 1.0 and 2.0.
constexpr Element::Word<VariableType> kOldTypes[] = {{"Real", VariableType::float64},
                                                     {"Integer", VariableType::int32},
                                                     {"Boolean", VariableType::boolean},
                                                     {"String", VariableType::string},
                                                     {"Enumeration", VariableType::enumeration}};

/// Each of them gets a name; a number that no model has is a mistake, not a demand for memory.
constexpr std::size_t kMostUnnamed = 10'000'000;

}  // namespace

TypeElement type_element(const Element& entry, std::string_view suffix) {
  for (const Element& child : entry.children()) {
    std::string_view word = child.name();
    if (!word.ends_with(suffix)) continue;
    word.remove_suffix(suffix.size());
    for (const auto& [name, type] : kOldTypes) {
      if (word == name) return {child, type};
    }
  }
  entry.fail(nullptr, fmt::format("none of Real{0}, Integer{0}, Boolean{0}, String{0}, "
                                  "Enumeration{0} is in it",
                                  suffix));
}

std::size_t parse_count(const Element& root, const char* attribute) {
  const std::size_t count = root.number<std::size_t>(attribute).value_or(0);
  if (count > kMostUnnamed) {
    root.fail(attribute,
              fmt::format("{} is more than the {} that are allowed", count, kMostUnnamed));
  }
  return count;
}

void parse_forgiving_start(const Element& element, Variable& variable,
                           ModelDescription& description) {
  if (!element.has("start")) return;
  variable.start_text = element.text("start");
  try {
    variable.start = {parse_scalar(variable.type, variable.start_text)};
  } catch (const std::invalid_argument& error) {
    description.warnings.push_back(fmt::format("line {}: \"{}\": start: {}; it is ignored",
                                               variable.line, variable.name, error.what()));
    variable.start_text.clear();
  }
}

// FMI 3.0, 2.4.7.5, table "Definition of initial"; FMI 2.0.4, 2.2.7, the same table.
Initial default_initial(const Variable& variable) {
  if (variable.type == VariableType::clock || variable.causality == Causality::independent) {
    return Initial::none;
  }
  if (variable.variability == Variability::constant || variable.causality == Causality::input ||
      variable.causality == Causality::parameter ||
      variable.causality == Causality::structural_parameter) {
    return Initial::exact;
  }
  return Initial::calculated;
}

TypesByName types_by_name(const ModelDescription& description) {
  TypesByName types;
  for (std::size_t i = 0; i < description.types.size(); ++i) types[description.types[i].name] = i;
  return types;
}

void inherit_declared_type(const Element& entry, const ModelDescription& description,
                           const TypesByName& types, Variable& variable) {
  if (!entry.has("declaredType")) return;
  const std::string name = entry.text("declaredType");
  const auto found = types.find(name);
  if (found == types.end()) {
    entry.fail("declaredType", fmt::format("there is no type \"{}\" in TypeDefinitions", name));
  }
  const TypeDefinition& type = description.types[found->second];
  if (type.type != variable.type) {
    entry.fail("declaredType", fmt::format("\"{}\" is a {}, the variable a {}", name,
                                           to_string(type.type), to_string(variable.type)));
  }
  variable.declared_type = found->second;
  variable.quantity = type.quantity;
  variable.unit = type.unit;
  variable.display_unit = type.display_unit;
  variable.relative_quantity = type.relative_quantity;
  variable.unbounded = type.unbounded;
  variable.min = type.min;
  variable.max = type.max;
  variable.nominal = type.nominal;
}

void parse_attributes(const Element& entry, Variable& variable) {
  const auto replace = [&](const char* attribute, std::string& text) {
    if (entry.has(attribute)) text = entry.text(attribute);
  };
  replace("quantity", variable.quantity);
  replace("unit", variable.unit);
  replace("displayUnit", variable.display_unit);
  replace("mimeType", variable.mime_type);
  variable.relative_quantity = entry.boolean("relativeQuantity", variable.relative_quantity);
  variable.unbounded = entry.boolean("unbounded", variable.unbounded);
  if (const auto min = entry.number<double>("min")) variable.min = min;
  if (const auto max = entry.number<double>("max")) variable.max = max;
  if (const auto nominal = entry.number<double>("nominal")) variable.nominal = nominal;
  variable.reinit = entry.boolean("reinit");
}

}  // namespace saltus::importer
