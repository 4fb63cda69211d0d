// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "saltus/autodiff/decisions.hpp"
#include "saltus/autodiff/tape.hpp"
#include "saltus/core/variable.hpp"
#include "saltus/core/variable_derivatives.hpp"
#include "saltus/modeling/tape_derivatives.hpp"

/// What the variables of an explicit model depend on, whatever its configuration.
///
/// The equations of one configuration say it on a tape. Other configurations differ by *switches*:
/// the decisions of the equations, and the Boolean variables that they read. One pass for each
/// combination of all switches would be far too many; but most equations depend on few. So each
/// switch is turned alone, at several combinations of the others, which shows what it influences;
/// then each equation is looked at under all combinations of the switches that influence it. Random
/// combinations of all of them test the outcome.
///
/// A motion that slides combines configurations with weights that follow from the switching
/// condition and from the slopes of what it compares: an equation with a decision depends on these
/// as well.
namespace saltus::modeling {

/// What one pass over the equations leaves on the tape, which is the same for all passes, so that
/// equal nodes are equal expressions.
struct RecordedPass {
  std::vector<Tape::Node> computed;                 ///< of `computed_variables`, in their order
  std::vector<std::vector<Tape::Node>> conditions;  ///< what each decision compares
  bool holds_everywhere = true;                     ///< see `no_event`
  bool reads_integers = false;                      ///< a variable that has too many values to try
};

struct DependencyQuestion {
  std::span<const Variable> variables;
  const KnownLeaves& leaves;
  Tape& tape;
  std::size_t decisions = 0;
  std::size_t flags = 0;  ///< Boolean variables
  /// Whether `events` has conditions: what changes with discrete variables may then slide on any.
  bool has_whens = false;
  std::function<RecordedPass(std::vector<Lock>& decisions, const std::vector<bool>& flags)> run;
};

/// Computed variables that are not among the result may depend on everything.
std::vector<VariableDependencies> find_dependencies(const DependencyQuestion& question);

}  // namespace saltus::modeling
