// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "saltus/core/configurations.hpp"
#include "saltus/modeling/decision_paths.hpp"
#include "saltus/modeling/event_pass.hpp"
#include "saltus/modeling/model_values.hpp"

namespace saltus::modeling {

/// Everything discrete that a native model remembers.
struct Configuration {
  std::vector<Lock> locks;  ///< one for each condition
  EventMemory memory;
  bool frozen = false;
  /// Where the order of decisions changes with what is decided: that of this configuration, once it
  /// is known.
  DecisionPaths::Path path = nullptr;
};

/// The slots of a native model: the selected configuration lives in the model, the others here.
/// Selecting one trades places, which moves a few pointers.
class ModelConfigurations final : public Configurations {
 public:
  /// `reload` is called when configurations have changed places.
  ModelConfigurations(Configuration& in_force, ModelValues& values, const DecisionPaths& paths,
                      std::function<void()> reload)
      : in_force_(in_force), values_(values), paths_(paths), reload_(std::move(reload)) {}

  Slot selected() const override { return selected_; }
  Slot fork() override;
  void select(Slot slot) override;
  void drop(Slot slot) override;
  /// Conditions in the equations do; what `when` leaves behind is a memory, not a side.
  bool may_switch_equations(std::size_t indicator) const override {
    return indicator < in_force_.locks.size();
  }
  bool impose(std::span<const Imposed> conditions) override;
  bool take_over(Slot from, std::span<const std::size_t> conditions) override;
  bool nests_conditions() const override { return !paths_.is_uniform(); }
  bool remembers_the_past() const override {
    return values_.has_discrete() || !in_force_.memory.held.empty();
  }

 private:
  struct Rest {
    Configuration configuration;
    ModelValues::DiscreteValues discrete;
  };
  Configuration& in_force_;
  ModelValues& values_;
  const DecisionPaths& paths_;
  std::function<void()> reload_;
  std::vector<std::unique_ptr<Rest>> slots_ =
      std::vector<std::unique_ptr<Rest>>(1);  // empty: free, or the selected one
  Slot selected_ = 0;
};

}  // namespace saltus::modeling
