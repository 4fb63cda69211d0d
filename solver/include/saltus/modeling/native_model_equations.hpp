// SPDX-License-Identifier: BSD-2-Clause
#pragma once

// Included at the end of native_model.hpp: derivatives and residuals, and the equations of a
// configuration written down for whoever asks for their derivatives.
namespace saltus::modeling {

template <template <class> class M, class Unit>
Eval NativeModel<M, Unit>::derivatives(double t, ConstVec y, Vec yp) {
  if (!now_.locks.empty()) {
    return derivatives_by_decisions(t, y, yp);
  }
  locked_.members.load_unknowns(y);
  Equations<Locked> equations{Locked(t)};
  locked_.equations(equations);
  return slopes_of(equations, yp);
}

template <template <class> class M, class Unit>
Eval NativeModel<M, Unit>::derivatives_by_decisions(double t, ConstVec y, Vec yp) {
  locked_.members.load_unknowns(y);
  Equations<Locked> equations{Locked(t)};
  run_locked(equations);
  return slopes_of(equations, yp);
}

template <template <class> class M, class Unit>
inline Eval NativeModel<M, Unit>::slopes_of(const Equations<Locked>& equations, Vec yp) const {
  if (equations.count() != 0) [[unlikely]] {
    implicit_configuration(name_);
  }
  double residue = 0.0;  // x - x is no number where x is infinite or none itself
  for (std::size_t i = 0; i < yp.size(); ++i) {
    const double slope = locked_.members.derivatives[i]->value();
    yp[i] = slope;
    residue += slope - slope;
  }
  return std::isnan(residue) ? Eval::discard : Eval::ok;
}

// The rows are those of `der(x) = ...`, in the order of the states, then those of `eq`.
template <template <class> class M, class Unit>
Eval NativeModel<M, Unit>::residual(double t, ConstVec y, ConstVec yp, Vec r) {
  if (explicit_) {
    return Model::residual(t, y, yp, r);
  }
  locked_.members.load_unknowns(y);
  locked_.members.load_slopes(yp);
  const WrittenEquations& now = written();
  rows_.resize(now.equations.equations() - now.assigned.size());
  Equations<Locked> equations(Locked(t), rows_);
  run_locked(equations);
  check_count(equations.count(), rows_.size(), "equations");
  double residue = 0.0;  // x - x is no number where x is infinite or none itself
  double* row = r.data();
  for (const std::size_t i : now.assigned) {
    *row = yp[i] - locked_.members.derivatives[i]->value();
    residue += *row - *row;
    ++row;
  }
  for (const Locked& rest : rows_) {
    *row = rest.value();
    residue += *row - *row;
    ++row;
  }
  return std::isnan(residue) ? Eval::discard : Eval::ok;
}

template <template <class> class M, class Unit>
SolutionSeries* NativeModel<M, Unit>::series() {
  if (!explicit_ || written_everywhere() == nullptr) {
    return nullptr;
  }
  return written().solution_series();
}

// The equations of the configuration in force, with the present parameters.
template <template <class> class M, class Unit>
WrittenEquations& NativeModel<M, Unit>::find_written() {
  const std::span<const std::int64_t> configuration = values_.configuration();
  written_now_ = written_.find(now_.locks, configuration);
  if (written_now_ == nullptr) {
    written_now_ = &written_.add(now_.locks, configuration, write_down());
  }
  written_now_->equations.set_numbers(values_.numbers());
  return *written_now_;
}

// One pass with the recording scalar.
template <template <class> class M, class Unit>
WrittenEquations NativeModel<M, Unit>::write_down() {
  Tape tape;
  bool hold_everywhere = true;
  std::vector<std::size_t> assigned;
  const std::vector<std::string> stated = equation_names();
  std::vector<std::string> names;
  {
    Recording recording(tape);
    load_leaves(recorded_.members, recording);
    std::vector<Recorded> rows(stated.size());
    Equations<Recorded> equations(recording.time(start_), rows);
    Cursor pass = replaying(decisions());
    hold_steps(pass, recorded_.members);
    const CursorScope scope(pass);
    recorded_.equations(equations);
    check_count(equations.count(), rows.size(), "equations");
    for (std::size_t i = 0; i < recorded_.members.derivatives.size(); ++i) {
      const Recorded slope = recording.unknown(static_cast<int>(i), 1, 0.0);
      if (!recording.same(*recorded_.members.derivatives[i], slope)) {
        assigned.push_back(i);
        names.push_back("der(" + values_.unknown_name(i) + ") = ...");
        recording.add_row(slope - *recorded_.members.derivatives[i]);
      }
    }
    for (const Recorded& row : rows) {
      recording.add_row(row);
    }
    hold_everywhere = recording.holds_everywhere();
  }
  for (const std::string& name : stated) {
    names.push_back(name);
  }
  return {.equations = TapeArray(std::move(tape), shape().unknowns(), std::move(names)),
          .assigned = std::move(assigned),
          .hold_everywhere = hold_everywhere};
}

// What `eq` states in the configuration in force: another one may have other equations.
template <template <class> class M, class Unit>
std::vector<std::string> NativeModel<M, Unit>::equation_names() {
  if (now_.locks.empty() && values_.configuration().empty()) {
    return equation_names_;
  }
  const std::span<Lock> replayed = decisions();
  std::size_t place = 0;
  const SymbolicPass pass = symbolic_run()(values_.configuration(), [&](const std::string&, bool) {
    if (place == replayed.size()) {
      too_many_decisions();
    }
    return replayed[place++] == Lock::yes;
  });
  if (pass.failure) {
    std::rethrow_exception(pass.failure);
  }
  return pass.equations;
}

template <template <class> class M, class Unit>
SymbolicRun NativeModel<M, Unit>::symbolic_run() {
  return [this](std::span<const std::int64_t> wholes, const Answer& answer) {
    ModelOf<M, Symbolic> symbolic{driver_.get(), &watched_.members};
    declare_names(symbolic.members, variables());
    values_.load(symbolic.members);
    return symbolic_pass({.members = symbolic.members,
                          .equations = [&](Equations<Symbolic>& eq) { symbolic.equations(eq); },
                          .events = {}},
                         start_, wholes, answer);
  };
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::load_leaves(MembersOf<Recorded>& members, Recording& recording) const {
  values_.load(members);
  const ConstVec start = values_.start_unknowns();
  for (std::size_t i = 0; i < start.size(); ++i) {
    *members.unknowns[i] = recording.unknown(static_cast<int>(i), 0, start[i]);
  }
  for (std::size_t i = 0; i < members.derivatives.size(); ++i) {
    *members.derivatives[i] = recording.unknown(static_cast<int>(i), 1, 0.0);
  }
  for (std::size_t i = 0; i < members.numbers.size(); ++i) {
    *members.numbers[i] = recording.number(static_cast<int>(i), members.numbers[i]->value());
  }
}

}  // namespace saltus::modeling
