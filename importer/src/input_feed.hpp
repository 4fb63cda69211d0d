// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "instance.hpp"
#include "saltus/importer/input_table.hpp"

namespace saltus::importer {

/// Carries the values of an `InputTable` into an instance. Values are sent only when they differ
/// from those sent last.
class InputFeed {
 public:
  /// Throws `InputError` if a column is neither an input nor a tunable parameter, which
  /// changes as a discrete input does, nor a clock that we drive. Both arguments must outlive the
  /// feed.
  InputFeed(Instance& instance, const InputTable& table);

  /// Forgets what was sent, after a reset.
  void forget();

  using Side = InputTable::Side;
  /// Continuous inputs at `t`. `discard`: the FMU does not take the value; nothing nearer is known.
  Eval apply_continuous(double t, Side side);
  /// Those that may be set between communication points.
  Eval apply_intermediate(double t);
  /// All inputs but those that belong to a clock, in a mode where discrete ones may be set;
  /// in initialization mode those too.
  void apply_all(double t, Side side);
  /// Those that belong to one of `clocks`, which is active, whether they have changed or not.
  void apply_clocked(double t, const std::set<ValueReference>& clocks);

  /// A column that is a clock: a row with another value than 0 is a tick of a triggered clock; of
  /// a tunable one the values are its interval.
  struct ClockColumn {
    const Variable* clock;
    std::size_t column;
  };
  const std::vector<ClockColumn>& clock_columns() const { return clock_columns_; }
  const InputTable& table() const { return table_; }

  /// The first time after `t` at which an input jumps: two rows of equal time, or a change of a
  /// discrete input.
  double next_jump(double t) const;

  /// Finds where continuous inputs bend. A row that lies on the line through its neighbours, within
  /// the tolerance, is a sample of a smooth signal and no kink; a corner of a line that is sampled
  /// densely is one, however near its neighbours are.
  void find_kinks(double tolerance);
  /// The first of these after `t`.
  double next_kink(double t) const;

 private:
  /// One call: inputs of one type and kind.
  struct Group {
    VariableType type;
    bool continuous;
    bool intermediate;
    std::vector<ValueReference> clocks;  // to which all of them belong
    std::vector<ValueReference> references;
    std::vector<double> values;  // all elements; those without a column keep their start value
    std::vector<double> sent;
    std::vector<std::size_t> columns;  // kNoColumn where there is none
    std::vector<double> nominals;
  };
  void bind(const std::string& name, std::size_t column);
  Eval apply(Group& group, const InputTable::Place& place);
  void check_values(const Variable& variable, const std::string& name, std::size_t column) const;
  bool is_read_as_text(const Variable& variable, std::size_t column) const;
  /// A string, a binary, or what else numbers do not hold.
  struct TextColumn {
    const Variable* variable = nullptr;
    std::size_t column = 0;
    std::optional<std::string> sent;
  };
  void check_texts(const TextColumn& text) const;
  void apply(TextColumn& text, const InputTable::Place& place);
  void find_jumps();
  void find_kinks(std::size_t column, double nominal, double tolerance);

  Instance& instance_;
  const InputTable table_;  // with one column for each element of an array
  std::vector<Group> groups_;
  std::vector<ClockColumn> clock_columns_;
  std::vector<TextColumn> texts_;
  std::vector<double> jumps_;
  std::vector<double> kinks_;
};

}  // namespace saltus::importer
