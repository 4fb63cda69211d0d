// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "saltus/autodiff/decisions.hpp"
#include "saltus/autodiff/tape_gradient.hpp"
#include "saltus/core/pullback.hpp"
#include "saltus/core/variable.hpp"

/// What `BackwardPasses` writes down, the same for all models.
namespace saltus::modeling {

/// Which variable each number on a tape is.
class NumberSlots {
 public:
  /// There are so many `numbers`, not all of which are variables.
  void know(std::span<const Variable> variables, std::size_t numbers);
  /// Adds what the seeds of `tape` give to `gradient`. False where something is not finite.
  bool sweep(TapeGradient& tape, Direction& gradient) const;

 private:
  std::vector<std::size_t> position_;  // of the given ones; others have none
  std::size_t slots_ = 0;
  mutable std::vector<double> by_slot_;
};

/// The equations of a configuration and the conditions of its events.
struct WrittenPass {
  TapeGradient gradient;
  std::vector<Tape::Node> slopes;
  std::vector<Tape::Node> numbers;               ///< by slot, as the equations leave them
  std::vector<std::vector<Tape::Node>> margins;  ///< of each indicator: what it compares with zero
  std::vector<Tape::Node> clocks;                ///< those that are due
  bool holds_everywhere = true;                  ///< and not only at the point of the pass

  /// The margin that is the indicator, or its negative. None where there is none, or where two that
  /// change in different ways are both.
  struct Margin {
    Tape::Node node;
    double sign;
  };
  std::optional<Margin> margin_of(std::size_t indicator, double z) const;
};

/// Those of all configurations met so far.
class WrittenPasses {
 public:
  WrittenPass& find(std::span<const Lock> locks, std::span<const std::int64_t> wholes,
                    const std::function<WrittenPass()>& write);

 private:
  std::map<std::vector<std::int64_t>, std::unique_ptr<WrittenPass>> known_;
  std::vector<std::int64_t> key_;
};

/// The numbers that bodies have assigned at one event.
class WrittenBodies final : public Pullback::Bodies {
 public:
  struct Target {
    bool is_unknown = false;
    std::size_t place = 0;  ///< of the unknown, or of the variable
    Tape::Node node = 0;
  };
  /// A later target of the same place replaces an earlier one.
  WrittenBodies(const Tape& tape, const std::vector<Target>& targets, const NumberSlots& slots);
  void evaluate(double t, ConstVec y, ConstVec numbers) { gradient_.evaluate(t, y, numbers); }
  void pull(Direction& gradient) const override;

 private:
  mutable TapeGradient gradient_;
  std::vector<Target> targets_;
  NumberSlots slots_;
};

}  // namespace saltus::modeling
