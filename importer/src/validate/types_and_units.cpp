// SPDX-License-Identifier: BSD-2-Clause
// Rules 20 and 21: declared types, enumerations, units.
#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "rules.hpp"
#include "saltus/core/nearest_names.hpp"

namespace saltus::importer::validation {
namespace {

void check_items(const LooseType& type, Findings& findings) {
  std::set<std::string> names;
  std::set<std::int64_t> values;
  for (const Element& item : type.typed.children("Item")) {
    const Rule rule{20, "types.item.repeated"};
    if (item.has("name") && !names.insert(item.text("name")).second) {
      findings.error(rule, Place(item, "name"),
                     fmt::format("a second item of the enumeration \"{}\" is called \"{}\"",
                                 type.name, item.text("name")),
                     "rename one of them");
    }
    const auto value = number_of<std::int64_t>(item, "value");
    if (value && !values.insert(*value).second) {
      findings.error(rule, Place(item, "value"),
                     fmt::format("a second item of the enumeration \"{}\" has the value {}",
                                 type.name, *value),
                     "change one of them");
    }
  }
}

void check_declared_type(const LooseDescription& model, const LooseVariable& variable,
                         Findings& findings) {
  if (!variable.typed.has("declaredType")) return;
  const std::string name = variable.typed.text("declaredType");
  const Place place(variable.typed, "declaredType");
  if (!variable.declared_type) {
    std::vector<std::string> known;
    for (const LooseType& type : model.types) known.push_back(type.name);
    findings.error({20, "types.declared.unknown"}, place,
                   fmt::format("there is no type \"{}\" in TypeDefinitions{}", name,
                               did_you_mean(name, known)),
                   "define it, or leave declaredType out");
    return;
  }
  const LooseType& type = model.types[*variable.declared_type];
  if (!type.type || !variable.type || *type.type == *variable.type) return;
  findings.error(
      {20, "types.declared.kind"}, place,
      fmt::format("\"{}\" is of type {}, and its declared type \"{}\" in line {} is a {}",
                  variable.name, variable.typed.name(), name, type.entry.line(), type.typed.name()),
      "declare a type of the same kind");
}

/// Where the units of a variable or a type are looked up.
class UnitCheck {
 public:
  UnitCheck(const LooseDescription& model, Findings& findings) : findings_(findings) {
    for (const LooseUnit& unit : model.units) {
      names_.push_back(unit.name);
      by_name_.emplace(unit.name, &unit);
    }
  }

  void check_unit(const Element& element) {
    if (!element.has("unit") || find(element.text("unit")) != nullptr) return;
    findings_.error({21, "units.unknown"}, Place(element, "unit"),
                    fmt::format("there is no unit \"{}\" in UnitDefinitions{}",
                                element.text("unit"), did_you_mean(element.text("unit"), names_)),
                    "define it there");
  }

  /// `giver` is where the unit comes from, null if there is none.
  void check_display_unit(const Element& element, const Element* giver) {
    if (!element.has("displayUnit")) return;
    const std::string name = element.text("displayUnit");
    const Place place(element, "displayUnit");
    if (giver == nullptr) {
      findings_.error({21, "units.display.alone"}, place,
                      fmt::format("the display unit \"{}\" stands without a unit", name),
                      "give the unit, too");
      return;
    }
    const LooseUnit* unit = find(giver->text("unit"));
    if (unit == nullptr) return;  // said above
    if (unit->display_units.contains(name)) return;
    findings_.error({21, "units.display.unknown"}, place,
                    fmt::format("the unit \"{}\" has no display unit \"{}\"", unit->name, name),
                    "define it below the unit");
  }

 private:
  const LooseUnit* find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found != by_name_.end() ? found->second : nullptr;
  }

  Findings& findings_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, const LooseUnit*> by_name_;
};

void check_unit_definitions(const LooseDescription& model, Findings& findings) {
  const Rule repeated{21, "units.name.repeated"};
  std::set<std::string> names;
  for (const LooseUnit& unit : model.units) {
    if (!names.insert(unit.name).second) {
      findings.error(repeated, Place(unit.entry, "name"),
                     fmt::format("a second unit is called \"{}\"", unit.name), "keep one");
    }
    std::set<std::string> display_names;
    for (const Element& display : unit.entry.children("DisplayUnit")) {
      if (!display_names.insert(display.text("name")).second) {
        findings.error(repeated, Place(display, "name"),
                       fmt::format("the unit \"{}\" has a second display unit \"{}\"", unit.name,
                                   display.text("name")),
                       "keep one");
      }
      if (is_true(display, "inverse") &&
          number_of<double>(display, "offset").value_or(0.0) != 0.0) {
        findings.error({21, "units.inverse.offset"}, Place(display, "offset"),
                       fmt::format("the display unit \"{}\" is inverse and has an offset",
                                   display.text("name")),
                       "an inverse unit has the offset 0");
      }
    }
  }
}

}  // namespace

void check_types(const LooseDescription& model, Findings& findings) {
  for (const LooseType& type : model.types) check_items(type, findings);
  for (const LooseVariable& variable : model.variables) {
    check_declared_type(model, variable, findings);
  }
}

void check_units(const LooseDescription& model, Findings& findings) {
  check_unit_definitions(model, findings);
  UnitCheck check(model, findings);
  for (const LooseType& type : model.types) {
    check.check_unit(type.typed);
    check.check_display_unit(type.typed, type.typed.has("unit") ? &type.typed : nullptr);
  }
  for (const LooseVariable& variable : model.variables) {
    const Element* giver = model.giver(variable, "unit");
    check.check_unit(variable.typed);
    check.check_display_unit(variable.typed, giver);
    for (const Element& alias : variable.entry.children("Alias")) {
      check.check_display_unit(alias, giver);
    }
  }
}

}  // namespace saltus::importer::validation
