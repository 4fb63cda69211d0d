// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "script.hpp"

namespace saltus::importer::validation {

/// A continuous variable that is given to the equations: a state, or an input.
struct Known {
  const Variable* variable;
  std::size_t elements = 1;
  std::optional<std::size_t> first_state;  ///< its place among the states; empty: an input
  std::vector<double> direction = {};      ///< in which it is moved, of the size of its values
};

/// A continuous variable that the equations give: a derivative, an output, an event indicator.
struct Dependent {
  const Variable* variable;
  const Unknown* entry;
  std::size_t first = 0;  ///< its place among all values
  std::size_t elements = 1;
};

/// Asks a Model Exchange FMU what its equations make of slightly other states and inputs, at points
/// of a run.
class Perturbation {
 public:
  explicit Perturbation(RunContext& context);

  const std::vector<Known>& knowns() const { return knowns_; }
  const std::vector<Dependent>& dependents() const { return dependents_; }
  std::size_t values() const { return count_; }
  Instance& instance() { return *led_; }

  /// Calls `look` at some points of the run, with the number of the phase between two events.
  void visit(const std::function<void(std::size_t phase)>& look);
  /// The values at the point.
  const std::vector<double>& base() const { return base_; }
  /// By how much they change when nothing has changed: where an FMU iterates.
  const std::vector<double>& noise() const { return noise_; }
  /// The values with one known moved by `amount` times its direction; empty where the FMU has none.
  std::vector<double> moved(const Known& known, double amount);

 private:
  void find_knowns();
  void find_dependents();
  void look_at(const Move& move);
  std::vector<double> evaluate();
  void place(const Known& known, double amount);

  RunContext& context_;
  LedInstance led_;
  std::vector<Known> knowns_;
  std::vector<Dependent> dependents_;
  std::vector<ValueReference> references_;
  std::size_t count_ = 0;
  std::vector<double> states_, inputs_, base_, noise_;
};

/// Whether two variables of the description are one for the binary.
inline bool is_same(const Variable& a, const Variable& b) {
  return &a == &b || (a.type == b.type && a.binary_reference == b.binary_reference);
}

}  // namespace saltus::importer::validation
