// SPDX-License-Identifier: BSD-2-Clause
#pragma once

// Included at the end of native_model.hpp: what the computed variables of an explicit model depend
// on, and their derivatives; of an implicit one, the derivatives of its equations.
namespace saltus::modeling {

template <template <class> class M, class Unit>
VariableDerivatives* NativeModel<M, Unit>::variable_derivatives(Knowns knowns) {
  if (!explicit_ || written_everywhere() == nullptr) {
    return nullptr;
  }
  WrittenEquations& now = written();
  std::unique_ptr<TapeDerivatives>& derivatives =
      knowns == Knowns::all ? now.by_all : now.by_moving;
  if (derivatives == nullptr) {
    const KnownLeaves leaves(variables(), knowns == Knowns::all);
    Tape tape;
    {
      Recording recording(tape);
      for (const Recorded& row : record_computed(recording, leaves, decisions(), nullptr)) {
        recording.add_row(row);
      }
    }
    derivatives =
        std::make_unique<TapeDerivatives>(std::move(tape), leaves, computed_variables(variables()));
  }
  derivatives->set_numbers(values_.numbers());
  return derivatives.get();
}

template <template <class> class M, class Unit>
EquationDerivatives* NativeModel<M, Unit>::equation_derivatives(Knowns knowns) {
  if (explicit_ || written_everywhere() == nullptr) {
    return nullptr;
  }
  WrittenEquations& now = written();
  std::unique_ptr<TapeEquations>& equations =
      knowns == Knowns::all ? now.equations_by_all : now.equations_by_moving;
  if (equations == nullptr) {
    const KnownLeaves leaves(variables(), knowns == Knowns::all);
    Tape tape;
    {
      Recording recording(tape);
      std::vector<Recorded> rows(now.equations.equations() - now.assigned.size());
      const auto computed = record_computed(recording, leaves, decisions(), nullptr, rows);
      for (const std::size_t i : now.assigned) {
        recording.add_row(recording.unknown(static_cast<int>(i), 1, 0.0) -
                          *recorded_.members.derivatives[i]);
      }
      rows.insert(rows.end(), computed.begin(), computed.end());
      for (const Recorded& row : rows) {
        recording.add_row(row);
      }
    }
    equations =
        std::make_unique<TapeEquations>(std::move(tape), leaves, computed_variables(variables()));
  }
  equations->set_numbers(values_.numbers());
  return equations.get();
}

template <template <class> class M, class Unit>
std::vector<VariableDependencies> NativeModel<M, Unit>::dependencies() {
  if (!explicit_) {
    return {};
  }
  const KnownLeaves leaves(variables(), false);
  Tape tape;
  return find_dependencies(
      {.variables = variables(),
       .leaves = leaves,
       .tape = tape,
       .decisions = now_.locks.size(),
       .flags = number_of_flags(recorded_.members),
       .has_whens = !now_.memory.held.empty(),
       .run = [&](std::vector<Lock>& locks, const std::vector<bool>& on) {
         RecordedPass pass;
         std::vector<const void*> reads;
         Recording recording(tape);
         recording.keep_conditions(pass.conditions);
         const DecisionPaths::Path path = paths_.is_straight() ? nullptr : path_with(on, locks);
         {
           const ReadingScope scope(reads);
           const std::span<Lock> replayed = path != nullptr ? path->locks : locks;
           for (const Recorded& row :
                record_computed(recording, leaves, replayed, &on, {}, path.get())) {
             pass.computed.push_back(recording.node(row));
           }
         }
         if (path != nullptr) {
           std::vector<std::vector<Tape::Node>> conditions(locks.size());
           for (std::size_t i = 0; i < pass.conditions.size(); ++i) {
             conditions[path->conditions[i]] = std::move(pass.conditions[i]);
           }
           pass.conditions = std::move(conditions);
         }
         pass.holds_everywhere = recording.holds_everywhere();
         pass.reads_integers = reads_more_than_flags(recorded_.members, reads);
         return pass;
       }});
}

// The path of other decisions, one for each condition, and of other Boolean variables.
template <template <class> class M, class Unit>
DecisionPaths::Path NativeModel<M, Unit>::path_with(const std::vector<bool>& flags,
                                                    std::span<const Lock> locks) {
  const std::span<const std::int64_t> now = values_.configuration();
  std::vector<std::int64_t> wholes(now.begin(), now.end());
  auto flag = flags.begin();
  for (std::size_t i = 0; i < recorded_.members.wholes.size(); ++i) {
    if (recorded_.members.wholes[i].stored == Variable::Type::boolean) {
      wholes[i] = *flag++ ? 1 : 0;
    }
  }
  return paths_.along(wholes, locks, symbolic_run());
}

// One pass with the recording scalar over the equations, in which what is known stands as an
// unknown: the computed variables, in the order of `computed_variables`. `flags` are values for the
// Boolean variables in place of those they have; `rows` receive what `eq` states.
template <template <class> class M, class Unit>
std::vector<Recorded> NativeModel<M, Unit>::record_computed(
    Recording& recording, const KnownLeaves& leaves, std::span<Lock> locks,
    const std::vector<bool>* flags, std::span<Recorded> rows, const DecisionPath* along) {
  MembersOf<Recorded>& members = recorded_.members;
  load_leaves(members, recording);
  for (std::size_t i = 0; i < leaves.given.size(); ++i) {
    Recorded& number = *members.numbers[leaves.given[i].number];
    number = recording.unknown(static_cast<int>(leaves.unknowns.size() + i), 0, number.value());
  }
  if (flags != nullptr) {
    put_flags(members, *flags);
  }
  Equations<Recorded> equations(recording.unknown(static_cast<int>(leaves.time()), 0, start_),
                                rows);
  {
    Cursor pass = replaying(locks);
    hold_steps(pass, members, along);
    const CursorScope scope(pass);
    recorded_.equations(equations);
  }
  std::vector<Recorded> computed;
  for (const std::size_t position : computed_variables(variables())) {
    const Variable& variable = variables()[position];
    computed.push_back(*(variable.role == Variable::Role::derivative
                             ? members.derivatives
                             : members.numbers)[variable.index]);
  }
  return computed;
}

}  // namespace saltus::modeling
