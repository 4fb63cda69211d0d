// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "instance.hpp"

namespace saltus::importer {

/// By name or alias. Throws `std::invalid_argument` with the nearest names there are.
const Variable& find_variable(const ModelDescription& description, std::string_view name);

/// Whether the standard allows to set the variable in this mode (FMI 3.0, 2.3, 3.2.1, 4.2.1).
bool is_writable(const Variable& variable, Instance::Mode mode);

/// Whether the variable is a clock whose interval is ours to give.
bool takes_interval(const Variable& clock);

/// One element for each of the variable's: a single value is repeated. Throws
/// `std::invalid_argument` if count or type do not fit.
Value fit(const Instance& instance, const Variable& variable, const Value& value);

/// A checked set of start values.
class StartValues {
 public:
  /// Throws `std::invalid_argument` for the first that cannot be.
  StartValues(const ModelDescription& description, const std::map<std::string, std::string>& texts);

  /// Sets the structural parameters, if there are any, in configuration mode; `enabled` (a Boolean,
  /// may be null) becomes true.
  void configure(Instance& instance, const Variable* enabled = nullptr) const;
  /// Sets the others: before initialisation, and in initialization mode those of clocked variables.
  void apply(Instance& instance) const;
  /// Null where none is given.
  const Value* find(const Variable& variable) const {
    const auto found = values_.find(&variable);
    return found != values_.end() ? &found->second : nullptr;
  }
  /// Of clocks: intervals, which `ClockSchedule` sets.
  const std::map<ValueReference, double>& intervals() const { return intervals_; }

 private:
  std::map<ValueReference, double> intervals_;
  std::map<const Variable*, Value> values_;
};

}  // namespace saltus::importer
