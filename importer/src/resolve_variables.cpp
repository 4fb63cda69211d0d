// SPDX-License-Identifier: BSD-2-Clause
// What can only be said of a variable once the others are known.
#include <fmt/format.h>

#include <cmath>

#include "parse_description.hpp"

namespace saltus::importer {
namespace {

/// No array of an FMU that fits into memory has more elements.
constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 32;

/// Nobody is kept from leaving the range: it says what the author had in mind.
void note_range(Variable& variable, const auto& warn) {
  const double min = variable.min.value_or(-HUGE_VAL), max = variable.max.value_or(HUGE_VAL);
  if (std::isnan(min) || std::isnan(max) || min > max) {
    warn(fmt::format("has the range {} to {}, which is none; it is ignored", min, max));
    variable.min.reset();
    variable.max.reset();
    return;
  }
  if (!is_numeric(variable.type)) return;
  const bool is_short = variable.type == VariableType::float32;
  const double least = is_short ? static_cast<float>(min) : min;
  const double most = is_short ? static_cast<float>(max) : max;
  for (const Scalar& start : variable.start) {
    const double value = to_number(start);
    if (!(value < least) && !(value > most)) continue;
    warn(fmt::format("has the start value {}, which is not in its range of {} to {}", value, min,
                     max));
    return;
  }
}

void note_oddities(Variable& variable, ModelDescription& description) {
  const auto warn = [&](const std::string& text) {
    description.warnings.push_back(fmt::format("line {}: {} \"{}\" {}", variable.line,
                                               to_string(variable.type), variable.name, text));
  };
  const std::size_t elements = description.element_count(variable);
  if (variable.start.empty() &&
      (variable.initial == Initial::exact || variable.initial == Initial::approx)) {
    warn(fmt::format("has initial=\"{}\" but no start value; the FMU's own is used",
                     to_string(variable.initial)));
  } else if (variable.start.size() > 1 && variable.start.size() != elements) {
    warn(fmt::format("has {} start values for {} elements", variable.start.size(), elements));
  }
  if (!variable.start.empty() &&
      (variable.initial == Initial::calculated || variable.initial == Initial::none)) {
    warn("must not have a start value; it is ignored");
  }
  if (variable.nominal && !(*variable.nominal > 0.0 && std::isfinite(*variable.nominal))) {
    warn(fmt::format("has the nominal value {}, which is not positive; its magnitude is used, or 1",
                     *variable.nominal));
  }
  note_range(variable, warn);
}

}  // namespace

void enter_variable(const Element& entry, std::size_t index, ModelDescription& description) {
  const Variable& variable = description.variables[index];
  const auto enter_name = [&](const std::string& name) {
    const auto [known, inserted] = description.by_name.emplace(name, index);
    if (inserted) return;
    entry.fail("name", fmt::format("two variables are called \"{}\", in lines {} and {}", name,
                                   description.variables[known->second].line, variable.line));
  };
  enter_name(variable.name);
  for (const Alias& alias : variable.aliases) enter_name(alias.name);
  const auto [known, inserted] = description.by_reference.emplace(variable.reference, index);
  if (!inserted) {
    const Variable& first = description.variables[known->second];
    entry.fail(
        "valueReference",
        fmt::format("\"{}\" in line {} and \"{}\" in line {} have the same value "
                    "reference {}; another name of a variable is written as <Alias>",
                    first.name, first.line, variable.name, variable.line, variable.reference));
  }
}

void resolve_variable(const Element& entry, Variable& variable, ModelDescription& description) {
  const auto existing = [&](const char* attribute, ValueReference reference) -> const Variable& {
    const Variable* found = description.find(reference);
    if (found == nullptr) {
      entry.fail(attribute, fmt::format("there is no variable with value reference {}", reference));
    }
    return *found;
  };
  if (variable.derivative_of) existing("derivative", *variable.derivative_of);
  if (variable.previous) existing("previous", *variable.previous);
  for (const ValueReference reference : variable.clocks) {
    const Variable& clock = existing("clocks", reference);
    if (clock.type != VariableType::clock) {
      entry.fail("clocks", fmt::format("\"{}\" is not a clock", clock.name));
    }
  }
  std::uint64_t elements = 1;
  for (Dimension& dimension : variable.dimensions) {
    if (dimension.reference) {
      const Variable& size = existing(nullptr, *dimension.reference);
      if (size.type != VariableType::uint64 || (size.causality != Causality::structural_parameter &&
                                                size.variability != Variability::constant)) {
        entry.fail(nullptr, fmt::format("\"{}\" cannot be the size of a Dimension: it is not a "
                                        "UInt64 that is constant or a structural parameter",
                                        size.name));
      }
      if (size.start.empty() || std::get<std::uint64_t>(size.start.front()) == 0) {
        entry.fail(
            nullptr,
            fmt::format("\"{}\" is the size of a Dimension and needs a start above 0", size.name));
      }
      dimension.size = std::get<std::uint64_t>(size.start.front());
    }
    if (dimension.size > kMaxElements / elements) entry.fail(nullptr, "the array is too large");
    elements *= dimension.size;
  }
  note_oddities(variable, description);
}

}  // namespace saltus::importer
