// SPDX-License-Identifier: BSD-2-Clause
#include "input_feed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "number_text.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

constexpr std::size_t kNoColumn = std::numeric_limits<std::size_t>::max();

/// Splits `u[2]` or `A[1,3]` into the variable and its element, counted from 0 row by row.
const Variable* find_element(const Instance& instance, const std::string& name,
                             std::size_t& element) {
  const ModelDescription& description = instance.description();
  element = 0;
  if (const Variable* whole = description.find(name)) return whole;
  const std::size_t bracket = name.rfind('[');
  if (bracket == std::string::npos || !name.ends_with(']')) return nullptr;
  const Variable* variable = description.find(std::string_view(name).substr(0, bracket));
  if (variable == nullptr) return nullptr;
  std::string_view indices = std::string_view(name).substr(bracket + 1);
  indices.remove_suffix(1);
  for (const std::size_t size : instance.sizes(*variable)) {
    const std::size_t end = std::min(indices.find(','), indices.size());
    std::size_t index = 0;
    if (!read_number(indices.substr(0, end), index) || index < 1 || index > size) return nullptr;
    element = element * size + index - 1;
    indices.remove_prefix(std::min(end + 1, indices.size()));
  }
  return indices.empty() ? variable : nullptr;
}

}  // namespace

InputFeed::InputFeed(Instance& instance, const InputTable& table)
    : instance_(instance), table_(table) {
  for (std::size_t column = 0; column < table.names().size(); ++column) {
    bind(table.names()[column], column);
  }
  find_jumps();
}

void InputFeed::bind(const std::string& name, std::size_t column) {
  const auto fail = [&](const std::string& reason) {
    throw InputError(table_.source(), 1, column + 2, fmt::format("\"{}\" {}", name, reason));
  };
  std::size_t element = 0;
  const Variable* variable = find_element(instance_, name, element);
  if (variable == nullptr) fail("is not a variable of the FMU");
  if (variable->causality != Causality::input) {
    fail(fmt::format("is not an input but has causality {}", to_string(variable->causality)));
  }
  if (!is_numeric(variable->type) || variable->type == VariableType::clock) {
    fail(fmt::format("is a {}, which a table of numbers cannot hold", to_string(variable->type)));
  }
  if (!variable->clocks.empty()) fail("belongs to a clock, and clocks are not driven");
  const std::size_t count = instance_.element_count(*variable);
  if (!variable->dimensions.empty() && instance_.description().find(name) != nullptr) {
    fail(fmt::format("is an array of {} elements; give it one column for each, \"{}[1]\" and so on",
                     count, name));
  }
  const bool continuous = variable->variability == Variability::continuous;
  auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& known) {
    return known.type == variable->type && known.continuous == continuous &&
           known.intermediate == variable->intermediate_update;
  });
  if (group == groups_.end()) {
    groups_.push_back({.type = variable->type,
                       .continuous = continuous,
                       .intermediate = variable->intermediate_update,
                       .references = {},
                       .values = {},
                       .sent = {},
                       .columns = {}});
    group = std::prev(groups_.end());
  }
  std::size_t offset = 0;
  std::size_t place = 0;
  for (; place < group->references.size(); ++place) {
    if (group->references[place] == variable->reference) break;
    offset += instance_.element_count(*instance_.description().find(group->references[place]));
  }
  if (place == group->references.size()) {
    group->references.push_back(variable->reference);
    for (std::size_t i = 0; i < count; ++i) {
      const Value& start = variable->start;
      group->values.push_back(start.empty() ? 0.0 : to_number(start[start.size() > i ? i : 0]));
      group->columns.push_back(kNoColumn);
    }
  }
  group->columns[offset + element] = column;
}

void InputFeed::find_jumps() {
  const std::span<const double> times = table_.times();
  for (std::size_t row = 1; row < times.size(); ++row) {
    bool jumps = times[row] == times[row - 1];
    for (const Group& group : groups_) {
      if (jumps || group.continuous) continue;
      for (const std::size_t column : group.columns) {
        if (column == kNoColumn) continue;
        jumps = jumps || table_.value(row, column) != table_.value(row - 1, column);
      }
    }
    if (jumps && (jumps_.empty() || jumps_.back() != times[row])) jumps_.push_back(times[row]);
  }
}

void InputFeed::forget() {
  for (Group& group : groups_) group.sent.clear();
}

Eval InputFeed::apply(Group& group, const InputTable::Place& place) {
  for (std::size_t i = 0; i < group.values.size(); ++i) {
    const std::size_t column = group.columns[i];
    if (column == kNoColumn) continue;
    group.values[i] =
        group.continuous ? table_.interpolated(place, column) : table_.held(place, column);
  }
  if (group.sent.size() == group.values.size() &&
      std::memcmp(group.sent.data(), group.values.data(), group.values.size() * sizeof(double)) ==
          0) {
    return Eval::ok;
  }
  group.sent.clear();
  const Eval eval = instance_.set_numbers(group.type, group.references, group.values);
  if (eval == Eval::ok) group.sent = group.values;
  return eval;
}

Eval InputFeed::apply_continuous(double t, Side side) {
  const InputTable::Place place = table_.locate(t, side);
  for (Group& group : groups_) {
    if (group.continuous && apply(group, place) == Eval::discard) return Eval::discard;
  }
  return Eval::ok;
}

Eval InputFeed::apply_intermediate(double t) {
  const InputTable::Place place = table_.locate(t, Side::left);
  for (Group& group : groups_) {
    if (group.continuous && group.intermediate && apply(group, place) == Eval::discard) {
      return Eval::discard;
    }
  }
  return Eval::ok;
}

void InputFeed::apply_all(double t, Side side) {
  const InputTable::Place place = table_.locate(t, side);
  for (Group& group : groups_) instance_.require(apply(group, place), "fmi3Set of an input");
}

double InputFeed::next_jump(double t) const {
  const auto next = std::upper_bound(jumps_.begin(), jumps_.end(), t);
  return next == jumps_.end() ? kNever : *next;
}

}  // namespace saltus::importer
