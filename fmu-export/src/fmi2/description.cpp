// SPDX-License-Identifier: BSD-2-Clause
#include "fmi2/description.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "aliases.hpp"
#include "description_parts.hpp"
#include "fmi_words.hpp"
#include "saltus/fmi/fmi2.h"
#include "watched_conditions.hpp"
#include "xml_writer.hpp"

namespace saltus::fmu_export::fmi2 {
namespace {

using modeling::Variable;

// FMI 2.0, 2.2.7: variables are pointed to by their place among all of them, counted from one. The
// time comes first.
std::uint64_t index_of(std::size_t position) { return reference_of(position) + 1; }

// What a type is written as may be less than it: values that do not fit are refused when they
// occur, start values and items at once.
void check_range(const modeling::DescribedModel& model) {
  const auto fits = [](const Variable& v, std::int64_t value) {
    return std::in_range<fmi2Integer>(value) && !(v.type == Variable::Type::uint64 && value < 0);
  };
  for (const Variable& v : model.variables()) {
    if (v.type == Variable::Type::binary) {
      throw std::invalid_argument("\"" + v.name +
                                  "\" is a binary, which FMI 2.0 does not have: export FMI 3.0 "
                                  "alone");
    }
    const bool is_clock = v.type == Variable::Type::clock;
    if (is_clock && v.causality == Variable::Causality::input &&
        v.clock.kind == modeling::ClockTiming::Kind::triggered) {
      throw std::invalid_argument(
          "\"" + v.name +
          "\" is a triggered clock, which FMI 2.0 does not have: export FMI "
          "3.0 alone, or make it a Discrete<bool> that is an input");
    }
    if (v.is_whole() && !is_float(v) && !fits(v, v.start_integer)) {
      throw std::invalid_argument("the start value " + whole_text(v, v.start_integer) + " of \"" +
                                  v.name +
                                  "\" does not fit into the 32 bits of an Integer of FMI 2.0: "
                                  "choose another one, or export FMI 3.0 alone");
    }
    if (v.enumeration != nullptr &&
        !std::all_of(v.enumeration->items.begin(), v.enumeration->items.end(),
                     [&](const auto& item) { return fits(v, item.value); })) {
      throw std::invalid_argument("an item of \"" + v.name +
                                  "\" does not fit into the 32 bits of an item of FMI 2.0: export "
                                  "FMI 3.0 alone");
    }
  }
}

// What is to be compiled, of an FMU that contains its sources (3.3.1, 4.3.1); the same in both
// interfaces.
void write_source_files(XmlWriter& xml, std::span<const std::string> source_files) {
  if (source_files.empty()) {
    return;
  }
  xml.open("SourceFiles");
  for (const std::string& file : source_files) {
    xml.open("File").attribute("name", file).close("File");
  }
  xml.close("SourceFiles");
}

void write_interfaces(XmlWriter& xml, const ExportedModel& exported,
                      std::span<const std::string> source_files) {
  const std::string& identifier = exported.identifier;
  xml.open("ModelExchange")
      .attribute("modelIdentifier", identifier)
      .flag("completedIntegratorStepNotNeeded", !exported.model->needs_completed_steps())
      .flag("canNotUseMemoryManagementFunctions", true)
      .flag("canGetAndSetFMUstate", true)
      .flag("canSerializeFMUstate", true)
      .flag("providesDirectionalDerivative", true);
  write_source_files(xml, source_files);
  xml.close("ModelExchange");
  xml.open("CoSimulation")
      .attribute("modelIdentifier", identifier)
      .flag("canHandleVariableCommunicationStepSize", true)
      .attribute("maxOutputDerivativeOrder", std::uint64_t{1})
      .flag("canNotUseMemoryManagementFunctions", true)
      .flag("canGetAndSetFMUstate", true)
      .flag("canSerializeFMUstate", true)
      .flag("providesDirectionalDerivative", true);
  write_source_files(xml, source_files);
  xml.close("CoSimulation");
}

// Event indicators have no variables in FMI 2.0. An importer that knows this annotation can call
// them by their names, and knows where a change of one alone is no event. A tool has one element of
// its own (2.2.6).
void write_indicators(XmlWriter& xml, const modeling::DescribedModel& model) {
  const std::vector<std::string> names = indicator_names(model);
  if (names.empty()) {
    return;
  }
  xml.open("VendorAnnotations")
      .open("Tool")
      .attribute("name", "org.saltus")
      .open("EventIndicators");
  for (std::size_t i = 0; i < names.size(); ++i) {
    xml.open("EventIndicator").attribute("name", names[i]);
    if (i >= model.shape().indicators) {
      xml.flag("partOfCondition", true);
    }
    xml.close("EventIndicator");
  }
  xml.close("EventIndicators");
  xml.close("Tool");
  xml.close("VendorAnnotations");
}

void write_real(XmlWriter& xml, const Variable& v, std::uint64_t state_index) {
  xml.open("Real");
  if (!v.unit.empty()) {
    xml.attribute("unit", v.unit);
  }
  if (*v.display_unit != '\0') {
    xml.attribute("displayUnit", v.display_unit);
  }
  if (v.min) {
    xml.attribute("min", *v.min);
  }
  if (v.max) {
    xml.attribute("max", *v.max);
  }
  if (v.nominal) {
    xml.attribute("nominal", *v.nominal);
  }
  if (has_start(v) || has_guess(v)) {
    xml.attribute("start", v.is_number() ? v.start : whole_as_number(v, v.start_integer));
  }
  if (v.role == Variable::Role::derivative) {
    xml.attribute("derivative", state_index);
  }
  if (v.role == Variable::Role::state) {
    xml.flag("reinit", true);  // an event of the model may assign any state
  }
  xml.close("Real");
}

// FMI 2.0, 2.2.7: an Integer has 32 bits. Limits that it has anyway are not written, and those of a
// larger type cannot be.
void write_integer(XmlWriter& xml, const Variable& v) {
  Variable seen = v;
  const modeling::WholeRange range = modeling::range_of(Variable::Type::int32);
  const bool is_unsigned_long = v.type == Variable::Type::uint64;
  seen.lowest = std::max(v.lowest, range.lowest);
  seen.highest =
      is_unsigned_long && v.highest < 0 ? range.highest : std::min(v.highest, range.highest);
  write_limits(xml, seen, range);
  xml.attribute("start", modeling::whole_text(v, v.start_integer));
}

// What is no number. A clock is true at the instants when it ticks.
const char* type_word(const Variable& v) {
  const bool is_boolean = v.type == Variable::Type::boolean || v.type == Variable::Type::clock;
  return is_boolean                 ? "Boolean"
         : v.is_text()              ? "String"
         : v.enumeration != nullptr ? "Enumeration"
                                    : "Integer";
}

void write_other(XmlWriter& xml, const Variable& v, const std::vector<NamedEnumeration>& types,
                 const std::string& start_text) {
  const char* const element = type_word(v);
  xml.open(element);
  if (v.type == Variable::Type::clock) {
    xml.close(element);
    return;
  }
  if (v.type == Variable::Type::boolean) {
    xml.flag("start", v.start_integer != 0);
  } else if (v.is_text()) {
    xml.attribute("start", start_text);
  } else {
    if (v.enumeration != nullptr) {
      xml.attribute("declaredType", name_of(types, v));
    }
    write_integer(xml, v);
  }
  xml.close(element);
}

void write_types(XmlWriter& xml, const std::vector<NamedEnumeration>& types) {
  if (types.empty()) {
    return;
  }
  xml.open("TypeDefinitions");
  for (const NamedEnumeration& type : types) {
    xml.open("SimpleType").attribute("name", type.name).open("Enumeration");
    write_items(xml, *type.type);
    xml.close("Enumeration");
    xml.close("SimpleType");
  }
  xml.close("TypeDefinitions");
}

void write_variable(XmlWriter& xml, const Variable& v, std::uint64_t reference,
                    std::uint64_t state_index, const std::vector<NamedEnumeration>& types,
                    const std::string& start_text) {
  xml.open("ScalarVariable").attribute("name", v.name).attribute("valueReference", reference);
  if (!v.description.empty()) {
    xml.attribute("description", v.description);
  }
  // A clock that ticks by itself is no input.
  const bool is_input =
      v.causality == Variable::Causality::input && v.type != Variable::Type::clock;
  const bool is_clock = !is_input && v.causality == Variable::Causality::input;
  xml.attribute("causality", is_clock ? "local" : causality_word(v))
      .attribute("variability", variability_word(v));
  if (!is_input) {  // which has no initial (2.2.7)
    xml.attribute("initial", has_start(v) ? "exact" : has_guess(v) ? "approx" : "calculated");
  }
  if (is_float(v)) {
    write_real(xml, v, state_index);
  } else {
    write_other(xml, v, types, start_text);
  }
  xml.close("ScalarVariable");
}

// Variables of one type with the same value reference are aliases (2.2.7); the second has no start
// value, and stands behind all that is pointed to by its place.
void write_alias(XmlWriter& xml, const DescribedAlias& alias, const Variable& v,
                 std::uint64_t reference, const std::vector<NamedEnumeration>& types) {
  xml.open("ScalarVariable").attribute("name", alias.name).attribute("valueReference", reference);
  if (!alias.description.empty()) {
    xml.attribute("description", alias.description);
  }
  xml.attribute("causality", "local")
      .attribute("variability", variability_word(v))
      .attribute("initial", "calculated");
  const char* const element = is_float(v) ? "Real" : type_word(v);
  xml.open(element);
  if (is_float(v) && !v.unit.empty()) {
    xml.attribute("unit", v.unit);
  }
  if (v.enumeration != nullptr) {
    xml.attribute("declaredType", name_of(types, v));
  }
  xml.close(element);
  xml.close("ScalarVariable");
}

void write_variables(XmlWriter& xml, const modeling::DescribedModel& model,
                     const std::vector<std::size_t>& states,
                     const std::vector<NamedEnumeration>& types) {
  xml.open("ModelVariables");
  xml.open("ScalarVariable")
      .attribute("name", "time")
      .attribute("valueReference", std::uint64_t{0})
      .attribute("causality", "independent")
      .attribute("variability", "continuous")
      .open("Real")
      .close("Real");
  xml.close("ScalarVariable");
  const auto variables = model.variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool is_derivative = variables[i].role == Variable::Role::derivative;
    const std::size_t state = is_derivative ? states.at(variables[i].index) : 0;
    write_variable(xml, variables[i], reference_of(i), index_of(state), types, model.start_text(i));
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    for (const DescribedAlias& alias : aliases_of(model, variables[i].name)) {
      write_alias(xml, alias, variables[i], reference_of(i), types);
    }
  }
  xml.close("ModelVariables");
}

using Dependencies = std::span<const VariableDependencies>;

// An unknown without a list of dependencies may depend on everything (2.2.8). A list without
// members is not written.
void write_unknowns(XmlWriter& xml, const char* element, const std::vector<std::size_t>& positions,
                    Dependencies dependencies = {}) {
  if (positions.empty()) {
    return;
  }
  xml.open(element);
  for (const std::size_t position : positions) {
    xml.open("Unknown").attribute("index", index_of(position));
    write_dependencies(xml, dependencies, position, index_of);
    xml.close("Unknown");
  }
  xml.close(element);
}

void write_structure(XmlWriter& xml, const modeling::DescribedModel& model,
                     const std::vector<std::size_t>& derivatives, Dependencies dependencies) {
  const auto variables = model.variables();
  std::vector<std::size_t> outputs;
  std::vector<std::size_t> initial_unknowns;  // in the order of their indices
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool is_output = variables[i].causality == Variable::Causality::output;
    if (is_output) {
      outputs.push_back(i);
    }
    if (variables[i].role == Variable::Role::derivative ||
        (is_output && !has_start(variables[i]))) {
      initial_unknowns.push_back(i);
    }
  }
  xml.open("ModelStructure");
  write_unknowns(xml, "Outputs", outputs, dependencies);
  write_unknowns(xml, "Derivatives", derivatives, dependencies);
  write_unknowns(xml, "InitialUnknowns", initial_unknowns);
  xml.close("ModelStructure");
}

