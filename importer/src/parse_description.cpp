// SPDX-License-Identifier: BSD-2-Clause
#include "parse_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

/// The pieces of a description in one version of FMI, in their order.
struct Pieces {
  using Parse = void (*)(const Element& root, ModelDescription& description);
  Parse interfaces, units, types, variables, structure;
};
constexpr Pieces kPieces[] = {
    {parse_fmi1_interfaces, parse_fmi1_units, parse_fmi1_types, parse_fmi1_variables,
     parse_fmi1_structure},
    {parse_fmi2_interfaces, parse_units, parse_fmi2_types, parse_fmi2_variables,
     parse_fmi2_structure},
    {parse_interfaces, parse_units, parse_types, parse_variables, parse_structure}};

constexpr Element::Word<bool> kNamingConventions[] = {{"flat", false}, {"structured", true}};

void parse_version(const Element& root, ModelDescription& description) {
  const std::string version = root.required("fmiVersion");
  description.fmi_version = version;
  description.major_version = version.starts_with("1.") ? 1 : version.starts_with("2.") ? 2 : 3;
  if (version == "1.0" || version == "2.0" || version.starts_with("2.0.")) return;
  if (!version.starts_with("3.") || version.size() < 3 || version[2] < '0' || version[2] > '9') {
    root.fail("fmiVersion",
              fmt::format("FMI {} is not supported; FMI 1.0, 2.0 and 3.0 are", version));
  }
  // A minor version adds optional things only (2.6.1), so it can be read as 3.0.
  if (version.starts_with("3.0-")) {
    description.warnings.push_back(
        fmt::format("fmiVersion {} is a draft of 3.0 and read as if it were 3.0; what has changed "
                    "between them is not understood",
                    version));
  } else if (version != "3.0" && !version.starts_with("3.0.")) {
    description.warnings.push_back(fmt::format(
        "fmiVersion {} is read as if it were 3.0; newer features are ignored", version));
  }
}

void parse_interface(const Element& element, Interface& interface, ModelDescription& description) {
  interface.model_identifier = parse_identifier(element, description);
  interface.needs_execution_tool = element.boolean("needsExecutionTool");
  interface.can_be_instantiated_only_once_per_process =
      element.boolean("canBeInstantiatedOnlyOncePerProcess");
  interface.can_get_and_set_fmu_state = element.boolean("canGetAndSetFMUState");
  interface.can_serialize_fmu_state = element.boolean("canSerializeFMUState");
  interface.provides_directional_derivatives = element.boolean("providesDirectionalDerivatives");
  interface.provides_adjoint_derivatives = element.boolean("providesAdjointDerivatives");
  interface.provides_per_element_dependencies = element.boolean("providesPerElementDependencies");
  interface.provides_evaluate_discrete_states = element.boolean("providesEvaluateDiscreteStates");
}

void parse_experiment(const Element& root, ModelDescription& description) {
  const auto element = root.child("DefaultExperiment");
  if (!element) return;
  DefaultExperiment& experiment = description.default_experiment;
  const auto read = [&](const char* attribute, bool is_positive) -> std::optional<double> {
    const auto number = element->number<double>(attribute);
    if (!number || (std::isfinite(*number) && (!is_positive || *number > 0.0))) return number;
    description.warnings.push_back(
        fmt::format("line {}: the {} of the default experiment is {}, which is no {}; it is "
                    "ignored",
                    element->line(attribute), attribute, element->text(attribute),
                    is_positive ? "positive number" : "finite time"));
    return std::nullopt;
  };
  experiment.start_time = read("startTime", false);
  experiment.stop_time = read("stopTime", false);
  experiment.tolerance = read("tolerance", true);
  experiment.step_size = read("stepSize", true);
}

void parse_log_categories(const Element& root, ModelDescription& description) {
  const auto element = root.child("LogCategories");
  if (!element) return;
  for (const Element& category : element->children("Category")) {
    description.log_categories.push_back(
        {.name = category.required("name"), .description = category.text("description")});
  }
}

}  // namespace

std::string parse_identifier(const Element& element, ModelDescription& description) {
  const std::string name = element.required("modelIdentifier");
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  if (name.empty() || name.find_first_of("/\\") != std::string::npos || name.front() == '.') {
    element.fail("modelIdentifier", fmt::format("\"{}\" is not a name in C", name));
  }
  if (!std::all_of(name.begin(), name.end(), is_word) ||
      std::isdigit(static_cast<unsigned char>(name.front())) != 0) {
    description.warnings.push_back(
        fmt::format("line {}: modelIdentifier \"{}\" is not a name in C", element.line(), name));
  }
  return name;
}

void parse_interfaces(const Element& root, ModelDescription& description) {
  if (const auto element = root.child("ModelExchange")) {
    ModelExchange& me = description.model_exchange.emplace();
    parse_interface(*element, me, description);
    me.needs_completed_integrator_step = element->boolean("needsCompletedIntegratorStep");
  }
  if (const auto element = root.child("CoSimulation")) {
    CoSimulation& cs = description.co_simulation.emplace();
    parse_interface(*element, cs, description);
    cs.can_handle_variable_communication_step_size =
        element->boolean("canHandleVariableCommunicationStepSize");
    cs.fixed_internal_step_size = element->number<double>("fixedInternalStepSize");
    cs.max_output_derivative_order =
        element->number<std::uint32_t>("maxOutputDerivativeOrder").value_or(0);
    cs.recommended_intermediate_input_smoothness =
        element->number<std::int32_t>("recommendedIntermediateInputSmoothness").value_or(0);
    cs.provides_intermediate_update = element->boolean("providesIntermediateUpdate");
    cs.might_return_early_from_do_step = element->boolean("mightReturnEarlyFromDoStep");
    cs.can_return_early_after_intermediate_update =
        element->boolean("canReturnEarlyAfterIntermediateUpdate");
    cs.has_event_mode = element->boolean("hasEventMode");
  }
  if (const auto element = root.child("ScheduledExecution")) {
    parse_interface(*element, description.scheduled_execution.emplace(), description);
  }
  if (!description.model_exchange && !description.co_simulation &&
      !description.scheduled_execution) {
    root.fail(nullptr, "none of ModelExchange, CoSimulation, ScheduledExecution is there");
  }
}

ModelDescription parse_description(const std::string& fmu, std::string text) {
  const XmlFile file(fmu, "modelDescription.xml", std::move(text));
  const Element root(file, file.root());
  if (root.name() != "fmiModelDescription") {
    throw FmuError(
        fmu, file.entry(), file.line(file.root()),
        fmt::format("the root element is <{}> instead of <fmiModelDescription>", root.name()));
  }
  ModelDescription description;
  parse_version(root, description);
  description.model_name = root.required("modelName");
  description.instantiation_token =
      root.required(description.major_version < 3 ? "guid" : "instantiationToken");
  description.description = root.text("description");
  description.author = root.text("author");
  description.version = root.text("version");
  description.copyright = root.text("copyright");
  description.license = root.text("license");
  description.generation_tool = root.text("generationTool");
  description.generation_date_and_time = root.text("generationDateAndTime");
  description.structured_names =
      root.word("variableNamingConvention", kNamingConventions).value_or(false);
  parse_experiment(root, description);
  parse_log_categories(root, description);
  const Pieces& pieces = kPieces[description.major_version - 1];
  pieces.interfaces(root, description);
  pieces.units(root, description);
  pieces.types(root, description);
  pieces.variables(root, description);
  pieces.structure(root, description);
  return description;
}

}  // namespace saltus::importer
