// SPDX-License-Identifier: BSD-2-Clause
#include "fmi3/description.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "aliases.hpp"
#include "clock_fraction.hpp"
#include "dae_mode.hpp"
#include "description_parts.hpp"
#include "fmi_words.hpp"
#include "watched_conditions.hpp"
#include "xml_writer.hpp"

namespace saltus::fmu_export::fmi3 {
namespace {

using modeling::Variable;

// Says to an importer that knows it: a change of this indicator alone is no event.
constexpr const char* kPartOfCondition = "org.saltus.part-of-condition";
// The elements of an array are called x[0], x[1], ...; FMI leaves it open where indices begin.
constexpr const char* kIndicesFromZero = "org.saltus.indices-from-zero";

constexpr std::array kElements{"Float64", "Float32",     "Int8",   "UInt8",  "Int16",
                               "UInt16",  "Int32",       "UInt32", "Int64",  "UInt64",
                               "Boolean", "Enumeration", "String", "Binary", "Clock"};

void write_interfaces(XmlWriter& xml, const ExportedModel& exported) {
  const std::string& identifier = exported.identifier;
  xml.open("ModelExchange")
      .attribute("modelIdentifier", identifier)
      .flag("canGetAndSetFMUState", true)
      .flag("canSerializeFMUState", true)
      .flag("needsCompletedIntegratorStep", exported.model->needs_completed_steps())
      .flag("providesDirectionalDerivatives", true)
      .flag("providesAdjointDerivatives", true)
      .flag("providesPerElementDependencies", true)
      .close("ModelExchange");
  xml.open("CoSimulation")
      .attribute("modelIdentifier", identifier)
      .flag("canGetAndSetFMUState", true)
      .flag("canSerializeFMUState", true)
      .flag("providesDirectionalDerivatives", true)
      .flag("providesAdjointDerivatives", true)
      .flag("providesPerElementDependencies", true)
      .flag("canHandleVariableCommunicationStepSize", true)
      .attribute("maxOutputDerivativeOrder", std::uint64_t{1})
      .flag("providesIntermediateUpdate", true)
      .flag("mightReturnEarlyFromDoStep", true)
      .flag("canReturnEarlyAfterIntermediateUpdate", true)
      .flag("hasEventMode", true)
      .close("CoSimulation");
  if (exported.model->info().scheduled) {
    xml.open("ScheduledExecution")
        .attribute("modelIdentifier", identifier)
        .flag("canGetAndSetFMUState", true)
        .flag("canSerializeFMUState", true)
        .flag("providesPerElementDependencies", true)
        .close("ScheduledExecution");
  }
}

void write_float(XmlWriter& xml, const Variable& v, std::uint64_t state_reference,
                 const std::vector<double>& starts) {
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
    xml.attribute("start", starts);
  }
  if (v.role == Variable::Role::derivative) {
    xml.attribute("derivative", state_reference);
  }
  if (v.role == Variable::Role::state) {
    xml.flag("reinit", true);  // an event of the model may assign any state
  }
}

std::string hexadecimal(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4U];
    text += kDigits[static_cast<unsigned char>(byte) & 15U];
  }
  return text;
}

// FMI 3.0, 2.4.7.5: the start values of strings and binaries are elements.
void write_text(XmlWriter& xml, const Variable& v, const std::string& start) {
  const bool is_binary = v.type == Variable::Type::binary;
  if (*v.mime_type != '\0') {
    xml.attribute("mimeType", v.mime_type);
  }
  xml.open("Start").attribute("value", is_binary ? hexadecimal(start) : start).close("Start");
}

void write_whole(XmlWriter& xml, const Variable& v, const std::vector<NamedEnumeration>& types) {
  if (v.type == Variable::Type::boolean) {
    xml.flag("start", v.start_integer != 0);
    return;
  }
  if (v.enumeration != nullptr) {
    xml.attribute("declaredType", name_of(types, v));
  }
  write_limits(xml, v, modeling::range_of(v.type));
  xml.attribute("start", modeling::whole_text(v, v.start_integer));
}

// FMI 3.0, 2.4.7.6. What is computed from an active clock is not kept before the update: until then
// it can be deactivated.
void write_clock(XmlWriter& xml, const Variable& v, const modeling::DescribedModel& model) {
  const auto variables = model.variables();
  const bool is_input = v.causality == Variable::Causality::input;
  if (is_input) xml.flag("canBeDeactivated", true);
  if (is_input && model.info().scheduled) {
    xml.attribute("priority", std::uint64_t{v.clock.priority});
  }
  const bool is_tunable = v.clock.parameter && variables[*v.clock.parameter].tunable;
  using Kind = modeling::ClockTiming::Kind;
  xml.attribute("intervalVariability", v.clock.kind == Kind::triggered   ? "triggered"
                                       : v.clock.kind == Kind::changing  ? "changing"
                                       : v.clock.kind == Kind::countdown ? "countdown"
                                       : is_tunable                      ? "tunable"
                                       : v.clock.parameter               ? "fixed"
                                                                         : "constant");
  if (!v.clock.is_periodic() || v.clock.parameter) return;
  xml.attribute("intervalDecimal", v.clock.interval);
  if (v.clock.shift > 0.0) xml.attribute("shiftDecimal", v.clock.shift);
  if (const auto fraction = fraction_of(v.clock)) {
    xml.flag("supportsFraction", true)
        .attribute("resolution", fraction->resolution)
        .attribute("intervalCounter", fraction->interval);
    if (fraction->shift > 0) xml.attribute("shiftCounter", fraction->shift);
  }
}

