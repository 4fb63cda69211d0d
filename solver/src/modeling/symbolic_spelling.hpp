// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "equation_notes.hpp"
#include "saltus/modeling/inspection.hpp"
#include "saltus/modeling/symbolic.hpp"

/// What a pass over a model with the spelling scalar knows, for the files that make it up.
namespace saltus::modeling {

/// How strongly the parts of a text are bound: what binds less is put in parentheses.
enum TruthRank : int { kOr = 1, kAnd, kRelation };
/// A condition on discrete variables is plain C++ and has no text.
inline constexpr const char* kDiscrete = "(discrete)";

inline constinit thread_local Spelling* spelling_now = nullptr;
inline constinit thread_local bool recording_decisions = false;
inline constinit thread_local bool decision_begins_step = false;
inline constinit thread_local EquationNotes* noted = nullptr;

/// Long expressions are cut: a name is for reading. It also tells conditions apart, so a number
/// made from all of it stands at the end.
std::string shortened(std::string text);
/// Of a whole-number variable.
std::string name_at(const void* place, const std::string& otherwise);
/// The variables that a condition without a text has read, since the condition before it.
std::string names_read();
inline void tell_reads() {
  spelling_now->reads_told = noted_reads == nullptr ? 0 : noted_reads->size();
}

inline std::optional<std::size_t> running_submodel(const Spelling& now) {
  return now.running.empty() ? std::nullopt : std::optional(now.running.back());
}

}  // namespace saltus::modeling
