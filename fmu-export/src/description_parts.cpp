// SPDX-License-Identifier: BSD-2-Clause
#include "description_parts.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
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
