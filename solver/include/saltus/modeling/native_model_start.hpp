// SPDX-License-Identifier: BSD-2-Clause
#pragma once

// Included at the end of native_model.hpp: the first passes over a model, and the start of a run.
namespace saltus::modeling {

// The first passes ever, with the spelling scalar: how many decisions there are, what they say,
// and whether the model can mean what it says.
template <template <class> class M, class Unit>
void NativeModel<M, Unit>::inspect_model() {
  ModelOf<M, Symbolic> symbolic{driver_.get()};
  SymbolicModel inspected{.members = symbolic.members,
                          .equations = [&](Equations<Symbolic>& eq) { symbolic.equations(eq); },
                          .events = {}};
  if constexpr (HasEvents<M<Symbolic>, Symbolic>) {
    inspected.events = [&](Events<Symbolic>& ev) { symbolic.events(ev); };
  }
  FirstPasses first = inspect(inspected, info_);
  if (SubmodelList* const submodels = watched_.members.submodels.get()) {
    submodels->take_over(watched_.members.variables, first.connected);
    values_.know_again(watched_.members);
  }
  paths_ = std::move(first.paths);
  if (first.steps != 0) {
    watched_.members.add_steps(first.steps);
    locked_.members.add_steps(first.steps);
    moving_.members.add_steps(first.steps);
    recorded_.members.add_steps(first.steps);
    values_.add_steps(first.steps);
    step_order_.resize(first.steps);
    std::iota(step_order_.begin(), step_order_.end(), 0U);
  }
  now_.locks.assign(first.decisions, Lock::no);
  locks_before_ = now_.locks;
  now_.memory.held.assign(first.whens, Lock::no);
  compares_time_ = first.compares_time;
  now_.memory.clock.assign(first.clocks + (compares_time_ ? 2 : 0), kNever);
  restart_clocks({.start = info_.start});
  part_names_ = std::move(first.parts);
  joined_ = std::move(first.joined);
  by_equations_ = std::move(first.computed);
  calls_ = std::move(first.calls);
  explicit_ = !info_.implicit && first.is_explicit;
  equation_names_ = std::move(first.equations);
  conditions_need_equations_ =
      first.decisions != 0 || first.events_use_derivatives || !by_equations_.empty();
  for (std::size_t i = 0; i < variables().size(); ++i) {
    const Variable& variable = variables()[i];
    const bool computed =
        variable.role == Variable::Role::output || variable.role == Variable::Role::local;
    conditions_need_equations_ = conditions_need_equations_ || computed ||
                                 (variable.role == Variable::Role::discrete &&
                                  variable.causality == Variable::Causality::input);
    if (computed) {
      computed_.push_back({watched_.members.numbers[variable.index], i, unassigned(i)});
    } else if (variable.role == Variable::Role::derivative && explicit_) {
      computed_.push_back({watched_.members.derivatives[variable.index], i, unassigned(i)});
    } else if (variable.role == Variable::Role::input) {
      inputs_.push_back(i);
    }
  }
  watches_more_than_events_ = conditions_need_equations_ || compares_time_ || !part_names_.empty();
  indicator_names_ = std::move(first.conditions);
  check_count(indicator_names_.size(), now_.locks.size() + now_.memory.held.size(),
              "named conditions");
  shape_ = {.states = watched_.members.states.size(),
            .algebraics = watched_.members.algebraics.size(),
            .indicators = indicator_names_.size()};
  scratch_.assign(indicator_names_.size(), 0.0);
  acting_.z = scratch_.data() + now_.locks.size();
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::initialize(const Experiment& experiment, Vec y) {
  experiment_ = experiment;
  start_ = experiment.start;
  warn_of_units(experiment, variables());
  now_.frozen = false;
  values_.restart();
  std::copy(values_.start_unknowns().begin(), values_.start_unknowns().end(), y.begin());
  now_.memory.held.assign(now_.memory.held.size(), Lock::no);
  now_.memory.running = false;
  restart_clocks(experiment);
  if (compares_time_) {
    time_event() = last_time_event() = kNever;
  }
  load_all();
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::restart_clocks(const Experiment& experiment) {
  if (ClockList* const clocks = watched_.members.clocks.get()) {
    clocks->restart(now_.memory, experiment, values_.numbers(), values_.outside_ticks);
  }
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::load_all() {
  values_.load(watched_.members);
  values_.load(locked_.members);
  values_.load(moving_.members);
  watched_.members.load_unknowns(values_.start_unknowns());
  watched_is_current_ = true;
  equations_are_checked_ = false;
  written_now_ = nullptr;
  now_.path = nullptr;
}

}  // namespace saltus::modeling
