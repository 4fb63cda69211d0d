// SPDX-License-Identifier: BSD-2-Clause
#pragma once

// Included at the end of native_model.hpp: the discrete update, and the first passes over a model.
namespace saltus::modeling {

template <template <class> class M, class Unit>
EventUpdate NativeModel<M, Unit>::update_discrete_states(double t, Vec y) {
  std::copy(now_.locks.begin(), now_.locks.end(), locks_before_.begin());
  t = announced_or(t);
  const EventPass& pass = act(t, y);
  ClockList* const clocks = watched_.members.clocks.get();
  if (clocks != nullptr) [[unlikely]] {
    clocks->finish(watched_.members, now_.memory);
  }
  if (!conflicts_.empty()) [[unlikely]] {
    warn_of_conflicts(experiment_, t, conflicts_, variables(), names_of_calls());
  }
  now_.memory.running = true;
  EventUpdate update;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double value = watched_.members.unknowns[i]->value();
    if (!(value == y[i])) {
      update.states_changed = true;
      y[i] = value;
    }
  }
  const bool discrete_changed = values_.store_discrete(watched_.members);
  watched_is_current_ = true;
  const bool decided_anew = now_.locks != locks_before_;
  if (discrete_changed || decided_anew) {
    written_now_ = nullptr;
  }
  if (discrete_changed) {
    now_.path = nullptr;
  }
  discrete_is_news_ = discrete_is_news_ || discrete_changed;
  update.iterate = !pass.due.empty() || update.states_changed || discrete_changed || decided_anew;
  update.terminate = pass.terminate;
  if (pass.terminate && !pass.reason.empty()) [[unlikely]] {
    tell_reason(experiment_, t, pass.reason);
  }
  update.next_event_time = pass.next_event_time;
  if (clocks != nullptr) [[unlikely]] {
    update.next_event_time =
        std::fmin(update.next_event_time,
                  clocks->end(now_.memory, t, values_.numbers(), values_.outside_ticks));
  }
  if (compares_time_ && !update.iterate) {
    last_time_event() = t;
    time_event() = next_comparison_of_time(t, y);
    update.next_event_time = std::fmin(update.next_event_time, time_event());
  }
  return update;
}

template <template <class> class M, class Unit>
double NativeModel<M, Unit>::next_comparison_of_time(double t, ConstVec y) {
  values_.load_discrete(moving_.members);
  return next_time_comparison(t, [&](double time, bool of_time, std::vector<Comparison>& met) {
    // Rates of which no sum or product vanishes by chance.
    double rate = of_time ? 0.0 : 1.0;
    const auto move = [&](Tangent& number, double value) {
      number = Tangent(value, rate);
      rate *= 1.0 + 1.0 / 1.61803398874989485;
      rate = rate > 1e3 ? 1e-6 * rate : rate;
    };
    for (std::size_t i = 0; i < y.size(); ++i) {
      move(*moving_.members.unknowns[i], y[i]);
    }
    for (Tangent* slope : moving_.members.derivatives) {
      move(*slope, slope->value());
    }
    for (const Variable& variable : variables()) {
      if (variable.role == Variable::Role::input && variable.is_number()) {
        Tangent& input = *moving_.members.numbers[variable.index];
        move(input, input.value());
      }
    }
    const ComparisonScope scope(met);
    const Tangent now(time, of_time ? 1.0 : 0.0);
    run_equations(moving_, now, scratch_.data(), false);
    watching_.z = scratch_.data() + now_.locks.size();
    watching_.begin(EventPass::Way::watch);
    run_events(moving_, now, watching_);
  });
}

