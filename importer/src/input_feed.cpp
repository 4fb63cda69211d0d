// SPDX-License-Identifier: BSD-2-Clause
#include "input_feed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "number_text.hpp"
#include "saltus/importer/fmu_error.hpp"
#include "start_values.hpp"

namespace saltus::importer {
namespace {

constexpr std::size_t kNoColumn = std::numeric_limits<std::size_t>::max();
// Of the nominal value: what the tolerance is relative to near zero, as for unknowns
// (`IntegratorOptions::absolute_tolerance`).
constexpr double kNearZero = 0.01;
// A row at which the slope changes so much more than at both neighbours is a corner. Between
// samples of a smooth signal its second derivative changes by less, unless there are a few of them
// only; and then the first test finds them.
constexpr double kCorner = 8.0;

/// Splits `u[2]` or `A[1,3]` into the variable and its element, counted from 0 row by row. Indices
/// begin where those of the FMU do.
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
    const std::size_t first = variable->indices_from_zero ? 0 : 1;
    if (!read_number(indices.substr(0, end), index) || index < first || index >= size + first) {
      return nullptr;
    }
    element = element * size + index - first;
    indices.remove_prefix(std::min(end + 1, indices.size()));
  }
  return indices.empty() ? variable : nullptr;
}

/// The names of the elements if `name` is a whole array of numbers.
std::optional<std::vector<std::string>> elements_of_array(const Instance& instance,
                                                          const std::string& name) {
  const Variable* variable = instance.description().find(name);
  if (variable == nullptr || variable->dimensions.empty() || !is_numeric(variable->type)) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  const std::vector<std::size_t> sizes = instance.sizes(*variable);
  const std::size_t count = instance.element_count(*variable);
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(element_name(name, sizes, i, variable->indices_from_zero));
  }
  return names;
}

bool is_long(VariableType type) {
  return type == VariableType::int64 || type == VariableType::uint64;
}

/// Whether the number is exactly one of the type.
bool fits(VariableType type, double value) {
  if (type == VariableType::float32) return std::abs(value) <= std::numeric_limits<float>::max();
  // The largest ones are no doubles, and the next double is beyond them.
  if (type == VariableType::int64 && value >= 0x1p63) return false;
  if (type == VariableType::uint64 && value >= 0x1p64) return false;
  return to_number(from_number(type, value)) == value;
}

/// Of an integer with 64 bits, whether it is none that a double holds.
bool is_beyond_doubles(VariableType type, std::string_view text) {
  const auto is_changed = [&](auto integer) {
    if (!read_number(text, integer)) return false;
    const auto number = static_cast<double>(integer);
    return !fits(type, number) || from_number(type, number) != Scalar(integer);
  };
  if (type == VariableType::uint64) return is_changed(std::uint64_t{0});
  return type == VariableType::int64 && is_changed(std::int64_t{0});
}

}  // namespace

InputFeed::InputFeed(Instance& instance, const InputTable& table)
    : instance_(instance), table_(table.with_elements([&](const std::string& name) {
        return elements_of_array(instance, name);
      })) {
  for (std::size_t column = 0; column < table_.names().size(); ++column) {
    bind(table_.names()[column], column);
  }
  find_jumps();
}

