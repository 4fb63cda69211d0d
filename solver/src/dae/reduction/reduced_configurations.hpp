// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <utility>

#include "saltus/core/configurations.hpp"

namespace saltus {

/// The configurations of the wrapped model. A slot needs no more than that model keeps in it: the
/// reduction is found by the equations in force.
class ReducedConfigurations final : public Configurations {
 public:
  /// `reselected` is called when another configuration is in force.
  ReducedConfigurations(Configurations& wrapped, std::function<void()> reselected)
      : wrapped_(wrapped), reselected_(std::move(reselected)) {}

  void expect_forks() override {
    forks_ = true;
    wrapped_.expect_forks();
  }
  bool forks() const { return forks_; }
  Slot selected() const override { return wrapped_.selected(); }
  Slot fork() override { return wrapped_.fork(); }
  void select(Slot slot) override {
    if (slot != wrapped_.selected()) {
      wrapped_.select(slot);
      reselected_();
    }
  }
  void drop(Slot slot) override { wrapped_.drop(slot); }
  bool may_switch_equations(std::size_t indicator) const override {
    return wrapped_.may_switch_equations(indicator);
  }
  bool impose(std::span<const Imposed> conditions) override {
    const bool imposes = wrapped_.impose(conditions);
    takes_sides_ = false;
    for (std::size_t i = 0; i < conditions.size() && !takes_sides_; ++i) {
      takes_sides_ = conditions[i] >= Imposed::positive && may_switch_equations(i);
    }
    if (takes_sides_) {
      reselected_();  // into another configuration
    }
    return imposes;
  }
  bool take_over(Slot from, std::span<const std::size_t> conditions) override {
    const bool takes = wrapped_.take_over(from, conditions);
    if (takes && !conditions.empty()) {
      reselected_();
    }
    return takes;
  }
  /// Whether somebody else says on which sides of their surfaces the equations are.
  bool takes_sides() const { return takes_sides_; }
  bool nests_conditions() const override { return wrapped_.nests_conditions(); }
  bool remembers_the_past() const override { return wrapped_.remembers_the_past(); }

 private:
  Configurations& wrapped_;
  std::function<void()> reselected_;
  bool forks_ = false;
  bool takes_sides_ = false;
};

}  // namespace saltus
