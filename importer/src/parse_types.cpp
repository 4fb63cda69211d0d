// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <unordered_map>

#include "parse_description.hpp"

namespace saltus::importer {
namespace {

void parse_items(const Element& entry, TypeDefinition& type) {
  for (const Element& item : entry.children("Item")) {
    type.items.push_back({.name = item.required("name"),
                          .value = item.required_number<std::int64_t>("value"),
                          .description = item.text("description")});
  }
  if (type.items.empty()) entry.fail(nullptr, "an enumeration needs at least one Item");
}

}  // namespace

void parse_units(const Element& root, ModelDescription& description) {
  const auto element = root.child("UnitDefinitions");
  if (!element) return;
  for (const Element& entry : element->children("Unit")) {
    Unit unit{.name = entry.required("name"), .base = {}, .display_units = {}};
    if (const auto base = entry.child("BaseUnit")) {
      const auto exponent = [&](const char* name) { return base->number<int>(name).value_or(0); };
      unit.base = BaseUnit{.kg = exponent("kg"),
                           .m = exponent("m"),
                           .s = exponent("s"),
                           .A = exponent("A"),
                           .K = exponent("K"),
                           .mol = exponent("mol"),
                           .cd = exponent("cd"),
                           .rad = exponent("rad"),
                           .factor = base->number<double>("factor").value_or(1.0),
                           .offset = base->number<double>("offset").value_or(0.0)};
    }
    for (const Element& display : entry.children("DisplayUnit")) {
      unit.display_units.push_back({.name = display.required("name"),
                                    .factor = display.number<double>("factor").value_or(1.0),
                                    .offset = display.number<double>("offset").value_or(0.0),
                                    .inverse = display.boolean("inverse")});
    }
    description.units.push_back(std::move(unit));
  }
}

std::optional<VariableType> type_of_element(std::string_view element, std::string_view suffix) {
  if (!element.ends_with(suffix)) return std::nullopt;
  element.remove_suffix(suffix.size());
  for (int i = 0; i <= static_cast<int>(VariableType::clock); ++i) {
    const auto type = static_cast<VariableType>(i);
    if (element == to_string(type)) return type;
  }
  return std::nullopt;
}

TypeDefinition parse_type_attributes(const Element& entry, VariableType type) {
  TypeDefinition definition;
  definition.type = type;
  definition.quantity = entry.text("quantity");
  definition.unit = entry.text("unit");
  definition.display_unit = entry.text("displayUnit");
  definition.min = entry.number<double>("min");
  definition.max = entry.number<double>("max");
  definition.nominal = entry.number<double>("nominal");
  definition.relative_quantity = entry.boolean("relativeQuantity");
  definition.unbounded = entry.boolean("unbounded");
  if (type == VariableType::enumeration) parse_items(entry, definition);
  return definition;
}

void parse_types(const Element& root, ModelDescription& description) {
  const auto element = root.child("TypeDefinitions");
  if (!element) return;
  std::unordered_map<std::string, std::size_t> lines;
  for (const Element& entry : element->children()) {
    const auto type = type_of_element(entry.name(), "Type");
    if (!type) {
      description.warnings.push_back(fmt::format(
          "line {}: the type definition <{}> is unknown and ignored", entry.line(), entry.name()));
      continue;
    }
    TypeDefinition definition = parse_type_attributes(entry, *type);
    definition.name = entry.required("name");
    definition.description = entry.text("description");
    const auto [first, inserted] = lines.emplace(definition.name, entry.line());
    if (!inserted) {
      entry.fail("name", fmt::format("the type \"{}\" is defined twice; the first is in line {}",
                                     definition.name, first->second));
    }
    description.types.push_back(std::move(definition));
  }
}

}  // namespace saltus::importer
