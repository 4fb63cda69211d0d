// SPDX-License-Identifier: BSD-2-Clause
// The manifest of FMI-LS-DAE: 1.0.0-alpha.1 and the drafts before and after it. Names are compared
// without their prefixes: there are files whose prefixes nobody declares.
#include "parse_dae_manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "parse_description.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

constexpr std::array kKnownVersions{"1.0.0-alpha.1", "1.0", "0.1.0", "0.1", "0.0.1", ""};

/// A list of modelDescription.xml that the manifest may replace, and whether one that names what
/// does not exist can be done without.
struct List {
  const char* element;
  std::vector<Unknown> ModelStructure::*place;
  bool is_dispensable;
};
constexpr std::array<List, 5> kLists{{
    {"Output", &ModelStructure::outputs, true},
    {"ContinuousStateDerivative", &ModelStructure::continuous_state_derivatives, false},
    {"ClockedState", &ModelStructure::clocked_states, true},
    {"InitialUnknown", &ModelStructure::initial_unknowns, true},
    {"EventIndicator", &ModelStructure::event_indicators, true},
}};

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// What tells the drafts apart.
struct Marks {
  std::string root;
  std::string attribute;  ///< that names the switch: isDaeFmu, enableDAEModeVariable, or none
  std::string element;    ///< that does
  bool is_declared = true;
  bool has_formulations = false;
  bool has_flat_index = false;
};

class Reader {
 public:
  Reader(const XmlFile& file, const ModelDescription& description, DaeManifest& manifest)
      : file_(file), description_(description), manifest_(manifest) {}
  void read();

