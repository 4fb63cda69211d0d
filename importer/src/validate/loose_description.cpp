// SPDX-License-Identifier: BSD-2-Clause
#include "loose_description.hpp"

#include "../parse_description.hpp"

namespace saltus::importer::validation {
namespace {

/// The enumerator with this name; the enumerators are 0 to `last`.
template <class Enum>
std::optional<Enum> word_of(const Element& element, const char* attribute, Enum last) {
  const std::string text = element.text(attribute);
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (trim(text) == to_string(static_cast<Enum>(i))) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

std::optional<VariableType> fmi2_type(std::string_view element) {
  if (element == "Real") return VariableType::float64;
  if (element == "Integer") return VariableType::int32;
  if (element == "Boolean") return VariableType::boolean;
  if (element == "String") return VariableType::string;
  if (element == "Enumeration") return VariableType::enumeration;
  return std::nullopt;
}

/// The child with the type, in FMI 2.0; the element itself if there is none.
Element typed_child(const Element& entry) {
  for (const Element& child : entry.children()) {
    if (fmi2_type(child.name())) return child;
  }
  return entry;
}

/// FMI 3.0, 2.4.7.4: the default depends on type and causality. FMI 2.0, 2.2.7: it is continuous,
/// which only a Real can be; what is meant otherwise is discrete.
std::optional<Variability> variability_of(const LooseVariable& variable, FmiVersion version) {
  if (variable.entry.has("variability")) {
    return word_of(variable.entry, "variability", Variability::continuous);
  }
  if (!variable.causality || !variable.type) return std::nullopt;
  const bool is_parameter = *variable.causality == Causality::parameter ||
                            *variable.causality == Causality::calculated_parameter ||
                            *variable.causality == Causality::structural_parameter;
  if (is_parameter && version == FmiVersion::fmi3) return Variability::fixed;
  return variable.is_float() ? Variability::continuous : Variability::discrete;
}

/// FMI 3.0, 2.4.7.5, and FMI 2.0, 2.2.7, table of `initial`.
std::optional<Initial> initial_of(const LooseVariable& variable, FmiVersion version) {
  if (variable.entry.has("initial")) return word_of(variable.entry, "initial", Initial::calculated);
  if (!variable.causality || !variable.variability) return std::nullopt;
  if (variable.is_clock() || *variable.causality == Causality::independent) return Initial::none;
  if (*variable.causality == Causality::input) {
    return version == FmiVersion::fmi3 ? Initial::exact : Initial::none;
  }
  if (*variable.variability == Variability::constant ||
      *variable.causality == Causality::parameter ||
      *variable.causality == Causality::structural_parameter) {
    return Initial::exact;
  }
  return Initial::calculated;
}

LooseVariable read_variable(const Element& entry, FmiVersion version) {
  const bool is_fmi3 = version == FmiVersion::fmi3;
  LooseVariable variable{.entry = entry, .typed = is_fmi3 ? entry : typed_child(entry)};
  variable.type = is_fmi3 ? type_of_element(entry.name(), "") : fmi2_type(variable.typed.name());
  variable.name = entry.text("name");
  variable.reference = number_of<ValueReference>(entry, "valueReference");
  variable.causality = entry.has("causality") ? word_of(entry, "causality", Causality::independent)
                                              : Causality::local;
  variable.variability = variability_of(variable, version);
  variable.initial = initial_of(variable, version);
  variable.has_start = variable.typed.has("start") || !variable.typed.children("Start").empty();
  variable.is_clocked = entry.has("clocks");
  return variable;
}

void read_types(LooseDescription& model) {
  for (const Element& list : model.root.children("UnitDefinitions")) {
    for (const Element& entry : list.children("Unit")) {
      LooseUnit& unit = model.units.emplace_back(
          LooseUnit{.entry = entry, .name = entry.text("name"), .display_units = {}});
      for (const Element& display : entry.children("DisplayUnit")) {
        unit.display_units.insert(display.text("name"));
      }
    }
  }
  for (const Element& list : model.root.children("TypeDefinitions")) {
    for (const Element& entry : list.children()) {
      const Element typed = model.is_fmi3() ? entry : typed_child(entry);
      model.types.push_back({.entry = entry,
                             .typed = typed,
                             .type = model.is_fmi3() ? type_of_element(entry.name(), "Type")
                                                     : fmi2_type(typed.name()),
                             .name = entry.text("name")});
      for (const Element& item : typed.children("Item")) {
        const auto value = number_of<std::int64_t>(item, "value");
        if (value) model.types.back().item_values.insert(*value);
      }
      model.type_by_name.emplace(model.types.back().name, model.types.size() - 1);
    }
  }
}

std::optional<std::uint64_t> count_elements(const LooseDescription& model,
                                            const LooseVariable& variable) {
  std::uint64_t count = 1;
  for (const Element& dimension : variable.entry.children("Dimension")) {
    std::optional<std::uint64_t> size = number_of<std::uint64_t>(dimension, "start");
    if (const auto reference = number_of<ValueReference>(dimension, "valueReference")) {
      const auto found = model.find(*reference);
      if (!found) return std::nullopt;
      size = number_of<std::uint64_t>(model.variables[*found].typed, "start");
    }
    // 2^32 elements are more than fit into any memory, and the product must not overflow.
    if (!size || *size == 0 || *size > (std::uint64_t{1} << 32U) / count) return std::nullopt;
    count *= *size;
  }
  return count;
}

void read_variables(LooseDescription& model) {
  for (const Element& list : model.root.children("ModelVariables")) {
    for (const Element& entry : list.children()) {
      model.variables.push_back(read_variable(entry, model.version));
      const LooseVariable& variable = model.variables.back();
      if (variable.reference) {
        model.by_reference.emplace(*variable.reference, model.variables.size() - 1);
      }
    }
  }
  for (LooseVariable& variable : model.variables) {
    variable.elements = model.is_fmi3() ? count_elements(model, variable) : 1;
    const auto type = model.type_by_name.find(variable.typed.text("declaredType"));
    if (variable.typed.has("declaredType") && type != model.type_by_name.end()) {
      variable.declared_type = type->second;
    }
    if (const auto state = number_of<std::uint32_t>(variable.typed, "derivative")) {
      variable.derivative_of = model.find(*state);
    }
  }
}

std::optional<List> list_named(std::string_view element) {
  if (element == "Output" || element == "Outputs") return List::outputs;
  if (element == "ContinuousStateDerivative" || element == "Derivatives") return List::derivatives;
  if (element == "ClockedState") return List::clocked_states;
  if (element == "InitialUnknown" || element == "InitialUnknowns") return List::initial_unknowns;
  if (element == "EventIndicator") return List::event_indicators;
  return std::nullopt;
}

void read_unknown(const Element& entry, List list, LooseDescription& model) {
  LooseUnknown unknown{.entry = entry, .list = list, .variable = std::nullopt};
  if (const auto handle = number_of<std::uint32_t>(entry, model.handle_attribute())) {
    unknown.variable = model.find(*handle);
  }
  if (list == List::derivatives && unknown.variable) {
    const auto state = model.variables[*unknown.variable].derivative_of;
    if (state) model.variables[*state].is_state = true;
  }
  model.unknowns.push_back(unknown);
}

}  // namespace

bool LooseDescription::has_interface(std::string_view name) const {
  for (const Element& interface : interfaces) {
    if (interface.name() == name) return true;
  }
  return false;
}

std::optional<std::size_t> LooseDescription::find(std::uint32_t handle) const {
  if (is_fmi3()) {
    const auto found = by_reference.find(handle);
    if (found == by_reference.end()) return std::nullopt;
    return found->second;
  }
  if (handle < 1 || handle > variables.size()) return std::nullopt;
  return handle - 1;
}

const Element* LooseDescription::giver(const LooseVariable& variable, const char* attribute) const {
  if (variable.typed.has(attribute)) return &variable.typed;
  if (!variable.declared_type) return nullptr;
  const Element& type = types[*variable.declared_type].typed;
  return type.has(attribute) ? &type : nullptr;
}

bool is_true(const Element& element, const char* attribute) {
  bool value = false;
  return read_boolean(element.text(attribute), value) && value;
}

FmiVersion version_of(const Element& root) {
  const std::string text = root.text("fmiVersion");
  if (text.starts_with("1.")) return FmiVersion::fmi1;
  if (text.starts_with("2.")) return FmiVersion::fmi2;
  if (text.starts_with("3.")) return FmiVersion::fmi3;
  // With these the other rules can still do their work.
  if (root.has("instantiationToken")) return FmiVersion::fmi3;
  if (root.has("guid") && !root.has("modelIdentifier")) return FmiVersion::fmi2;
  return FmiVersion::unknown;
}

LooseDescription read_loosely(const Element& root, FmiVersion version) {
  LooseDescription model{.root = root, .version = version};
  for (const char* name : {"ModelExchange", "CoSimulation", "ScheduledExecution"}) {
    for (const Element& interface : root.children(name)) model.interfaces.push_back(interface);
  }
  read_types(model);
  read_variables(model);
  for (const Element& structure : root.children("ModelStructure")) {
    for (const Element& entry : structure.children()) {
      const auto list = list_named(entry.name());
      if (!list) continue;
      if (model.is_fmi3()) {
        read_unknown(entry, *list, model);
        continue;
      }
      for (const Element& unknown : entry.children("Unknown")) read_unknown(unknown, *list, model);
    }
  }
  return model;
}

}  // namespace saltus::importer::validation
