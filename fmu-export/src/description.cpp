// SPDX-License-Identifier: BSD-2-Clause
#include "description.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include "content_hash.hpp"
#include "exported.hpp"
#include "fmi_words.hpp"
#include "log.hpp"
#include "saltus/modeling/units.hpp"
#include "watched_conditions.hpp"
#include "xml_writer.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::Variable;

/// The position of a variable is its value reference minus one: zero is the time.
std::uint64_t reference_of(std::size_t position) { return position + 1; }

void check_names(const ExportedModel& exported) {
  const std::string& id = exported.identifier;
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_word = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (id.empty() || !is_letter(id[0]) || !std::all_of(id.begin(), id.end(), is_word)) {
    throw std::invalid_argument("the modelIdentifier \"" + id + "\" is not a C identifier");
  }
  for (const Variable& v : exported.model->variables()) {
    if (v.name == "time") {
      throw std::invalid_argument("a variable cannot be called \"time\": that is the time itself");
    }
  }
}

// Says to an importer that knows it: a change of this indicator alone is no event.
constexpr const char* kPartOfCondition = "org.saltus.part-of-condition";

// Conditions may be written alike, names may not.
std::vector<std::string> indicator_names(const modeling::DescribedModel& model) {
  std::set<std::string> taken{"time"};
  for (const Variable& v : model.variables()) {
    taken.insert(v.name);
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < number_of_indicators(model); ++i) {
    const std::string condition = indicator_text(model, i);
    std::string name = condition;
    for (int copy = 2; !taken.insert(name).second; ++copy) {
      name = condition + " (" + std::to_string(copy) + ")";
    }
    names.push_back(name);
  }
  return names;
}

void write_interfaces(XmlWriter& xml, const ExportedModel& exported) {
  const std::string& identifier = exported.identifier;
  xml.open("ModelExchange")
      .attribute("modelIdentifier", identifier)
      .flag("canGetAndSetFMUState", true)
      .flag("canSerializeFMUState", true)
      .flag("needsCompletedIntegratorStep", exported.model->needs_completed_steps())
      .close("ModelExchange");
  xml.open("CoSimulation")
      .attribute("modelIdentifier", identifier)
      .flag("canGetAndSetFMUState", true)
      .flag("canSerializeFMUState", true)
      .flag("canHandleVariableCommunicationStepSize", true)
      .flag("providesIntermediateUpdate", true)
      .flag("mightReturnEarlyFromDoStep", true)
      .flag("canReturnEarlyAfterIntermediateUpdate", true)
      .flag("hasEventMode", true)
      .close("CoSimulation");
}

void write_base_units(XmlWriter& xml, const modeling::BaseUnits& base) {
  xml.open("BaseUnit");
  const auto exponent = [&](const char* name, int power) {
    if (power != 0) {
      xml.attribute(name, std::to_string(power));
    }
  };
  exponent("kg", base.kg);
  exponent("m", base.m);
  exponent("s", base.s);
  exponent("A", base.A);
  exponent("K", base.K);
  exponent("mol", base.mol);
  exponent("cd", base.cd);
  exponent("rad", base.rad);
  if (base.factor != 1.0) {
    xml.attribute("factor", base.factor);
  }
  if (base.offset != 0.0) {
    xml.attribute("offset", base.offset);
  }
  xml.close("BaseUnit");
}

void write_units(XmlWriter& xml, const modeling::DescribedModel& model) {
  std::set<std::string> units;
  for (const Variable& v : model.variables()) {
    if (v.is_number() && !v.unit.empty()) {
      units.insert(v.unit);
    }
  }
  if (units.empty()) {
    return;
  }
  xml.open("UnitDefinitions");
  for (const std::string& unit : units) {
    xml.open("Unit").attribute("name", unit);
    if (const auto base = modeling::base_units(unit)) {
      write_base_units(xml, *base);
    }
    xml.close("Unit");
  }
  xml.close("UnitDefinitions");
}

void write_experiment(XmlWriter& xml, const modeling::ModelInfo& info) {
  xml.open("DefaultExperiment")
      .attribute("startTime", info.start)
      .attribute("stopTime", info.stop)
      .attribute("tolerance", info.tolerance);
  if (info.step_size > 0.0) {
    xml.attribute("stepSize", info.step_size);
  }
  xml.close("DefaultExperiment");
}

void write_float64(XmlWriter& xml, const Variable& v, std::uint64_t state_reference) {
  if (!v.unit.empty()) {
    xml.attribute("unit", v.unit);
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
    xml.attribute("start", v.start);
  }
  if (v.role == Variable::Role::derivative) {
    xml.attribute("derivative", state_reference);
  }
  if (v.role == Variable::Role::state) {
    xml.flag("reinit", true);  // an event of the model may assign any state
  }
}

void write_variable(XmlWriter& xml, const Variable& v, std::uint64_t reference,
                    std::uint64_t state_reference) {
  const char* element = type_word(v.type);
  xml.open(element).attribute("name", v.name).attribute("valueReference", reference);
  if (!v.description.empty()) {
    xml.attribute("description", v.description);
  }
  xml.attribute("causality", causality_word(v)).attribute("variability", variability_word(v));
  if (has_intermediate_update(v)) {
    xml.flag("intermediateUpdate", true);
  }
  xml.attribute("initial", has_start(v) ? "exact" : has_guess(v) ? "approx" : "calculated");
  if (v.is_number()) {
    write_float64(xml, v, state_reference);
  } else if (has_start(v) && v.type == Variable::Type::boolean) {
    xml.flag("start", v.start_integer != 0);
  } else if (has_start(v)) {
    xml.attribute("start", std::to_string(v.start_integer));
  }
  xml.close(element);
}

