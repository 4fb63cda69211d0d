// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <exception>

#include "inspection_passes.hpp"
#include "saltus/core/whole_values.hpp"

namespace saltus::modeling {
namespace {

// Of a pass that others decide: a loop whose end they put off would not end.
constexpr std::size_t kMostDecisions = 1000;
constexpr std::size_t kMostDecisionsPerVariable = 20;

Symbolic* number_of(MembersOf<Symbolic>& members, const Variable& v) {
  return !v.is_number()               ? nullptr
         : v.role == Role::state      ? members.states[v.index]
         : v.role == Role::derivative ? members.derivatives[v.index]
         : v.role == Role::algebraic  ? members.algebraics[v.index]
                                      : members.numbers[v.index];
}

// The indices of the variables at these places, each once, and those of all texts.
std::vector<std::size_t> indices_of(const MembersOf<Symbolic>& members,
                                    const std::vector<const void*>& places, std::size_t count) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < count; ++i) {
    if (i >= members.wholes.size() ||
        std::find(places.begin(), places.end(), members.wholes[i].where) != places.end()) {
      indices.push_back(i);
    }
  }
  return indices;
}

}  // namespace

// Behind whole numbers, what is given may tell of texts.
void set_wholes(MembersOf<Symbolic>& members, std::span<const std::int64_t> wholes) {
  for (std::size_t i = 0; i < members.wholes.size(); ++i) {
    write_whole(members.wholes[i], wholes[i]);
  }
}

SymbolicPass symbolic_pass(const SymbolicModel& model, double time,
                           std::span<const std::int64_t> wholes, const Answer& answer) {
  set_wholes(model.members, wholes);
  for (const Variable& v : model.members.variables) {
    if (Symbolic* const number = number_of(model.members, v)) {
      number->begin(number->value(), v.role == Role::derivative ? v.name : "");
    }
  }
  const std::size_t most =
      std::max(kMostDecisions, kMostDecisionsPerVariable * model.members.variables.size());
  SymbolicPass pass;
  Spelling spelling(model.members);
  std::size_t decisions = 0;
  spelling.decide = [&](const std::string& text, bool holds, bool is_discrete) {
    decisions += spelling.plain.back() ? 0 : 1;
    if (decisions > most) {
      throw ModelMistake("equations() takes more than " + std::to_string(most) +
                         " decisions in one pass: does a loop end only when '" + text +
                         "' changes? Bound it by a whole number");
    }
    const bool answered = answer(text, holds);
    const bool yes = is_discrete ? holds : answered;
    pass.answers.push_back(yes ? Lock::yes : Lock::no);
    return yes;
  };
  std::vector<const void*> reads;
  {
    const ReadingScope scope(reads);
    Equations<Symbolic> equations{Symbolic::time(time)};
    try {
      model.equations(equations);
    } catch (const InputAssigned&) {
      throw;
    } catch (...) {
      if (decisions > most) throw;
      pass.failure = std::current_exception();
    }
  }
  spelling.conditions.resize(pass.answers.size());
  spelling.slopes.resize(pass.answers.size());
  spelling.plain.resize(pass.answers.size());
  spelling.steps.resize(pass.answers.size());
  pass.conditions = std::move(spelling.conditions);
  pass.slopes = std::move(spelling.slopes);
  pass.plain = std::move(spelling.plain);
  pass.steps = std::move(spelling.steps);
  pass.parts = std::move(spelling.parts);
  pass.equations = std::move(spelling.equations);
  pass.compares_time = spelling.compares_time;
  pass.wholes_read = indices_of(model.members, reads, wholes.size());
  return pass;
}

void put_start_values(MembersOf<Symbolic>& members) {
  if (members.submodels == nullptr) {
    return;
  }
  for (const Variable& v : members.variables) {
    if (v.is_whole()) {
      write_whole(members.wholes[v.index], v.start_integer);
    } else if (v.is_number() && v.role != Variable::Role::derivative) {
      (v.role == Variable::Role::state       ? members.states
       : v.role == Variable::Role::algebraic ? members.algebraics
                                             : members.numbers)[v.index]
          ->begin(v.start, "");
    }
  }
}

void declare_names(MembersOf<Symbolic>& members, std::span<const Variable> variables) {
  for (const Variable& variable : variables) {
    if (variable.role == Variable::Role::state) {
      members.states[variable.index]->declare(variable);
    } else if (variable.role == Variable::Role::derivative) {
      members.derivatives[variable.index]->declare(variable);
    } else if (variable.role == Variable::Role::algebraic) {
      members.algebraics[variable.index]->declare(variable);
    } else if (variable.is_number()) {
      members.numbers[variable.index]->declare(variable);
    }
  }
}

}  // namespace saltus::modeling
