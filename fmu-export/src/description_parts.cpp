// SPDX-License-Identifier: BSD-2-Clause
#include "description_parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "content_hash.hpp"
#include "log.hpp"
#include "saltus/modeling/units.hpp"
#include "watched_conditions.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::Variable;

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

// A structured name (FMI 3.0, 2.4.7.5.1) without apostrophes: words between dots, each with indices
// in brackets behind it or without, and der(...) around.
bool is_structured(std::string_view name) {
  if (name.starts_with("der(") && name.ends_with(")")) {
    name = name.substr(4, name.size() - 5);
  }
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = name.find('.');
    const std::string_view piece = name.substr(0, end);
    name.remove_prefix(end == std::string_view::npos ? name.size() : end + 1);
    const std::size_t bracket = piece.find('[');
    const std::string_view word = piece.substr(0, bracket);
    if (word.empty() || !is_letter(word[0]) || !std::all_of(word.begin(), word.end(), [&](char c) {
          return is_letter(c) || is_digit(c);
        })) {
      return false;
    }
    if (bracket != std::string_view::npos) {
      const std::string_view index = piece.substr(bracket + 1);
      if (index.size() < 2 || !index.ends_with(']') ||
          !std::all_of(index.begin(), index.end() - 1, is_digit)) {
        return false;
      }
    }
  }
  return true;
}

const char* kind_word(DependencyKind kind) {
  switch (kind) {
    case DependencyKind::constant:
      return "constant";
    case DependencyKind::fixed:
      return "fixed";
    case DependencyKind::tunable:
      return "tunable";
    case DependencyKind::discrete:
      return "discrete";
    default:
      return "dependent";
  }
}

}  // namespace

void write_dependencies(XmlWriter& xml, std::span<const VariableDependencies> lists,
                        std::size_t unknown, std::uint64_t (*number_of)(std::size_t position)) {
  const auto list = std::find_if(lists.begin(), lists.end(), [&](const VariableDependencies& l) {
    return l.variable == unknown;
  });
  if (list == lists.end()) {
    return;
  }
  std::vector<std::pair<std::uint64_t, DependencyKind>> sorted;
  for (const auto& dependency : list->dependencies) {
    sorted.emplace_back(number_of(dependency.on), dependency.kind);
  }
  std::sort(sorted.begin(), sorted.end());
  std::string numbers;
  std::string kinds;
  for (const auto& [number, kind] : sorted) {
    const char* gap = numbers.empty() ? "" : " ";
    numbers += gap + std::to_string(number);
    kinds += std::string(gap) + kind_word(kind);
  }
  xml.attribute("dependencies", numbers);
  if (!kinds.empty()) {
    xml.attribute("dependenciesKind", kinds);
  }
}

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
    try {
      if (*v.display_unit != '\0') modeling::conversion(v.unit, v.display_unit);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("the display unit of \"" + v.name + "\": " + error.what());
    }
  }
}

StatePositions positions_of_states(const modeling::DescribedModel& model) {
  const auto variables = model.variables();
  StatePositions found;
  found.states.resize(model.shape().states);
  found.derivatives.resize(model.shape().states);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].role == Variable::Role::state) {
      found.states.at(variables[i].index) = i;
    } else if (variables[i].role == Variable::Role::derivative) {
      found.derivatives.at(variables[i].index) = i;
    }
  }
  return found;
}

bool has_structured_names(const modeling::DescribedModel& model) {
  const auto variables = model.variables();
  const auto aliases = model.info().aliases;
  const auto has_dot = [](const Variable& v) { return v.name.find('.') != std::string::npos; };
  return std::any_of(variables.begin(), variables.end(), has_dot) &&
         std::all_of(variables.begin(), variables.end(),
                     [](const Variable& v) { return is_structured(v.name); }) &&
         std::all_of(aliases.begin(), aliases.end(),
                     [](const modeling::Alias& alias) { return is_structured(alias.name); });
}

