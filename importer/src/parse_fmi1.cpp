// SPDX-License-Identifier: BSD-2-Clause
// modelDescription.xml of FMI 1.0, Model Exchange and Co-Simulation, in the words of 3.0.
#include <fmt/format.h>

#include "parse_description.hpp"

namespace saltus::importer {
namespace {

constexpr Element::Word<Causality> kFmi1Causalities[] = {{"input", Causality::input},
                                                         {"output", Causality::output},
                                                         {"internal", Causality::local},
                                                         {"none", Causality::local}};
/// What is called parameter here does not change once the FMU is initialised.
constexpr Element::Word<Variability> kFmi1Variabilities[] = {
    {"constant", Variability::constant},
    {"parameter", Variability::fixed},
    {"discrete", Variability::discrete},
    {"continuous", Variability::continuous}};
enum class Fmi1Alias { none, same, negated };
constexpr Element::Word<Fmi1Alias> kFmi1Aliases[] = {
    {"noAlias", Fmi1Alias::none}, {"alias", Fmi1Alias::same}, {"negatedAlias", Fmi1Alias::negated}};

/// A start value is the value at the beginning unless `fixed` says that it is a guess. Without one
/// the FMU computes the value, but for inputs, which somebody has to set.
Initial fmi1_initial(const Element& typed, const Variable& variable) {
  if (variable.causality == Causality::input || variable.variability == Variability::constant) {
    return Initial::exact;
  }
  if (!typed.has("start")) return Initial::calculated;
  return typed.boolean("fixed", true) ? Initial::exact : Initial::approx;
}

/// A parameter that has no start value, or a guess, depends on others.
Causality fmi1_causality(const Variable& variable) {
  if (variable.variability != Variability::fixed || variable.causality == Causality::output) {
    return variable.causality;
  }
  return variable.initial == Initial::exact ? Causality::parameter
                                            : Causality::calculated_parameter;
}

Variable parse_fmi1_variable(const Element& entry, ModelDescription& description,
                             const TypesByName& types) {
  const TypeElement typed = type_element(entry, "");
  Variable variable;
  variable.type = typed.type;
  variable.line = entry.line();
  variable.name = entry.required("name");
  if (variable.name.empty()) entry.fail("name", "the name is empty");
  variable.reference = static_cast<ValueReference>(description.variables.size());
  variable.binary_reference = entry.required_number<std::uint32_t>("valueReference");
  variable.description = entry.text("description");
  variable.causality = entry.word("causality", kFmi1Causalities).value_or(Causality::local);
  variable.variability =
      entry.word("variability", kFmi1Variabilities).value_or(Variability::continuous);
  if (variable.variability == Variability::continuous && typed.type != VariableType::float64) {
    variable.variability = Variability::discrete;
  }
  variable.initial = fmi1_initial(typed.element, variable);
  variable.causality = fmi1_causality(variable);
  const Fmi1Alias alias = entry.word("alias", kFmi1Aliases).value_or(Fmi1Alias::none);
  variable.is_alias = alias != Fmi1Alias::none;
  variable.is_negated = alias == Fmi1Alias::negated;
  if (variable.is_negated && typed.type == VariableType::string) {
    entry.fail("alias", "a String cannot be negated");
  }
  inherit_declared_type(typed.element, description, types, variable);
  parse_attributes(typed.element, variable);
  parse_forgiving_start(typed.element, variable, description);
  return variable;
}

void parse_fmi1_capabilities(const Element& implementation, CoSimulation& cs) {
  const auto capabilities = implementation.child("Capabilities");
  if (!capabilities) return;
  cs.can_be_instantiated_only_once_per_process =
      capabilities->boolean("canBeInstantiatedOnlyOncePerProcess");
  cs.can_handle_variable_communication_step_size =
      capabilities->boolean("canHandleVariableCommunicationStepSize");
  cs.max_output_derivative_order =
      capabilities->number<std::uint32_t>("maxOutputDerivativeOrder").value_or(0);
  cs.can_run_asynchronously = capabilities->boolean("canRunAsynchronuously");
}

}  // namespace

void parse_fmi1_interfaces(const Element& root, ModelDescription& description) {
  const auto implementation = root.child("Implementation");
  if (!implementation) {
    ModelExchange& me = description.model_exchange.emplace();
    me.model_identifier = parse_identifier(root, description);
    me.needs_completed_integrator_step = true;
    return;
  }
  CoSimulation& cs = description.co_simulation.emplace();
  cs.model_identifier = parse_identifier(root, description);
  const auto alone = implementation->child("CoSimulation_StandAlone");
  const auto tool = implementation->child("CoSimulation_Tool");
  if (!alone && !tool) {
    implementation->fail(nullptr, "neither CoSimulation_StandAlone nor CoSimulation_Tool is in it");
  }
  cs.needs_execution_tool = !alone;
  parse_fmi1_capabilities(alone ? *alone : *tool, cs);
}

void parse_fmi1_units(const Element& root, ModelDescription& description) {
  const auto element = root.child("UnitDefinitions");
  if (!element) return;
  for (const Element& entry : element->children("BaseUnit")) {
    Unit unit{.name = entry.required("unit"), .base = {}, .display_units = {}};
    for (const Element& display : entry.children("DisplayUnitDefinition")) {
      unit.display_units.push_back({.name = display.required("displayUnit"),
                                    .factor = display.number<double>("gain").value_or(1.0),
                                    .offset = display.number<double>("offset").value_or(0.0),
                                    .inverse = false});
    }
    description.units.push_back(std::move(unit));
  }
}

/// The items of an enumeration are numbered from 1, in their order.
void parse_fmi1_types(const Element& root, ModelDescription& description) {
  const auto element = root.child("TypeDefinitions");
  if (!element) return;
  for (const Element& entry : element->children("Type")) {
    const TypeElement typed = type_element(entry, "Type");
    const bool is_enumeration = typed.type == VariableType::enumeration;
    // In 2.0 and 3.0 an item has a value.
    TypeDefinition definition =
        parse_type_attributes(typed.element, is_enumeration ? VariableType::int32 : typed.type);
    definition.type = typed.type;
    definition.name = entry.required("name");
    definition.description = entry.text("description");
    if (is_enumeration) {
      for (const Element& item : typed.element.children("Item")) {
        definition.items.push_back({.name = item.required("name"),
                                    .value = static_cast<std::int64_t>(definition.items.size() + 1),
                                    .description = item.text("description")});
      }
    }
    description.types.push_back(std::move(definition));
  }
}

void parse_fmi1_variables(const Element& root, ModelDescription& description) {
  // A model may have no variables, and then no element for them either.
  const auto list = root.child("ModelVariables");
  if (!list) return;
  const TypesByName types = types_by_name(description);
  for (const Element& entry : list->children("ScalarVariable")) {
    description.variables.push_back(parse_fmi1_variable(entry, description, types));
    enter_variable(entry, description.variables.size() - 1, description);
    resolve_variable(entry, description.variables.back(), description);
  }
}

void parse_fmi1_structure(const Element& root, ModelDescription& description) {
  ModelStructure& structure = description.structure;
  structure.unnamed_continuous_states = parse_count(root, "numberOfContinuousStates");
  structure.unnamed_event_indicators = parse_count(root, "numberOfEventIndicators");
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (variable.causality != Causality::output) continue;
    Unknown& output = structure.outputs.emplace_back();
    output.variable = i;
    output.line = variable.line;
  }
}

}  // namespace saltus::importer