// The references of the clocks that a variable belongs to.
std::string clocks_of(const Variable& v, std::span<const Variable> variables) {
  std::string list;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& clock = variables[i];
    if (clock.type == Variable::Type::clock && v.clocks.has(clock.clock.number)) {
      list += (list.empty() ? "" : " ") + std::to_string(reference_of(i));
    }
  }
  return list;
}

void write_annotation(XmlWriter& xml, const char* type) {
  xml.open("Annotations").open("Annotation").attribute("type", type);
  xml.close("Annotation");
  xml.close("Annotations");
}

void write_aliases(XmlWriter& xml, const modeling::DescribedModel& model,
                   const std::string& listed_name) {
  for (const DescribedAlias& alias : aliases_of(model, listed_name)) {
    xml.open("Alias").attribute("name", alias.name);
    if (!alias.description.empty()) xml.attribute("description", alias.description);
    xml.close("Alias");
  }
}

struct Listed {
  std::size_t position;
  std::uint64_t state_reference;  // of the derivative of a state
  bool is_structural;
  const DescribedArray* array;   // null: a scalar
  std::uint64_t size_reference;  // of an array whose size can be changed; otherwise 0
};

std::vector<double> starts_of(std::span<const Variable> variables, const Listed& listed) {
  const Variable& v = variables[listed.position];
  if (listed.array == nullptr) {
    return {v.is_number() ? v.start : whole_as_number(v, v.start_integer)};
  }
  std::vector<double> starts;
  for (std::size_t i = 0; i < listed.array->size; ++i) {
    starts.push_back(variables[listed.position + i * listed.array->stride].start);
  }
  return starts;
}

void write_variable(XmlWriter& xml, const modeling::DescribedModel& model, const Listed& listed,
                    const std::vector<NamedEnumeration>& types) {
  const Variable& v = model.variables()[listed.position];
  const char* element = kElements.at(static_cast<std::size_t>(v.type));
  const std::string& name = listed.array == nullptr ? v.name : listed.array->name;
  xml.open(element)
      .attribute("name", name)
      .attribute("valueReference", reference_of(listed.position));
  const std::string& description =
      listed.array == nullptr ? v.description : listed.array->description;
  if (!description.empty()) {
    xml.attribute("description", description);
  }
  xml.attribute("causality", listed.is_structural ? "structuralParameter" : causality_word(v))
      .attribute("variability", listed.is_structural && v.is_size ? "fixed" : variability_word(v));
  if (has_intermediate_update(v)) {
    xml.flag("intermediateUpdate", true);
  }
  if (v.clocks.set != 0) {
    xml.attribute("clocks", clocks_of(v, model.variables()));
  }
  if (v.type == Variable::Type::clock) {
    write_clock(xml, v, model);
    write_aliases(xml, model, name);
    xml.close(element);
    return;
  }
  xml.attribute("initial", has_start(v) ? "exact" : has_guess(v) ? "approx" : "calculated");
  if (is_float(v)) {
    write_float(xml, v, listed.state_reference, starts_of(model.variables(), listed));
  } else if (v.is_text()) {
    write_text(xml, v, model.start_text(listed.position));
  } else {
    write_whole(xml, v, types);
  }
  if (listed.array != nullptr) {
    write_annotation(xml, kIndicesFromZero);
    xml.open("Dimension");
    if (listed.size_reference != 0) {
      xml.attribute("valueReference", listed.size_reference);
    } else {
      xml.attribute("start", std::uint64_t{listed.array->size});
    }
    xml.close("Dimension");
  }
  write_aliases(xml, model, name);
  xml.close(element);
}

void write_types(XmlWriter& xml, const std::vector<NamedEnumeration>& types) {
  if (types.empty()) {
    return;
  }
  xml.open("TypeDefinitions");
  for (const NamedEnumeration& type : types) {
    xml.open("EnumerationType").attribute("name", type.name);
    write_items(xml, *type.type);
    xml.close("EnumerationType");
  }
  xml.close("TypeDefinitions");
}