void InputFeed::bind(const std::string& name, std::size_t column) {
  const auto fail = [&](const std::string& reason) {
    throw InputError(table_.source(), 1, table_.file_column(column),
                     fmt::format("\"{}\" {}", name, reason));
  };
  std::size_t element = 0;
  const Variable* variable = find_element(instance_, name, element);
  if (variable == nullptr) fail("is not a variable of the FMU");
  const bool is_tunable =
      variable->causality == Causality::parameter && variable->variability == Variability::tunable;
  if (variable->causality != Causality::input && !is_tunable) {
    fail(
        fmt::format("is neither an input nor a tunable parameter: its causality is {}, its "
                    "variability {}",
                    to_string(variable->causality), to_string(variable->variability)));
  }
  if (variable->type == VariableType::clock) {
    const bool is_driven =
        variable->clock->interval_variability == IntervalVariability::triggered ||
        (variable->clock->interval_variability == IntervalVariability::tunable &&
         takes_interval(*variable));
    if (!is_driven) {
      fail(
          fmt::format("is a clock of kind {}; a column can be a triggered clock, or a tunable one "
                      "that has an intervalDecimal",
                      to_string(variable->clock->interval_variability)));
    }
    check_values(*variable, name, column);
    clock_columns_.push_back({.clock = variable, .column = column});
    return;
  }
  if (!is_numeric(variable->type) || is_read_as_text(*variable, column)) {
    if (!variable->dimensions.empty()) fail("is an array of texts, which a table cannot hold");
    for (const TextColumn& known : texts_) {
      if (known.variable == variable) fail("is given by another column already");
    }
    texts_.push_back({.variable = variable, .column = column, .sent = {}});
    check_texts(texts_.back());
    return;
  }
  const std::size_t count = instance_.element_count(*variable);
  check_values(*variable, name, column);
  const bool continuous = variable->variability == Variability::continuous;
  auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& known) {
    return known.type == variable->type && known.continuous == continuous &&
           known.intermediate == variable->intermediate_update && known.clocks == variable->clocks;
  });
  if (group == groups_.end()) {
    groups_.push_back({.type = variable->type,
                       .continuous = continuous,
                       .intermediate = variable->intermediate_update,
                       .clocks = variable->clocks,
                       .references = {},
                       .values = {},
                       .sent = {},
                       .columns = {},
                       .nominals = {}});
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
      group->nominals.push_back(std::abs(variable->nominal.value_or(1.0)));
    }
  }
  if (group->columns[offset + element] != kNoColumn) fail("is given by another column already");
  group->columns[offset + element] = column;
}

/// Whether numbers do not say all that stands there: an item of an enumeration by its name, and
/// integers that only 64 bits can hold.
bool InputFeed::is_read_as_text(const Variable& variable, std::size_t column) const {
  const bool has_items = variable.type == VariableType::enumeration;
  if (!variable.dimensions.empty() || (!has_items && !is_long(variable.type))) return false;
  for (std::size_t row = 0; row < table_.times().size(); ++row) {
    const std::string cell = table_.text(row, column);
    if (has_items ? instance_.description().item(variable, cell) != nullptr
                  : is_beyond_doubles(variable.type, cell)) {
      return true;
    }
  }
  return false;
}

/// What is rounded or held at the end of a range on its way would be another input than was given.
void InputFeed::check_values(const Variable& variable, const std::string& name,
                             std::size_t column) const {
  const std::span<const double> times = table_.times();
  for (std::size_t row = 0; row < times.size(); ++row) {
    const double value = table_.value(row, column);
    if (std::isnan(value)) {
      const std::string cell = table_.text(row, column);
      throw InputError(table_.source(), table_.line(row), table_.file_column(column),
                       cell.empty() ? std::string("the cell is empty")
                                    : fmt::format("\"{}\" is neither a finite number nor true or "
                                                  "false",
                                                  cell));
    }
    if (variable.type == VariableType::float64 || variable.type == VariableType::clock) continue;
    const bool is_exact =
        fits(variable.type, value) &&
        !(is_long(variable.type) && is_beyond_doubles(variable.type, table_.text(row, column)));
    const bool is_item =
        variable.type != VariableType::enumeration || !variable.declared_type ||
        instance_.description().item(variable, static_cast<std::int64_t>(value)) != nullptr;
    if (is_exact && is_item) continue;
    throw InputError(
        table_.source(), table_.line(row), table_.file_column(column),
        fmt::format("\"{}\" is {} at t = {}, which is no {}", name, table_.text(row, column),
                    times[row], is_exact ? "item of its enumeration" : to_string(variable.type)));
  }
}

void InputFeed::check_texts(const TextColumn& text) const {
  for (std::size_t row = 0; row < table_.times().size(); ++row) {
    try {
      instance_.description().parse(*text.variable, table_.text(row, text.column));
    } catch (const std::invalid_argument& error) {
      throw InputError(table_.source(), table_.line(row), table_.file_column(text.column),
                       error.what());
    }
  }
}

void InputFeed::apply(TextColumn& text, const InputTable::Place& place) {
  std::string cell = table_.text(place.lower, text.column);
  if (text.sent == cell) return;
  instance_.write(*text.variable, instance_.description().parse(*text.variable, cell));
  text.sent = std::move(cell);
}

