// SPDX-License-Identifier: BSD-2-Clause
#include "aliases.hpp"

#include <optional>
#include <set>
#include <stdexcept>

#include "saltus/core/nearest_names.hpp"
#include "xml_writer.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::Alias;
using modeling::Terminal;
using modeling::TerminalMember;

std::string in_quotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

std::vector<std::string> listed_names(const modeling::DescribedModel& model,
                                      const DescribedArrays& arrays) {
  std::vector<std::string> names;
  const auto variables = model.variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (arrays.listed(i) != i) continue;
    const DescribedArray* const array = arrays.at(i);
    names.push_back(array == nullptr ? variables[i].name : array->name);
  }
  return names;
}

// The index behind `name` that makes it the listed one: none where they are the same, "[3]" where
// the elements of an array are listed.
std::optional<std::string> index_behind(std::string_view name, std::string_view listed) {
  if (!listed.starts_with(name)) return std::nullopt;
  const std::string_view rest = listed.substr(name.size());
  const bool is_index = rest.size() > 2 && rest.front() == '[' && rest.back() == ']' &&
                        rest.find_first_not_of("0123456789", 1) == rest.size() - 1;
  if (!rest.empty() && !is_index) return std::nullopt;
  return std::string(rest);
}

// The indices of all that `name` stands for; `who` uses it.
std::vector<std::string> require_variable(const std::vector<std::string>& listed,
                                          std::string_view name, const std::string& who) {
  std::vector<std::string> indices;
  for (const std::string& known : listed) {
    if (const auto index = index_behind(name, known)) indices.push_back(*index);
  }
  if (!indices.empty()) return indices;
  throw std::invalid_argument(who + " names the variable " + in_quotes(name) +
                              ", which the description does not list" + did_you_mean(name, listed));
}

const char* member_kind_word(TerminalMember::Kind kind) {
  switch (kind) {
    case TerminalMember::Kind::inflow:
      return "inflow";
    case TerminalMember::Kind::outflow:
      return "outflow";
    default:
      return "signal";
  }
}

const char* matching_word(Terminal::Matching matching) {
  switch (matching) {
    case Terminal::Matching::bus:
      return "bus";
    case Terminal::Matching::sequence:
      return "sequence";
    default:
      return "plug";
  }
}

std::string_view member_name(const TerminalMember& member) {
  return *member.name == '\0' ? member.variable : member.name;
}

}  // namespace

std::vector<DescribedAlias> aliases_of(const modeling::DescribedModel& model,
                                       std::string_view listed_name) {
  std::vector<DescribedAlias> found;
  for (const Alias& alias : model.info().aliases) {
    if (const auto index = index_behind(alias.of, listed_name)) {
      found.push_back({alias.name + *index, alias.description});
    }
  }
  return found;
}

void check_aliases(const modeling::DescribedModel& model, const DescribedArrays& arrays) {
  if (model.info().aliases.empty()) return;
  const std::vector<std::string> listed = listed_names(model, arrays);
  std::set<std::string> taken(listed.begin(), listed.end());
  taken.insert("time");
  for (const modeling::Variable& v : model.variables()) {
    taken.insert(v.name);  // elements of arrays are called so in results
    if (v.enumeration != nullptr) taken.insert(std::string(v.enumeration->name));
  }
  for (const Alias& alias : model.info().aliases) {
    if (*alias.name == '\0') {
      throw std::invalid_argument("an alias of " + in_quotes(alias.of) + " has no name");
    }
    for (const std::string& index :
         require_variable(listed, alias.of, "the alias " + in_quotes(alias.name))) {
      if (!taken.insert(alias.name + index).second) {
        throw std::invalid_argument("the alias " + in_quotes(alias.name + index) + " of " +
                                    in_quotes(alias.of + index) + " has a name that is taken");
      }
    }
  }
}

void check_terminals(const modeling::DescribedModel& model, const DescribedArrays& arrays) {
  const std::vector<std::string> listed = listed_names(model, arrays);
  std::set<std::string_view> terminals;
  for (const Terminal& terminal : model.info().terminals) {
    const std::string who = "the terminal " + in_quotes(terminal.name);
    if (*terminal.name == '\0') throw std::invalid_argument("a terminal has no name");
    if (!terminals.insert(terminal.name).second) {
      throw std::invalid_argument("two terminals have the name " + in_quotes(terminal.name));
    }
    if (terminal.members.empty()) throw std::invalid_argument(who + " has no members");
    std::set<std::string_view> members;
    for (const TerminalMember& member : terminal.members) {
      require_variable(listed, member.variable, who);
      if (!members.insert(member_name(member)).second) {
        throw std::invalid_argument(who + " has two members with the name " +
                                    in_quotes(member_name(member)));
      }
    }
  }
}

std::string terminals_xml(const modeling::DescribedModel& model, const DescribedArrays& arrays) {
  if (model.info().terminals.empty()) return "";
  const std::vector<std::string> listed = listed_names(model, arrays);
  XmlWriter xml;
  xml.open("fmiTerminalsAndIcons").attribute("fmiVersion", "3.0").open("Terminals");
  for (const Terminal& terminal : model.info().terminals) {
    xml.open("Terminal")
        .attribute("name", terminal.name)
        .attribute("matchingRule", matching_word(terminal.matching));
    if (*terminal.kind != '\0') xml.attribute("terminalKind", terminal.kind);
    if (*terminal.description != '\0') xml.attribute("description", terminal.description);
    for (const TerminalMember& member : terminal.members) {
      for (const std::string& index : require_variable(listed, member.variable, terminal.name)) {
        xml.open("TerminalMemberVariable")
            .attribute("variableName", member.variable + index)
            .attribute("memberName", std::string(member_name(member)) + index)
            .attribute("variableKind", member_kind_word(member.kind))
            .close("TerminalMemberVariable");
      }
    }
    xml.close("Terminal");
  }
  xml.close("Terminals");
  xml.close("fmiTerminalsAndIcons");
  return xml.text();
}

}  // namespace saltus::fmu_export
