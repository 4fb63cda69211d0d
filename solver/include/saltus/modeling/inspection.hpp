// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/variable.hpp"
#include "saltus/modeling/decision_paths.hpp"
#include "saltus/modeling/passes.hpp"
#include "saltus/modeling/symbolic.hpp"

/// What a model is asked while it is constructed, before anybody runs it.
namespace saltus::modeling {

/// A model over the spelling scalar.
struct SymbolicModel {
  MembersOf<Symbolic>& members;
  std::function<void(Equations<Symbolic>&)> equations;
  std::function<void(Events<Symbolic>&)> events;  ///< may be empty
};

/// What the first passes over a model tell.
struct FirstPasses {
  std::vector<std::string> conditions;  ///< those of the equations, then those of `when`
  std::size_t decisions = 0;            ///< how many of them are of the equations
  std::vector<std::string> parts;       ///< the comparisons in those that are joined of several
  std::vector<bool> joined;             ///< per `when`: whether it joins some of these
  std::vector<std::string> equations;   ///< of the form `eq(lhs, rhs)`
  std::vector<EventCall> calls;
  std::size_t steps = 0;  ///< whole numbers of `steps.hpp` in the equations
  std::size_t whens = 0;
  std::size_t clocks = 0;
  bool is_explicit = true;  ///< whether every unknown has its `der(x) = ...`
  bool events_use_derivatives = false;
  bool compares_time = false;          ///< some condition does
  DecisionPaths paths;                 ///< through the conditions of the equations
  std::vector<std::size_t> connected;  ///< inputs of submodels that the equations assign
  std::vector<std::size_t> computed;   ///< discrete variables that they assign
};

/// One pass over the equations, with these values of the whole-number variables and decisions that
/// `answer` takes. An exception of the model's is kept in what it returns.
SymbolicPass symbolic_pass(const SymbolicModel& model, double time,
                           std::span<const std::int64_t> wholes, const Answer& answer);

/// Looks for conditions that stand behind others. For who knows that a model has none there is
/// another definition, without the search.
class Inspection;
void find_paths(Inspection& inspection);

/// Thrown, and caught, where a loop in `events` asks for ever.
struct EndlessQuestions {};

/// Runs over the equations and over `events` of a model at its start values, and executes the body
/// of each `when`, `every` and `at` once that discrete variables do not rule out there. Throws
/// `ModelMistake`, with the name of what is meant and what to write instead, when
/// - `equations` assigns a state or an algebraic, reads what it has not assigned yet, leaves a
///   derivative, an output or a local without a value, makes a discrete variable move, or gives
///   something else when it is run again;
/// - `events` assigns what belongs to `equations`, or assigns anything depending on a plain `if`
///   about numbers;
/// - the equations or the events of a submodel are not run once in a pass;
/// - something that is not a declared variable remembers what happened.
FirstPasses inspect(const SymbolicModel& model, const ModelInfo& info);

}  // namespace saltus::modeling