void InputFeed::find_jumps() {
  const std::span<const double> times = table_.times();
  for (std::size_t row = 1; row < times.size(); ++row) {
    bool jumps = times[row] == times[row - 1];
    for (const Group& group : groups_) {
      if (jumps || group.continuous || !group.clocks.empty()) continue;
      for (const std::size_t column : group.columns) {
        if (column == kNoColumn) continue;
        jumps = jumps || table_.value(row, column) != table_.value(row - 1, column);
      }
    }
    for (const TextColumn& text : texts_) {
      if (jumps || !text.variable->clocks.empty()) continue;
      jumps = table_.text(row, text.column) != table_.text(row - 1, text.column);
    }
    if (jumps && (jumps_.empty() || jumps_.back() != times[row])) jumps_.push_back(times[row]);
  }
}

void InputFeed::forget() {
  for (Group& group : groups_) group.sent.clear();
  for (TextColumn& text : texts_) text.sent.reset();
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
  for (Group& group : groups_) {
    if (!group.clocks.empty() && instance_.mode() != Instance::Mode::initialization) continue;
    instance_.require(apply(group, place), "the call that sets an input");
  }
  for (TextColumn& text : texts_) {
    if (text.variable->clocks.empty()) apply(text, place);
  }
}

void InputFeed::apply_clocked(double t, const std::set<ValueReference>& clocks) {
  // A tick that lies a rounding before a row is the row's.
  const auto row = std::upper_bound(table_.times().begin(), table_.times().end(), t);
  const double time = row != table_.times().end() && is_due(*row, t) ? *row : t;
  const InputTable::Place place = table_.locate(time, Side::right);
  for (Group& group : groups_) {
    const bool is_active =
        std::any_of(group.clocks.begin(), group.clocks.end(),
                    [&](ValueReference clock) { return clocks.contains(clock); });
    if (!is_active) continue;
    group.sent.clear();
    instance_.require(apply(group, place), "the call that sets an input");
  }
  for (TextColumn& text : texts_) {
    const std::vector<ValueReference>& own = text.variable->clocks;
    if (std::none_of(own.begin(), own.end(),
                     [&](ValueReference clock) { return clocks.contains(clock); })) {
      continue;
    }
    text.sent.reset();
    apply(text, place);
  }
}

double InputFeed::next_jump(double t) const {
  const auto next = std::upper_bound(jumps_.begin(), jumps_.end(), t);
  return next == jumps_.end() ? kNever : *next;
}

void InputFeed::find_kinks(double tolerance) {
  kinks_.clear();
  for (const Group& group : groups_) {
    for (std::size_t i = 0; group.continuous && i < group.columns.size(); ++i) {
      if (group.columns[i] != kNoColumn) {
        find_kinks(group.columns[i], group.nominals[i], tolerance);
      }
    }
  }
  std::sort(kinks_.begin(), kinks_.end());
  kinks_.erase(std::unique(kinks_.begin(), kinks_.end()), kinks_.end());
}

void InputFeed::find_kinks(std::size_t column, double nominal, double tolerance) {
  const std::span<const double> times = table_.times();
  const std::size_t rows = times.size();
  // Over the interval that ends at a row; before the first one and after the last one the input
  // rests, and where it jumps there is an event.
  const auto slope = [&](std::size_t row) {
    const bool inside = row > 0 && row < rows && times[row] > times[row - 1];
    return inside ? (table_.value(row, column) - table_.value(row - 1, column)) /
                        (times[row] - times[row - 1])
                  : 0.0;
  };
  const auto length = [&](std::size_t row) {
    return row > 0 && row < rows ? times[row] - times[row - 1] : kNever;
  };
  const auto bend = [&](std::size_t row) {
    return row < rows ? std::abs(slope(row + 1) - slope(row)) : 0.0;
  };
  for (std::size_t row = 0; row < rows; ++row) {
    const double change = bend(row), before = length(row), after = length(row + 1);
    if (before == 0.0 || after == 0.0) continue;
    const double off_line = change / (1.0 / before + 1.0 / after);
    const bool is_off =
        off_line > tolerance * (std::abs(table_.value(row, column)) + kNearZero * nominal);
    const double beside = std::max(row > 0 ? bend(row - 1) : 0.0, bend(row + 1));
    const bool is_corner =
        change > kCorner * beside &&
        change > tolerance * std::max(std::abs(slope(row)), std::abs(slope(row + 1)));
    if (is_off || is_corner) kinks_.push_back(times[row]);
  }
}

double InputFeed::next_kink(double t) const {
  const auto next = std::upper_bound(kinks_.begin(), kinks_.end(), t);
  return next == kinks_.end() ? kNever : *next;
}

}  // namespace saltus::importer
