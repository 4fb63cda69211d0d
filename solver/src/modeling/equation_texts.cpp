// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/equation_texts.hpp"

#include <algorithm>
#include <exception>
#include <optional>

#include "equation_notes.hpp"
#include "saltus/modeling/variables.hpp"

namespace saltus::modeling {
namespace {

// With more of them, one pass for each would take long, and nobody would read it.
constexpr std::size_t kMostOthers = 50;

struct Pass {
  EquationLines lines;
  std::vector<std::string> conditions;
  std::vector<bool> decisions;
  std::vector<std::string> by_values = {};
  bool cut = false;
};

class Passes {
 public:
  Passes(const SymbolicModel& model, double start) : model_(model), start_(start) {
    put_start_values(model.members);
    declare_names(model.members);
    for (const Variable& v : model_.members.variables) {
      if (v.is_number()) values_.push_back(number(v).value());
    }
  }

  /// Decided as the locks say, and beyond them by the values.
  Pass run(const std::vector<Lock>& locks, std::optional<std::size_t> turned = {}) {
    auto value = values_.begin();
    for (const Variable& v : model_.members.variables) {
      if (v.is_number()) number(v).begin(*value++, "");
    }
    EquationNotes notes;
    notes.turned = turned;
    Spelling spelling(model_.members);
    std::vector<bool> decisions;
    spelling.decide = [&](const std::string&, bool holds, bool is_discrete) {
      const bool is_locked = !is_discrete && decisions.size() < locks.size();
      decisions.push_back(is_locked ? locks[decisions.size()] == Lock::yes : holds);
      return decisions.back();
    };
    Equations<Symbolic> equations{Symbolic::time(start_)};
    model_.equations(equations);
    return {std::move(notes.lines), spelling.conditions, std::move(decisions),
            std::move(notes.by_values), notes.cut};
  }

  /// The Boolean variables, by the numbers of their places.
  std::vector<const Variable*> flags() const {
    std::vector<const Variable*> found;
    for (const Variable& v : model_.members.variables) {
      if (v.type == Variable::Type::boolean) found.push_back(&v);
    }
    return found;
  }
  bool is_set(const Variable& flag) const { return *place(flag); }
  void turn(const Variable& flag) { *place(flag) = !*place(flag); }

 private:
  bool* place(const Variable& flag) const {
    return static_cast<bool*>(model_.members.wholes[flag.index].where);
  }
  Symbolic& number(const Variable& v) const {
    using Role = Variable::Role;
    return *(v.role == Role::state        ? model_.members.states
             : v.role == Role::derivative ? model_.members.derivatives
             : v.role == Role::algebraic  ? model_.members.algebraics
                                          : model_.members.numbers)[v.index];
  }

  const SymbolicModel& model_;
  double start_;
  std::vector<double> values_;
};

EquationLines without(const EquationLines& all, const EquationLines& some) {
  EquationLines rest;
  for (const std::string& line : all) {
    if (std::find(some.begin(), some.end(), line) == some.end()) rest.push_back(line);
  }
  return rest;
}

}  // namespace

EquationTexts equation_texts(const SymbolicModel& model, double start) {
  Passes passes(model, start);
  const Pass first = passes.run({});
  EquationTexts texts{.lines = first.lines, .others = {}, .cut = first.cut};
  // What no run has come to yet may be wrong there: that is for the run to say.
  const auto compare = [&](const std::string& where, const std::vector<Lock>& locks,
                           std::optional<std::size_t> turned = {}) {
    try {
      const Pass other = passes.run(locks, turned);
      texts.cut = texts.cut || other.cut;
      EquationTexts::Other found{where, without(other.lines, first.lines),
                                 without(first.lines, other.lines)};
      if (!found.lines.empty() || !found.instead_of.empty()) texts.others.push_back(found);
    } catch (const std::exception& error) {
      texts.others.push_back({where, {}, {}, error.what()});
    }
  };
  std::vector<Lock> locks;
  for (const bool holds : first.decisions) locks.push_back(holds ? Lock::yes : Lock::no);
  for (std::size_t i = 0; i < std::min(locks.size(), kMostOthers); ++i) {
    std::vector<Lock> turned(locks.begin(), locks.begin() + static_cast<std::ptrdiff_t>(i));
    turned.push_back(first.decisions[i] ? Lock::no : Lock::yes);
    compare(first.conditions.at(i) + (first.decisions[i] ? " does not hold" : " holds"), turned);
  }
  for (std::size_t i = 0; i < std::min(first.by_values.size(), kMostOthers); ++i) {
    compare(first.by_values[i] + " is otherwise than at the start", {}, i);
  }
  const std::vector<const Variable*> flags = passes.flags();
  texts.incomplete = std::max({locks.size(), flags.size(), first.by_values.size()}) > kMostOthers;
  for (std::size_t i = 0; i < std::min(flags.size(), kMostOthers); ++i) {
    passes.turn(*flags[i]);
    compare(flags[i]->name + (passes.is_set(*flags[i]) ? " is true" : " is false"), {});
    passes.turn(*flags[i]);
  }
  return texts;
}

}  // namespace saltus::modeling