const char* naming_convention(const modeling::DescribedModel& model) {
  return has_structured_names(model) ? "structured" : "flat";
}

std::vector<std::string> indicator_names(const modeling::DescribedModel& model) {
  std::set<std::string> taken{"time"};
  for (const Variable& v : model.variables()) {
    taken.insert(v.name);
  }
  for (const modeling::Alias& alias : model.info().aliases) {
    taken.insert(alias.name);
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

void write_units(XmlWriter& xml, const modeling::DescribedModel& model) {
  std::map<std::string, std::set<std::string>> units;  // with those that they are shown in
  for (const Variable& v : model.variables()) {
    if (is_float(v) && !v.unit.empty()) {
      units[v.unit];
    }
    if (*v.display_unit != '\0') {
      units[v.unit].insert(v.display_unit);
    }
  }
  if (units.empty()) {
    return;
  }
  xml.open("UnitDefinitions");
  for (const auto& [unit, displays] : units) {
    xml.open("Unit").attribute("name", unit);
    if (const auto base = modeling::base_units(unit)) {
      write_base_units(xml, *base);
    }
    for (const std::string& display : displays) {
      const modeling::UnitConversion conversion = modeling::conversion(unit, display);
      xml.open("DisplayUnit").attribute("name", display);
      if (conversion.factor != 1.0) {
        xml.attribute("factor", conversion.factor);
      }
      if (conversion.offset != 0.0) {
        xml.attribute("offset", conversion.offset);
      }
      xml.close("DisplayUnit");
    }
    xml.close("Unit");
  }
  xml.close("UnitDefinitions");
}

std::vector<NamedEnumeration> enumerations(const modeling::DescribedModel& model) {
  std::set<std::string> taken{"time"};
  for (const Variable& v : model.variables()) {
    taken.insert(v.name);
  }
  std::vector<NamedEnumeration> found;
  for (const Variable& v : model.variables()) {
    if (v.enumeration == nullptr || name_of(found, v) != nullptr) {
      continue;
    }
    const std::string own(v.enumeration->name);
    std::string name = own;
    for (int copy = 2; !taken.insert(name).second; ++copy) {
      name = own + "_" + std::to_string(copy);
    }
    found.push_back({v.enumeration, name});
  }
  return found;
}

const char* name_of(const std::vector<NamedEnumeration>& all, const Variable& variable) {
  const auto is_it = [&](const NamedEnumeration& one) {
    const modeling::EnumerationType& a = *one.type;
    const modeling::EnumerationType& b = *variable.enumeration;
    return a.name == b.name && std::equal(a.items.begin(), a.items.end(), b.items.begin(),
                                          b.items.end(), [](const auto& item, const auto& other) {
                                            return item.name == other.name &&
                                                   item.value == other.value;
                                          });
  };
  const auto found = std::find_if(all.begin(), all.end(), is_it);
  return found == all.end() ? nullptr : found->name.c_str();
}

void write_items(XmlWriter& xml, const modeling::EnumerationType& type) {
  for (const modeling::EnumerationItem& item : type.items) {
    xml.open("Item")
        .attribute("name", std::string(item.name))
        .attribute("value", std::to_string(item.value))
        .close("Item");
  }
}

void write_limits(XmlWriter& xml, const Variable& v, const modeling::WholeRange& range) {
  const auto write = [&](const char* name, std::int64_t limit, std::int64_t of_type) {
    if (limit != of_type) {
      xml.attribute(name, modeling::whole_text(v, limit));
    }
  };
  write("min", v.lowest, range.lowest);
  write("max", v.highest, range.highest);
}

void write_log_categories(XmlWriter& xml) {
  xml.open("LogCategories");
  for (const LogCategoryName& category : kLogCategories) {
    xml.open("Category")
        .attribute("name", category.name)
        .attribute("description", category.description)
        .close("Category");
  }
  xml.close("LogCategories");
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

}  // namespace saltus::fmu_export
