// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <unordered_set>

#include "parse_description.hpp"

namespace saltus::importer {
namespace {

constexpr Element::Word<DependencyKind> kKinds[] = {{"dependent", DependencyKind::dependent},
                                                    {"constant", DependencyKind::constant},
                                                    {"fixed", DependencyKind::fixed},
                                                    {"tunable", DependencyKind::tunable},
                                                    {"discrete", DependencyKind::discrete}};

std::size_t existing(const Element& entry, const char* attribute, ValueReference reference,
                     const ModelDescription& description) {
  const auto found = description.by_reference.find(reference);
  if (found == description.by_reference.end()) {
    entry.fail(attribute, fmt::format("there is no variable with value reference {}", reference));
  }
  return found->second;
}

Unknown parse_unknown(const Element& entry, ModelDescription& description) {
  Unknown unknown;
  unknown.line = entry.line();
  unknown.variable = existing(entry, "valueReference",
                              entry.required_number<ValueReference>("valueReference"), description);
  unknown.dependencies = entry.numbers<ValueReference>("dependencies");
  if (unknown.dependencies) {
    for (const ValueReference reference : *unknown.dependencies) {
      existing(entry, "dependencies", reference, description);
    }
  }
  unknown.kinds =
      parse_kinds(entry, unknown.dependencies ? unknown.dependencies->size() : 0, description);
  return unknown;
}

void check_derivative(const Element& entry, const Unknown& unknown,
                      const ModelDescription& description) {
  const Variable& variable = description.variables[unknown.variable];
  if (!variable.derivative_of) {
    entry.fail(nullptr, fmt::format("\"{}\" has no attribute derivative, so nobody knows which "
                                    "state it belongs to",
                                    variable.name));
  }
  const Variable& state = *description.find(*variable.derivative_of);
  if (description.element_count(state) != description.element_count(variable)) {
    entry.fail(nullptr, fmt::format("\"{}\" and its state \"{}\" have different sizes",
                                    variable.name, state.name));
  }
}

}  // namespace

std::optional<DependencyKind> dependency_kind(std::string_view word) {
  for (const auto& [text, kind] : kKinds) {
    if (text == word) return kind;
  }
  return std::nullopt;
}

std::vector<DependencyKind> parse_kinds(const Element& entry, std::size_t dependencies,
                                        ModelDescription& description) {
  std::vector<DependencyKind> kinds;
  if (!entry.has("dependenciesKind")) return kinds;
  const std::string words = entry.text("dependenciesKind");
  for (const std::string_view kind : split(words)) {
    kinds.push_back(entry.word("dependenciesKind", kind, kKinds));
  }
  // Nothing here rests on them, and widespread tools write too few.
  if (kinds.size() != dependencies) {
    description.warnings.push_back(
        fmt::format("line {}: {} words in dependenciesKind for {} dependencies; they are ignored",
                    entry.line(), kinds.size(), dependencies));
    kinds.clear();
  }
  return kinds;
}

void check_outputs(ModelDescription& description) {
  std::unordered_set<std::size_t> listed;
  for (const Unknown& output : description.structure.outputs) listed.insert(output.variable);
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if ((variable.causality == Causality::output) == listed.contains(i)) continue;
    description.warnings.push_back(fmt::format(
        "line {}: \"{}\" is {} in ModelStructure", variable.line, variable.name,
        listed.contains(i) ? "not an output but is listed as one" : "an output but is not listed"));
  }
}

void parse_structure(const Element& root, ModelDescription& description) {
  const auto list = root.child("ModelStructure");
  if (!list) root.fail(nullptr, "the element ModelStructure is missing");
  ModelStructure& structure = description.structure;
  for (const Element& entry : list->children()) {
    if (entry.name() == "Output") {
      structure.outputs.push_back(parse_unknown(entry, description));
    } else if (entry.name() == "ContinuousStateDerivative") {
      structure.continuous_state_derivatives.push_back(parse_unknown(entry, description));
      check_derivative(entry, structure.continuous_state_derivatives.back(), description);
    } else if (entry.name() == "ClockedState") {
      structure.clocked_states.push_back(parse_unknown(entry, description));
    } else if (entry.name() == "InitialUnknown") {
      structure.initial_unknowns.push_back(parse_unknown(entry, description));
    } else if (entry.name() == "EventIndicator") {
      structure.event_indicators.push_back(parse_unknown(entry, description));
    } else if (entry.name() != "Annotations") {
      description.warnings.push_back(fmt::format(
          "line {}: <{}> in ModelStructure is unknown and ignored", entry.line(), entry.name()));
    }
  }
  check_outputs(description);
}

}  // namespace saltus::importer
