// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/modeling/member_list.hpp"
#include "saltus/modeling/number.hpp"

/// What the bodies in `events` do to the variables of a model.
namespace saltus::modeling {

/// Two bodies that assign the same variable in one pass, where the order matters.
struct Conflict {
  std::size_t one;
  std::size_t other;     ///< calls, as in `EventPass::due`
  std::size_t variable;  ///< by its position in `variables`
};

/// A variable that the equations have to assign, and no body may.
struct Computed {
  Watched* place;
  std::size_t variable;
  double mark;  ///< before the equations have assigned it
  double before_bodies = 0.0;
};

/// Executes the bodies of several calls that are due in one pass. Each sees the values of the
/// beginning, and what they assign is joined. A variable that two of them assign gets the value
/// that it has when all are executed one after another, in the order of `due`; if the opposite
/// order gives something else it is returned. `run` runs over `events` and executes the body of one
/// call, `run_none` that of none.
std::vector<Conflict> execute_together(MembersOf<Watched>& members,
                                       std::span<const std::size_t> due,
                                       const std::function<void(std::size_t call)>& run,
                                       const std::function<void()>& run_none);

/// Says so for each of them. `names` are those of the calls.
void warn_of_conflicts(const Experiment& experiment, double t, std::span<const Conflict> conflicts,
                       std::span<const Variable> variables, std::span<const std::string> names);

/// Why a body ends the run.
void tell_reason(const Experiment& experiment, double t, const std::string& reason);

}  // namespace saltus::modeling