std::string write(const ExportedModel& exported, const std::string& guid,
                  Dependencies dependencies = {}, std::span<const std::string> source_files = {}) {
  const modeling::DescribedModel& model = *exported.model;
  const StatePositions positions = positions_of_states(model);
  XmlWriter xml;
  xml.open("fmiModelDescription")
      .attribute("fmiVersion", fmi2Version)
      .attribute("modelName", model.name())
      .attribute("guid", guid);
  if (*model.info().description != '\0') {
    xml.attribute("description", model.info().description);
  }
  xml.attribute("generationTool", "Saltus " SALTUS_VERSION)
      .attribute("variableNamingConvention", naming_convention(model))
      .attribute("numberOfEventIndicators", std::uint64_t{number_of_indicators(model)});
  write_interfaces(xml, exported, source_files);
  const std::vector<NamedEnumeration> types = enumerations(model);
  write_units(xml, model);
  write_types(xml, types);
  write_log_categories(xml);
  write_experiment(xml, model.info());
  write_indicators(xml, model);
  write_variables(xml, model, positions.states, types);
  write_structure(xml, model, positions.derivatives, dependencies);
  xml.close("fmiModelDescription");
  return xml.text();
}

}  // namespace

std::string model_description(const ExportedModel& exported, Dependencies dependencies,
                              std::span<const std::string> source_files) {
  check_names(exported);
  check_range(*exported.model);
  check_aliases(*exported.model, {});
  return write(exported, guid(exported), dependencies, source_files);
}

std::string guid(const ExportedModel& exported) { return token_of(write(exported, "")); }

}  // namespace saltus::fmu_export::fmi2