// One pass in event mode on the watched copy: decisions afresh, then the bodies of whatever is
// due there.
template <template <class> class M, class Unit>
const EventPass& NativeModel<M, Unit>::act(double t, ConstVec y) {
  load_unknowns(watched_.members, y);
  load_watched_discrete();
  watched_is_current_ = false;
  if (watched_.members.clocks != nullptr) [[unlikely]] {
    watched_.members.clocks->begin(watched_.members, now_.memory, t, values_.numbers(),
                                   values_.outside_ticks);
  }
  decide(t);
  conflicts_.clear();
  acting_.due.clear();
  acting_.tie.reset();
  acting_.terminate = false;
  acting_.reason.clear();
  acting_.next_event_time = kNever;
  acting_.z = scratch_.data() + now_.locks.size();
  acting_.start = start_;
  acting_.begin(EventPass::Way::judge);
  run_events(t, acting_);
  check_unmoved(t, y);
  if (acting_.tie) {
    throw_tie(t, indicator_names_.at(now_.locks.size() + acting_.tie->first),
              indicator_names_.at(now_.locks.size() + acting_.tie->second));
  }
  if (acting_.due.empty()) {
    return acting_;
  }
  carry_bodies(t, y);
  const ValuesBefore<Watched> before(watched_.members, values_, by_equations_, y);
  take_computed();
  const auto execute = [&](std::size_t call) {
    acting_.begin(EventPass::Way::act);
    acting_.chosen = call;
    run_events(t, acting_);
  };
  const auto execute_body = [&](std::size_t call) {
    ClockList* const clocks = watched_.members.clocks.get();
    if (clocks != nullptr) [[unlikely]] {
      clocks->before_body(watched_.members);
    }
    execute(call);
    if (clocks != nullptr) [[unlikely]] {
      clocks->after_body(watched_.members, acting_);
    }
  };
  if (acting_.due.size() == 1) {
    execute_body(acting_.due.front());
  } else {
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    conflicts_ =
        execute_together(watched_.members, acting_.due, execute_body, [&] { execute(kNone); });
  }
  check_computed();
  return acting_;
}

template <template <class> class M, class Unit>
std::vector<std::string> NativeModel<M, Unit>::names_of_calls() const {
  std::vector<std::string> names;
  for (const EventCall& call : calls_) {
    names.push_back(call.kind == EventCall::Kind::when
                        ? "'" + indicator_names_[now_.locks.size() + call.index] + "'"
                        : to_string(call));
  }
  return names;
}