 private:
  template <class... Arguments>
  void warn(const Element& at, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    manifest_.warnings.push_back(
        fmt::format("line {} of the manifest: {}", at.line(),
                    fmt::format(text, std::forward<Arguments>(arguments)...)));
  }
  /// The first reason is the one that is told.
  template <class... Arguments>
  void refuse(const Element& at, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    if (!manifest_.why_unusable.empty()) return;
    manifest_.why_unusable = fmt::format("line {} of the manifest: {}", at.line(),
                                         fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  void read_switch(const Element& root);
  void set_switch(const Element& at, const Variable* variable, std::string_view named);
  void read_algebraics(const Element& list);
  void read_structure(const Element& list);
  void read_residual(const Element& entry);
  std::optional<Unknown> unknown(const Element& entry, std::string& problem);
  void read_dependencies(const Element& entry, Unknown& unknown);
  std::optional<std::size_t> variable(const Element& entry, std::string& problem) const;
  std::string variant() const;

  const XmlFile& file_;
  const ModelDescription& description_;
  DaeManifest& manifest_;
  Marks marks_;
};

std::optional<std::size_t> Reader::variable(const Element& entry, std::string& problem) const {
  const std::string text = entry.text(entry.local("valueReference"));
  ValueReference reference = 0;
  if (!read_number(text, reference)) {
    problem = fmt::format("\"{}\" is no value reference", text);
    return std::nullopt;
  }
  const auto found = description_.by_reference.find(reference);
  if (found == description_.by_reference.end()) {
    problem = fmt::format("there is no variable with value reference {}", reference);
    return std::nullopt;
  }
  return found->second;
}

std::optional<Unknown> Reader::unknown(const Element& entry, std::string& problem) {
  const auto found = variable(entry, problem);
  if (!found) return std::nullopt;
  Unknown unknown;
  unknown.variable = *found;
  unknown.line = entry.line();
  read_dependencies(entry, unknown);
  return unknown;
}

// Without dependencies an unknown depends on everything, which is right, if slow.
void Reader::read_dependencies(const Element& entry, Unknown& unknown) {
  const char* const attribute = entry.local("dependencies");
  if (!entry.has(attribute)) return;
  const std::string& name = description_.variables[unknown.variable].name;
  std::vector<ValueReference> dependencies;
  const std::string list = entry.text(attribute);
  for (const std::string_view word : split(list)) {
    ValueReference reference = 0;
    if (!read_number(word, reference) || description_.find(reference) == nullptr) {
      warn(entry, "\"{}\" depends on {}, which does not exist; it is taken to depend on everything",
           name, word);
      return;
    }
    dependencies.push_back(reference);
  }
  const std::string kind_list = entry.text(entry.local("dependenciesKind"));
  std::vector<DependencyKind> kinds;
  for (const std::string_view word : split(kind_list)) {
    if (const auto kind = dependency_kind(word)) kinds.push_back(*kind);
  }
  const std::size_t words = split(kind_list).size();
  if (words != kinds.size() || (words > 0 && words != dependencies.size())) {
    warn(entry, "the kinds of the dependencies of \"{}\" make no sense and are ignored", name);
    kinds.clear();
  }
  unknown.dependencies = std::move(dependencies);
  unknown.kinds = std::move(kinds);
}

void Reader::set_switch(const Element& at, const Variable* variable, std::string_view named) {
  if (variable == nullptr) {
    refuse(at, "the switch {} is no variable of the FMU", named);
    return;
  }
  if (variable->type != VariableType::boolean ||
      variable->causality != Causality::structural_parameter) {
    refuse(at, "the switch \"{}\" is not a Boolean structural parameter", variable->name);
    return;
  }
  manifest_.enable = static_cast<std::size_t>(variable - description_.variables.data());
  if (!variable->start.empty() && to_number(variable->start.front()) != 0.0) {
    warn(at, "the switch \"{}\" starts as true: the FMU is not an ODE by default", variable->name);
  }
}

void Reader::read_switch(const Element& root) {
  for (const Element& entry : root.children()) {
    const std::string_view name = entry.local_name();
    if (name != "EnableDAEParameter" && name != "EnableDAE") continue;
    marks_.element = name;
    std::string problem;
    const auto found = variable(entry, problem);
    set_switch(entry, found ? &description_.variables[*found] : nullptr, problem);
    return;
  }
  const char* const by_variable = root.local("enableDAEModeVariable");
  const char* const by_flag = root.local("isDaeFmu");
  if (root.has(by_variable)) {
    marks_.attribute = "enableDAEModeVariable";
    const std::string named(trim(root.text(by_variable)));
    ValueReference reference = 0;
    const Variable* const by_name = description_.find(named);
    set_switch(
        root,
        is_number(named) && read_number(named, reference) ? description_.find(reference) : by_name,
        fmt::format("\"{}\"", named));
  } else if (root.has(by_flag)) {
    marks_.attribute = "isDaeFmu";
    bool is_dae = false;
    if (!read_boolean(root.text(by_flag), is_dae) || !is_dae) {
      refuse(root, "it says isDaeFmu=\"{}\"", root.text(by_flag));
    }
  }
}

void Reader::read_algebraics(const Element& list) {
  for (const Element& entry : list.children()) {
    if (entry.local_name() != "AlgebraicVariable") continue;
    std::string problem;
    const auto found = variable(entry, problem);
    if (!found) {
      refuse(entry, "an algebraic variable: {}", problem);
      continue;
    }
    AlgebraicVariable algebraic{.variable = *found, .nominal = {}, .nominal_variable = {}};
    const std::string nominal = entry.text(entry.local("nominal"));
    // One draft gives a variable instead of a number.
    ValueReference reference = 0;
    double number = 0.0;
    const Variable* const holder = is_number(nominal) && read_number(nominal, reference)
                                       ? description_.find(reference)
                                       : nullptr;
    if (holder != nullptr && holder->type == VariableType::float64 && holder->dimensions.empty() &&
        holder->variability <= Variability::tunable) {
      algebraic.nominal_variable = static_cast<std::size_t>(holder - description_.variables.data());
    } else if (read_number(nominal, number) && number != 0.0) {
      algebraic.nominal = number;
    } else if (!nominal.empty()) {
      warn(entry, "\"{}\" is no nominal value; it is ignored", nominal);
    }
    manifest_.algebraics.push_back(algebraic);
  }
}

void Reader::read_residual(const Element& entry) {
  std::string problem;
  if (entry.has(entry.local("valueReference"))) {
    const char* const index = entry.local("index");
    marks_.has_flat_index = marks_.has_flat_index || entry.has(index);
    auto found = unknown(entry, problem);
    if (!found) {
      refuse(entry, "a residual: {}", problem);
      return;
    }
    if (entry.has(index) && trim(entry.text(index)) != "1") {
      warn(entry, "the residual \"{}\" has index {} and is used as it is",
           description_.variables[found->variable].name, entry.text(index));
    }
    manifest_.residuals.push_back(std::move(*found));
    return;
  }
  std::vector<DaeFormulation> group;
  for (const Element& child : entry.children()) {
    if (child.local_name() != "Formulation") continue;
    marks_.has_formulations = true;
    auto found = unknown(child, problem);
    if (!found) {
      refuse(child, "a formulation: {}", problem);
      return;
    }
    DaeFormulation formulation{.unknown = std::move(*found), .index = {}};
    int index = 0;
    if (read_number(child.text(child.local("index")), index)) formulation.index = index;
    group.push_back(std::move(formulation));
  }
  const auto is_usable = [&](const DaeFormulation& form) {
    return form.index ? *form.index == 1 : group.size() == 1;
  };
  const auto chosen = std::find_if(group.begin(), group.end(), is_usable);
  if (chosen == group.end()) {
    refuse(entry, "{}",
           group.empty() ? "a residual without a variable"
                         : "a residual without a formulation of index 1");
  } else {
    manifest_.residuals.push_back(chosen->unknown);
    for (auto other = group.begin(); other != group.end(); ++other) {
      if (other != chosen) manifest_.constraints.push_back(other->unknown);
    }
  }
  manifest_.groups.push_back(std::move(group));
}

void Reader::read_structure(const Element& list) {
  ModelStructure own;
  std::set<std::string_view> given, spoilt;
  for (const Element& entry : list.children()) {
    const std::string_view name = entry.local_name();
    if (name == "Residual") {
      read_residual(entry);
      continue;
    }
    std::string problem;
    if (name == "Invariant") {
      if (auto found = unknown(entry, problem)) {
        manifest_.invariants.push_back(std::move(*found));
      } else {
        warn(entry, "an invariant is left out: {}", problem);
      }
      continue;
    }
    const auto known = std::find_if(kLists.begin(), kLists.end(),
                                    [&](const List& each) { return name == each.element; });
    if (known == kLists.end()) {
      if (name != "Annotations") warn(entry, "<{}> is unknown and ignored", name);
      continue;
    }
    given.insert(known->element);
    if (auto found = unknown(entry, problem)) {
      (own.*known->place).push_back(std::move(*found));
    } else if (known->is_dispensable) {
      if (spoilt.insert(known->element).second) {
        warn(entry, "<{}>: {}; the list of modelDescription.xml is used", name, problem);
      }
    } else {
      refuse(entry, "<{}>: {}", name, problem);
    }
  }
  for (const List& each : kLists) {
    if (!given.contains(each.element) || spoilt.contains(each.element)) continue;
    manifest_.structure.*each.place = std::move(own.*each.place);
    manifest_.replaced.emplace_back(each.element);
  }
}

std::string Reader::variant() const {
  if (marks_.root == "fmiDAEManifest") {
    return !manifest_.invariants.empty() ? "1.0.0-alpha.1 with invariants" : "1.0.0-alpha.1";
  }
  const bool is_stub = manifest_.residuals.empty() && manifest_.algebraics.empty();
  if (is_stub && marks_.root != "fmiLayeredStandardManifest") {
    return marks_.attribute == "isDaeFmu" ? "stub of early 2026: isDaeFmu"
           : marks_.root == "fmi-dae"     ? "stub of 2026: enableDAEModeVariable as a reference"
           : marks_.attribute.empty()     ? "stub of 2026"
                                          : "stub of 2026: enableDAEModeVariable as a name";
  }
  if (marks_.root != "fmiLayeredStandardManifest") return "draft of July 2026: EnableDAE";
  if (!marks_.element.empty()) return "draft of August 2026: EnableDAE under the old root";
  if (!marks_.attribute.empty()) return "draft of mid 2026: enableDAEModeVariable, formulations";
  if (!marks_.is_declared) return "formulations without a switch, as CasADi writes them";
  if (marks_.has_formulations) return "draft of April 2026: formulations";
  if (marks_.has_flat_index) return "draft of 2025: flat residuals with index";
  return manifest_.version == "1.0" ? "draft of 2025: flat residuals, version 1.0"
                                    : "draft of 2025: flat residuals";
}

void Reader::read() {
  const Element root(file_, file_.root());
  marks_.root = root.local_name();
  const char* const name = root.local("fmi-ls-name");
  manifest_.name = root.text(name);
  manifest_.version = root.text(root.local("fmi-ls-version"));
  if (const std::string_view qualified = name; qualified.find(':') != std::string_view::npos) {
    const std::string prefix(qualified.substr(0, qualified.find(':')));
    marks_.is_declared = root.has(("xmlns:" + prefix).c_str());
  }
  read_switch(root);
  bool has_algebraics = false;
  for (const Element& entry : root.children()) {
    if (entry.local_name() == "AlgebraicVariables") {
      has_algebraics = true;
      read_algebraics(entry);
    } else if (entry.local_name() == "ModelStructure") {
      read_structure(entry);
    }
  }
  manifest_.variant = variant();
  constexpr std::array kRoots{"fmiDAEManifest", "fmi-ls-dae", "fmi-dae",
                              "fmiLayeredStandardManifest"};
  const bool is_old = marks_.root == "fmiLayeredStandardManifest";
  if (std::find(kRoots.begin(), kRoots.end(), marks_.root) == kRoots.end() ||
      (is_old && !has_algebraics && !manifest_.name.ends_with("fmi-ls-dae"))) {
    manifest_.variant = "unknown";
    refuse(root, "<{}> with the name \"{}\" is not a manifest of FMI-LS-DAE", marks_.root,
           manifest_.name);
  }
  if (std::find(kKnownVersions.begin(), kKnownVersions.end(), manifest_.version) ==
      kKnownVersions.end()) {
    warn(root, "version \"{}\" is not known and read as if it were 1.0.0-alpha.1",
         manifest_.version);
  }
}

}  // namespace

DaeManifest parse_dae_manifest(const std::string& fmu, std::string text,
                               const ModelDescription& description) {
  DaeManifest manifest;
  manifest.structure = description.structure;
  try {
    const XmlFile file(fmu, kDaeManifest, std::move(text));
    Reader(file, description, manifest).read();
  } catch (const FmuError& error) {
    manifest.variant = "unknown";
    manifest.why_unusable = error.what();
    return manifest;
  }
  classify_dae_manifest(description, manifest);
  return manifest;
}

}  // namespace saltus::importer
