// SPDX-License-Identifier: BSD-2-Clause
// Rules 10, 11 and 22: names and value references.
#include <fmt/format.h>

#include <cctype>
#include <unordered_map>

#include "rules.hpp"

namespace saltus::importer::validation {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_nondigit(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Takes a name apart, from left to right. Each function answers whether its part of the grammar
/// stands at the place reached, and goes behind it.
class NameReader {
 public:
  explicit NameReader(std::string_view text) : rest_(text) {}

  bool name() {
    if (!rest_.starts_with("der(")) return identifier() && rest_.empty();
    rest_.remove_prefix(4);
    if (!identifier()) return false;
    if (take(',') && !unsigned_integer()) return false;
    return take(')') && rest_.empty();
  }

 private:
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool identifier() {
    do {
      if (!basic_name()) return false;
      if (take('[') && !array_indices()) return false;
    } while (take('.'));
    return true;
  }

  bool basic_name() {
    if (take('\'')) return quoted_name();
    if (rest_.empty() || !is_nondigit(rest_.front())) return false;
    while (!rest_.empty() && (is_nondigit(rest_.front()) || is_digit(rest_.front()))) {
      rest_.remove_prefix(1);
    }
    return true;
  }

  bool quoted_name() {
    static constexpr std::string_view kOther = "!#$%&()*+,-./:;<>=?@[]^{}|~ ";
    for (bool is_first = true; !rest_.empty(); is_first = false) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\'') return !is_first;
      if (c == '\\') {
        if (rest_.empty() ||
            std::string_view("'\"?\\abfnrtv").find(rest_.front()) == std::string_view::npos) {
          return false;
        }
        rest_.remove_prefix(1);
      } else if (!is_digit(c) && !is_nondigit(c) && kOther.find(c) == std::string_view::npos) {
        return false;
      }
    }
    return false;
  }

  bool array_indices() {
    do {
      if (!unsigned_integer()) return false;
    } while (take(','));
    return take(']');
  }

  bool unsigned_integer() {
    if (rest_.empty() || !is_digit(rest_.front())) return false;
    while (!rest_.empty() && is_digit(rest_.front())) rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
};

/// Names that have been given, and where.
class GivenNames {
 public:
  GivenNames(Rule empty, Rule repeated, Findings& findings)
      : empty_(empty), repeated_(repeated), findings_(findings) {}

  void give(const Element& element, const char* what) {
    if (!element.has("name")) return;  // rule 6 says so
    const std::string name = element.text("name");
    if (name.empty()) {
      findings_.error(empty_, Place(element, "name"), fmt::format("a {} has an empty name", what),
                      "give it one");
      return;
    }
    const auto [first, inserted] = lines_.emplace(name, element.line("name"));
    if (inserted) return;
    findings_.error(repeated_, Place(element, "name"),
                    fmt::format("the {} \"{}\" has the name of another one, in line {}", what, name,
                                first->second),
                    "rename one of them");
  }
  /// The line, or 0.
  std::size_t line(const std::string& name) const {
    const auto found = lines_.find(name);
    return found == lines_.end() ? 0 : found->second;
  }

 private:
  Rule empty_;
  Rule repeated_;
  Findings& findings_;
  std::unordered_map<std::string, std::size_t> lines_;
};

void check_characters(const Element& element, bool is_structured, Findings& findings) {
  const std::string name = element.text("name");
  if (name.empty()) return;
  if (name.find_first_of("\r\n\t") != std::string::npos) {
    findings.error({22, "names.character"}, Place(element, "name"),
                   "a name contains a line end or a tabulator", "take it out");
  } else if (is_structured && !is_structured_name(name)) {
    findings.error({22, "names.structured"}, Place(element, "name"),
                   fmt::format("\"{}\" is not a structured name", name),
                   "put what is not a letter, a digit or an underscore between apostrophes, or "
                   "declare variableNamingConvention=\"flat\"");
  }
}

}  // namespace

bool is_structured_name(std::string_view name) { return NameReader(name).name(); }

bool is_c_identifier(std::string_view name) {
  if (name.empty() || !is_nondigit(name.front())) return false;
  for (const char c : name) {
    if (!is_nondigit(c) && !is_digit(c)) return false;
  }
  return true;
}

void check_names(const LooseDescription& model, Findings& findings) {
  const bool is_structured = trim(model.root.text("variableNamingConvention")) == "structured";
  GivenNames variables({10, "names.empty"}, {10, "names.repeated"}, findings);
  for (const LooseVariable& variable : model.variables) {
    variables.give(variable.entry, "variable");
    check_characters(variable.entry, is_structured, findings);
    for (const Element& alias : variable.entry.children("Alias")) {
      variables.give(alias, "alias");
      check_characters(alias, is_structured, findings);
    }
  }
  GivenNames types({10, "names.empty"}, {10, "types.name.repeated"}, findings);
  for (const LooseType& type : model.types) {
    types.give(type.entry, "type");
    if (const std::size_t line = variables.line(type.name); line != 0) {
      findings.error(
          {10, "types.name.variable"}, Place(type.entry, "name"),
          fmt::format("the type \"{}\" has the name of the variable in line {}", type.name, line),
          "rename the type");
    }
  }
  GivenNames categories({10, "names.empty"}, {10, "names.repeated"}, findings);
  for (const Element& list : model.root.children("LogCategories")) {
    for (const Element& entry : list.children("Category")) categories.give(entry, "log category");
  }
}

void check_references(const LooseDescription& model, Findings& findings) {
  if (model.is_fmi3()) {
    for (const LooseVariable& variable : model.variables) {
      if (!variable.reference) continue;
      const LooseVariable& first = model.variables[model.by_reference.at(*variable.reference)];
      if (&first == &variable) continue;
      findings.error(
          {11, "references.repeated"}, Place(variable.entry, "valueReference"),
          fmt::format("\"{}\" has the value reference {} of \"{}\" in line {}", variable.name,
                      *variable.reference, first.name, first.entry.line()),
          "give it another one; another name for one variable is an <Alias>");
    }
    return;
  }
  // FMI 2.0: variables of one base type with one value reference are aliases (2.2.7); only one of
  // them may have a start value, unless they are constants.
  std::unordered_map<std::string, const LooseVariable*> started;
  for (const LooseVariable& variable : model.variables) {
    if (!variable.reference || !variable.type || !variable.has_start) continue;
    if (variable.variability == Variability::constant) continue;
    const auto base =
        *variable.type == VariableType::enumeration ? VariableType::int32 : *variable.type;
    const auto [first, inserted] =
        started.emplace(fmt::format("{} {}", to_string(base), *variable.reference), &variable);
    if (inserted) continue;
    findings.error({11, "references.alias.start"}, Place(variable.typed, "start"),
                   fmt::format("\"{}\" and \"{}\" in line {} are aliases, and both have a start "
                               "value",
                               variable.name, first->second->name, first->second->entry.line()),
                   "keep one of the start values");
  }
}

}  // namespace saltus::importer::validation