// The equations with decisions taken afresh. What they have to assign is marked before, so that
// what they leave without a value, or use before it has one, is known.
template <template <class> class M, class Unit>
void NativeModel<M, Unit>::decide(double t) {
  for (const Computed& computed : computed_) {
    *computed.place = Watched(computed.mark);
  }
  const std::size_t stated = run_equations(t, scratch_.data(), true);
  double sum = 0.0;  // no number if one of them is none
  for (const Computed& computed : computed_) {
    sum += computed.place->value();
  }
  for (std::size_t i = 0; i < now_.locks.size(); ++i) {
    sum += scratch_[i];
  }
  if (!(sum == sum)) [[unlikely]] {
    check_assigned(t, stated);
  }
  if (!inputs_.empty()) {
    check_inputs(t);
  }
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::check_assigned(double t, std::size_t stated) const {
  double mark = 0.0;
  for (const Computed& computed : computed_) {
    const double value = computed.place->value();
    mark = is_unassigned(value) ? value : mark;
  }
  for (std::size_t i = 0; i < now_.locks.size(); ++i) {
    mark = is_unassigned(scratch_[i]) ? scratch_[i] : mark;
  }
  if (!is_unassigned(mark)) {
    return;
  }
  if (explicit_ && stated != 0) {
    implicit_configuration(name_);
  }
  const Variable& culprit = variables()[unassigned_variable(mark)];
  const auto& family = culprit.role == Variable::Role::derivative ? watched_.members.derivatives
                                                                  : watched_.members.numbers;
  throw_unassigned(culprit.name, t, is_unassigned(family[culprit.index]->value()));
}

// Branches that were not tried when the model was made may assign an input.
template <template <class> class M, class Unit>
void NativeModel<M, Unit>::check_inputs(double t) const {
  for (const std::size_t i : inputs_) {
    const std::size_t index = variables()[i].index;
    const double value = watched_.members.numbers[index]->value();
    if (value != values_.numbers()[index] && value == value) {
      throw_input_assigned(variables()[i].name, t);
    }
  }
}

// Before any body was executed the unknowns are where they were.
template <template <class> class M, class Unit>
void NativeModel<M, Unit>::check_unmoved(double t, ConstVec y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (watched_.members.unknowns[i]->value() != y[i] && y[i] == y[i]) [[unlikely]] {
      load_unknowns(watched_.members, y);
      run_equations(t, scratch_.data(), false);
      throw_moved(values_.unknown_name(i), t, watched_.members.unknowns[i]->value() != y[i]);
    }
  }
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::check_computed() const {
  for (const Computed& computed : computed_) {
    if (computed.place->value() != computed.before_bodies &&
        computed.before_bodies == computed.before_bodies) [[unlikely]] {
      throw_assigned_in_body(variables()[computed.variable].name);
    }
  }
}

// FMI 3.0, 2.2.10: before the discrete update, getters already show what the event equations
// yield. States are shown where they are: moving them is the update's business.
template <template <class> class M, class Unit>
void NativeModel<M, Unit>::preview(double t, ConstVec y) {
  t = announced_or(t);
  EventMemory memory = now_.memory;
  std::vector<Lock> locks = now_.locks;
  const DecisionPaths::Path path = now_.path;
  const bool anything_is_due = !act(t, y).due.empty();
  if (watched_.members.clocks != nullptr) [[unlikely]] {
    watched_.members.clocks->finish(watched_.members, now_.memory);
  }
  if (anything_is_due) {
    load_unknowns(watched_.members, y);
    run_equations(t, scratch_.data(), true);
  }
  now_.memory = std::move(memory);
  now_.locks = std::move(locks);
  now_.path = path;
}

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
  by_equations_ = std::move(first.computed);
  calls_ = std::move(first.calls);
  explicit_ = !info_.implicit && first.is_explicit;
  equation_names_ = std::move(first.equations);
  conditions_need_equations_ = first.decisions != 0 || first.events_use_derivatives;
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
  indicator_names_ = std::move(first.conditions);
  check_count(indicator_names_.size(), now_.locks.size() + now_.memory.held.size(),
              "named conditions");
  shape_ = {.states = watched_.members.states.size(),
            .algebraics = watched_.members.algebraics.size(),
            .indicators = indicator_names_.size()};
  scratch_.assign(indicator_names_.size(), 0.0);
}

// At an announced time the indicators are those just before it: what changes there is no state
// event.
template <template <class> class M, class Unit>
Eval NativeModel<M, Unit>::indicators(double t, ConstVec y, Vec z) {
  if (compares_time_ && t == time_event()) {
    t = std::nextafter(t, -kNever);
  }
  std::optional<PartScope> scope;
  if (!part_names_.empty()) {
    scope.emplace(parts_);
  }
  load_unknowns(watched_.members, y);
  load_watched_discrete();
  if (conditions_need_equations_) {
    run_equations(t, z.data(), false);
    if (!paths_.is_straight()) {
      order_parts();
    }
  }
  watching_.z = z.data() + now_.locks.size();
  watching_.begin(EventPass::Way::watch);
  run_events(t, watching_);
  return has_nan(z) ? Eval::discard : Eval::ok;
}

template <template <class> class M, class Unit>
Eval NativeModel<M, Unit>::indicator_rates(double t, ConstVec y, ConstVec v, Vec rates) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    *moving_.members.unknowns[i] = Tangent(y[i], v[i]);
  }
  const Tangent time(t, 1.0);
  run_equations(moving_, time, rates.data(), false);
  watching_.z = rates.data() + now_.locks.size();
  watching_.begin(EventPass::Way::watch);
  run_events(moving_, time, watching_);
  return has_nan(rates) ? Eval::discard : Eval::ok;
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

}  // namespace saltus::modeling