void write_variables(XmlWriter& xml, const modeling::DescribedModel& model,
                     const std::vector<std::size_t>& states) {
  const auto variables = model.variables();
  xml.open("ModelVariables");
  xml.open("Float64")
      .attribute("name", "time")
      .attribute("valueReference", std::uint64_t{0})
      .attribute("causality", "independent")
      .attribute("variability", "continuous")
      .close("Float64");
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool is_derivative = variables[i].role == Variable::Role::derivative;
    const std::size_t state = is_derivative ? states.at(variables[i].index) : 0;
    write_variable(xml, variables[i], reference_of(i), reference_of(state));
  }
  const std::vector<std::string> indicators = indicator_names(model);
  for (std::size_t i = 0; i < indicators.size(); ++i) {
    const bool is_part = i >= model.shape().indicators;
    xml.open("Float64")
        .attribute("name", indicators[i])
        .attribute("valueReference", reference_of(variables.size() + i))
        .attribute("description",
                   is_part ? "event indicator: its sign changes where the comparison does"
                           : "event indicator: its sign changes where the condition does")
        .attribute("causality", "local")
        .attribute("variability", "continuous")
        .attribute("initial", "calculated");
    if (is_part) {
      xml.open("Annotations").open("Annotation").attribute("type", kPartOfCondition);
      xml.close("Annotation");
      xml.close("Annotations");
    }
    xml.close("Float64");
  }
  xml.close("ModelVariables");
}

void write_unknown(XmlWriter& xml, const char* element, std::size_t position) {
  xml.open(element).attribute("valueReference", reference_of(position)).close(element);
}

// No dependencies are listed: each unknown may depend on everything (FMI 3.0, 2.4.8).
void write_structure(XmlWriter& xml, const modeling::DescribedModel& model,
                     const std::vector<std::size_t>& derivatives) {
  const auto variables = model.variables();
  const auto is_output = [&](std::size_t i) {
    return variables[i].causality == Variable::Causality::output;
  };
  xml.open("ModelStructure");
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (is_output(i)) {
      write_unknown(xml, "Output", i);
    }
  }
  for (const std::size_t i : derivatives) {
    write_unknown(xml, "ContinuousStateDerivative", i);
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool is_derivative = variables[i].role == Variable::Role::derivative;
    if (is_derivative || (is_output(i) && !has_start(variables[i]))) {
      write_unknown(xml, "InitialUnknown", i);
    }
  }
  for (std::size_t i = 0; i < number_of_indicators(model); ++i) {
    write_unknown(xml, "EventIndicator", variables.size() + i);
  }
  xml.close("ModelStructure");
}

std::string write(const ExportedModel& exported, const std::string& token) {
  const modeling::DescribedModel& model = *exported.model;
  const auto variables = model.variables();
  std::vector<std::size_t> states(model.shape().states);
  std::vector<std::size_t> derivatives(model.shape().states);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].role == Variable::Role::state) {
      states.at(variables[i].index) = i;
    } else if (variables[i].role == Variable::Role::derivative) {
      derivatives.at(variables[i].index) = i;
    }
  }
  XmlWriter xml;
  xml.open("fmiModelDescription")
      .attribute("fmiVersion", "3.0")
      .attribute("modelName", model.name())
      .attribute("instantiationToken", token);
  if (*model.info().description != '\0') {
    xml.attribute("description", model.info().description);
  }
  xml.attribute("generationTool", "Saltus " SALTUS_VERSION)
      .attribute("variableNamingConvention", "flat");
  write_interfaces(xml, exported);
  write_units(xml, model);
  xml.open("LogCategories");
  for (const LogCategoryName& category : kLogCategories) {
    xml.open("Category")
        .attribute("name", category.name)
        .attribute("description", category.description)
        .close("Category");
  }
  xml.close("LogCategories");
  write_experiment(xml, model.info());
  write_variables(xml, model, states);
  write_structure(xml, model, derivatives);
  xml.close("fmiModelDescription");
  return xml.text();
}

// In the form of a GUID, which importers expect to see.
std::string token_of(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  constexpr std::uint64_t kSecondBasis = 0x9e3779b97f4a7c15U;
  const std::uint64_t halves[] = {content_hash(text), content_hash(text, kSecondBasis)};
  std::string token = "{";
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) {
      token += '-';
    }
    token += kDigits[(halves[digit / 16] >> (60 - 4 * (digit % 16))) & 15U];
  }
  return token + "}";
}

}  // namespace

std::string model_description(const ExportedModel& exported) {
  check_names(exported);
  return write(exported, token_of(write(exported, "")));
}

const std::string& instantiation_token() {
  static const std::string token = [] {
    return token_of(write(exported_model(Interface::model_exchange), ""));
  }();
  return token;
}

}  // namespace saltus::fmu_export
