// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>

namespace saltus {

/// A model's configurations beside the one in force: what makes it possible to know the equations
/// on both sides of a switching surface.
///
/// A configuration is everything discrete a model remembers: frozen relations, discrete variables,
/// clocks. It lives in a slot. One slot is always selected: all functions of the model work on it,
/// and a discrete update changes it and no other. Whoever forks drops again.
///
/// Slots hold nothing continuous: time and unknowns are arguments as ever, and inputs and
/// parameters are the model's own. After `select`, the model is in the mode (event or
/// continuous-time) in which that slot was left.
class Configurations {
 public:
  using Slot = std::size_t;

  Configurations() = default;
  Configurations(const Configurations&) = delete;
  Configurations& operator=(const Configurations&) = delete;
  virtual ~Configurations() = default;

  /// Somebody is going to fork: a model that then keeps more in each configuration does so from
  /// here on. To be called before `Model::initialize`.
  virtual void expect_forks() {}
  virtual Slot selected() const = 0;
  /// Copies the selected configuration into a new slot, which is not selected.
  virtual Slot fork() = 0;
  virtual void select(Slot slot) = 0;
  /// Forgets a slot that is not selected.
  virtual void drop(Slot slot) = 0;

  /// Whether the equations may change with this indicator. Where they do not, its surface is passed
  /// without a look at its other side.
  virtual bool may_switch_equations(std::size_t /*indicator*/) const { return true; }
  /// What a condition counts as; `as_before` is for those that switch no equations.
  enum class Imposed : signed char {
    nothing,       ///< what it is at the point
    as_before,     ///< what it was after the last update
    positive,      ///< its indicator is positive
    not_positive,  ///< it is not
  };
  /// For the selected slot, until called without any, one entry an indicator: what its conditions
  /// count as in updates, for motions that mix configurations. Those that switch equations take
  /// their side at once and keep it until the next update. False: the model decides for itself, on
  /// these conditions at least.
  virtual bool impose(std::span<const Imposed> /*conditions*/) { return false; }

  /// For the selected slot: these conditions are decided as in another one. False: the model
  /// decides for itself.
  virtual bool take_over(Slot /*from*/, std::span<const std::size_t> /*conditions*/) {
    return false;
  }

  /// Whether a condition may stand behind others, so that some configurations meet it and others do
  /// not, or meet another one in its place.
  virtual bool nests_conditions() const { return false; }
  /// The indicator of a condition that the selected configuration does not meet.
  static constexpr double kNotMet = -1e100;

  /// Whether a configuration may depend on how it was reached, not only on where it was decided.
  virtual bool remembers_the_past() const { return true; }
};

}  // namespace saltus