void write_variables(XmlWriter& xml, const modeling::DescribedModel& model,
                     const std::vector<std::size_t>& states,
                     const std::vector<NamedEnumeration>& types, const DescribedArrays& arrays) {
  const auto variables = model.variables();
  const DaeSwitch* const dae = dae_switch(model);
  xml.open("ModelVariables");
  xml.open("Float64")
      .attribute("name", "time")
      .attribute("valueReference", std::uint64_t{0})
      .attribute("causality", "independent")
      .attribute("variability", "continuous")
      .close("Float64");
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (arrays.listed(i) != i) {
      continue;
    }
    const bool is_derivative = variables[i].role == Variable::Role::derivative;
    const std::size_t state = is_derivative ? states.at(variables[i].index) : 0;
    const DescribedArray* const array = arrays.at(i);
    const bool is_sized = array != nullptr && array->size_number != 0;
    write_variable(xml, model,
                   {.position = i,
                    .state_reference = reference_of(state),
                    .is_structural = (dae != nullptr && dae->position == i) ||
                                     (variables[i].is_size && !arrays.sizes.empty()),
                    .array = array,
                    .size_reference =
                        is_sized ? reference_of(arrays.sizes[array->size_number - 1].position) : 0},
                   types);
  }
  const std::vector<std::string> indicators = indicator_names(model);
  const bool quoted = has_structured_names(model);
  for (std::size_t i = 0; i < indicators.size(); ++i) {
    const bool is_part = i >= model.shape().indicators;
    xml.open("Float64")
        .attribute("name", quoted ? "'" + indicators[i] + "'" : indicators[i])
        .attribute("valueReference", reference_of(variables.size() + i))
        .attribute("description",
                   is_part ? "event indicator: its sign changes where the comparison does"
                           : "event indicator: its sign changes where the condition does")
        .attribute("causality", "local")
        .attribute("variability", "continuous")
        .attribute("initial", "calculated");
    if (is_part) {
      write_annotation(xml, kPartOfCondition);
    }
    xml.close("Float64");
  }
  xml.close("ModelVariables");
}

using Dependencies = std::span<const VariableDependencies>;

// An unknown without a list of dependencies may depend on everything (FMI 3.0, 2.4.8).
void write_unknown(XmlWriter& xml, const char* element, std::size_t position,
                   Dependencies dependencies = {}) {
  xml.open(element).attribute("valueReference", reference_of(position));
  write_dependencies(xml, dependencies, position, reference_of);
  xml.close(element);
}

void write_structure(XmlWriter& xml, const modeling::DescribedModel& model,
                     const std::vector<std::size_t>& derivatives, Dependencies dependencies,
                     const DescribedArrays& arrays) {
  const auto variables = model.variables();
  // The derivatives of states are the elements of their arrays, one after the other.
  const auto is_listed = [&](std::size_t i) { return arrays.listed(i) == i; };
  const auto is_output = [&](std::size_t i) {
    return variables[i].causality == Variable::Causality::output;
  };
  xml.open("ModelStructure");
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (is_output(i) && is_listed(i)) {
      write_unknown(xml, "Output", i, dependencies);
    }
  }
  for (const std::size_t i : derivatives) {
    if (is_listed(i)) {
      write_unknown(xml, "ContinuousStateDerivative", i, dependencies);
    }
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool is_derivative = variables[i].role == Variable::Role::derivative;
    if (is_listed(i) && (is_derivative || (is_output(i) && !has_start(variables[i])))) {
      write_unknown(xml, "InitialUnknown", i);
    }
  }
  for (std::size_t i = 0; i < number_of_indicators(model); ++i) {
    write_unknown(xml, "EventIndicator", variables.size() + i);
  }
  xml.close("ModelStructure");
}

std::string write(const ExportedModel& exported, const std::string& token,
                  const DescribedArrays& arrays, Dependencies dependencies = {}) {
  const modeling::DescribedModel& model = *exported.model;
  const StatePositions positions = positions_of_states(model);
  XmlWriter xml;
  xml.open("fmiModelDescription")
      .attribute("fmiVersion", "3.0")
      .attribute("modelName", model.name())
      .attribute("instantiationToken", token);
  if (*model.info().description != '\0') {
    xml.attribute("description", model.info().description);
  }
  xml.attribute("generationTool", "Saltus " SALTUS_VERSION)
      .attribute("variableNamingConvention", naming_convention(model));
  write_interfaces(xml, exported);
  const std::vector<NamedEnumeration> types = enumerations(model);
  write_units(xml, model);
  write_types(xml, types);
  write_log_categories(xml);
  write_experiment(xml, model.info());
  write_variables(xml, model, positions.states, types, arrays);
  write_structure(xml, model, positions.derivatives, arrays.listed(dependencies), arrays);
  xml.close("fmiModelDescription");
  return xml.text();
}

}  // namespace

std::string model_description(const ExportedModel& exported, Dependencies dependencies,
                              const DescribedArrays& arrays) {
  check_names(exported);
  check_aliases(*exported.model, arrays);
  check_terminals(*exported.model, arrays);
  return write(exported, instantiation_token(exported, arrays), arrays, dependencies);
}

// What it takes long to find out is no part of the token.
std::string instantiation_token(const ExportedModel& exported, const DescribedArrays& arrays) {
  return token_of(write(exported, "", arrays));
}

}  // namespace saltus::fmu_export::fmi3
