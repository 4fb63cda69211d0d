// SPDX-License-Identifier: BSD-2-Clause
// modelDescription.xml of FMI 2.0 (2.0.4, 2.2): other element names than in 3.0, and places in the
// list of variables where 3.0 has value references. What comes out is the same.
#include <fmt/format.h>

#include "description_words.hpp"
#include "parse_description.hpp"

namespace saltus::importer {
namespace {

void parse_fmi2_interface(const Element& element, Interface& interface,
                          ModelDescription& description) {
  interface.model_identifier = parse_identifier(element, description);
  interface.needs_execution_tool = element.boolean("needsExecutionTool");
  interface.can_be_instantiated_only_once_per_process =
      element.boolean("canBeInstantiatedOnlyOncePerProcess");
  interface.can_get_and_set_fmu_state = element.boolean("canGetAndSetFMUstate");
  interface.can_serialize_fmu_state = element.boolean("canSerializeFMUstate");
  interface.provides_directional_derivatives = element.boolean("providesDirectionalDerivative");
}

/// 2.2.7: without the attribute a variable is continuous. That cannot be meant of other types than
/// Real, and for parameters and constants it is often forgotten.
Variability default_fmi2_variability(const Variable& variable) {
  if (variable.causality == Causality::parameter ||
      variable.causality == Causality::calculated_parameter) {
    return Variability::fixed;
  }
  return variable.type == VariableType::float64 ? Variability::continuous : Variability::discrete;
}

Variable parse_fmi2_variable(const Element& entry, ModelDescription& description,
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
  variable.causality = entry.word("causality", kCausalities).value_or(Causality::local);
  variable.variability =
      entry.word("variability", kVariabilities).value_or(default_fmi2_variability(variable));
  if (variable.variability == Variability::continuous && typed.type != VariableType::float64) {
    variable.variability = Variability::discrete;
  }
  variable.initial = entry.word("initial", kInitials).value_or(default_initial(variable));
  if (variable.causality == Causality::input) variable.initial = Initial::exact;
  variable.can_handle_multiple_set_per_time_instant =
      entry.boolean("canHandleMultipleSetPerTimeInstant", true);
  inherit_declared_type(typed.element, description, types, variable);
  parse_attributes(typed.element, variable);
  parse_forgiving_start(typed.element, variable, description);
  return variable;
}

/// The variable at a place in the file, counted from 1.
std::size_t place_of(const Element& entry, const char* attribute, std::size_t index,
                     const ModelDescription& description) {
  if (index == 0 || index > description.variables.size()) {
    entry.fail(attribute, fmt::format("there is no variable {}: ModelVariables has {}", index,
                                      description.variables.size()));
  }
  return index - 1;
}

std::vector<Unknown> parse_fmi2_unknowns(const Element& structure, const char* list,
                                         ModelDescription& description) {
  std::vector<Unknown> unknowns;
  const auto element = structure.child(list);
  if (!element) return unknowns;
  for (const Element& entry : element->children("Unknown")) {
    Unknown& unknown = unknowns.emplace_back();
    unknown.line = entry.line();
    unknown.variable =
        place_of(entry, "index", entry.required_number<std::size_t>("index"), description);
    if (const auto indices = entry.numbers<std::size_t>("dependencies")) {
      std::vector<ValueReference>& dependencies = unknown.dependencies.emplace();
      for (const std::size_t index : *indices) {
        const std::size_t place = place_of(entry, "dependencies", index, description);
        dependencies.push_back(description.variables[place].reference);
      }
    }
    unknown.kinds =
        parse_kinds(entry, unknown.dependencies ? unknown.dependencies->size() : 0, description);
  }
  return unknowns;
}

}  // namespace

void parse_fmi2_interfaces(const Element& root, ModelDescription& description) {
  if (const auto element = root.child("ModelExchange")) {
    ModelExchange& me = description.model_exchange.emplace();
    parse_fmi2_interface(*element, me, description);
    me.needs_completed_integrator_step = !element->boolean("completedIntegratorStepNotNeeded");
  }
  if (const auto element = root.child("CoSimulation")) {
    CoSimulation& cs = description.co_simulation.emplace();
    parse_fmi2_interface(*element, cs, description);
    cs.can_handle_variable_communication_step_size =
        element->boolean("canHandleVariableCommunicationStepSize");
    cs.max_output_derivative_order =
        element->number<std::uint32_t>("maxOutputDerivativeOrder").value_or(0);
    cs.can_run_asynchronously = element->boolean("canRunAsynchronuously");
  }
  if (!description.model_exchange && !description.co_simulation) {
    root.fail(nullptr, "neither ModelExchange nor CoSimulation is there");
  }
}

void parse_fmi2_types(const Element& root, ModelDescription& description) {
  const auto element = root.child("TypeDefinitions");
  if (!element) return;
  for (const Element& entry : element->children("SimpleType")) {
    const TypeElement typed = type_element(entry, "");
    TypeDefinition definition = parse_type_attributes(typed.element, typed.type);
    definition.name = entry.required("name");
    definition.description = entry.text("description");
    description.types.push_back(std::move(definition));
  }
}

void parse_fmi2_variables(const Element& root, ModelDescription& description) {
  const auto list = root.child("ModelVariables");
  if (!list) root.fail(nullptr, "the element ModelVariables is missing");
  const TypesByName types = types_by_name(description);
  std::vector<Element> entries = list->children("ScalarVariable");
  for (const Element& entry : entries) {
    description.variables.push_back(parse_fmi2_variable(entry, description, types));
    enter_variable(entry, description.variables.size() - 1, description);
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Element typed = type_element(entries[i], "").element;
    if (const auto state = typed.number<std::size_t>("derivative")) {
      const std::size_t place = place_of(typed, "derivative", *state, description);
      description.variables[i].derivative_of = description.variables[place].reference;
    }
    resolve_variable(entries[i], description.variables[i], description);
  }
}

/// FMI 2.0 has no variables for event indicators. Annotations of this project name them; a list
/// that is not about all of them is somebody else's.
std::vector<IndicatorLabel> parse_indicator_labels(const Element& root, std::size_t count) {
  std::vector<IndicatorLabel> labels;
  const auto annotations = root.child("VendorAnnotations");
  if (!annotations) return labels;
  for (const Element& tool : annotations->children("Tool")) {
    const auto list = tool.child("EventIndicators");
    if (tool.text("name") != "org.saltus" || !list) continue;
    for (const Element& indicator : list->children("EventIndicator")) {
      labels.push_back({indicator.text("name"), indicator.boolean("partOfCondition")});
    }
  }
  if (labels.size() != count) labels.clear();
  return labels;
}

void parse_fmi2_structure(const Element& root, ModelDescription& description) {
  ModelStructure& structure = description.structure;
  structure.unnamed_event_indicators = parse_count(root, "numberOfEventIndicators");
  structure.indicator_labels = parse_indicator_labels(root, structure.unnamed_event_indicators);
  const auto list = root.child("ModelStructure");
  if (!list) root.fail(nullptr, "the element ModelStructure is missing");
  structure.outputs = parse_fmi2_unknowns(*list, "Outputs", description);
  structure.continuous_state_derivatives = parse_fmi2_unknowns(*list, "Derivatives", description);
  structure.initial_unknowns = parse_fmi2_unknowns(*list, "InitialUnknowns", description);
  for (const Unknown& derivative : structure.continuous_state_derivatives) {
    const Variable& variable = description.variables[derivative.variable];
    if (variable.derivative_of) continue;
    description.warnings.push_back(
        fmt::format("line {}: \"{}\" has no attribute derivative, so its state has no name",
                    variable.line, variable.name));
  }
  check_outputs(description);
}

}  // namespace saltus::importer
