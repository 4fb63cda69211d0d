// SPDX-License-Identifier: BSD-2-Clause
#pragma once

// Included at the end of native_model.hpp: the discrete update, and what is checked in it.
namespace saltus::modeling {

template <template <class> class M, class Unit>
EventUpdate NativeModel<M, Unit>::update_discrete_states(double t, Vec y) {
  const bool decides = !now_.locks.empty();
  if (decides) {
    std::copy(now_.locks.begin(), now_.locks.end(), locks_before_.begin());
  }
  t = announced_or(t);
  const EventPass& pass = act(t, y);
  ClockList* const clocks = watched_.members.clocks.get();
  if (clocks != nullptr) [[unlikely]] {
    clocks->finish(watched_.members, now_.memory);
  }
  if (!conflicts_.empty()) [[unlikely]] {
    tell_conflicts(t);
  }
  now_.memory.running = true;
  const bool acted = !pass.due.empty();
  EventUpdate update{
      .iterate = acted, .terminate = pass.terminate, .next_event_time = pass.next_event_time};
  if (acted) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double value = watched_.members.unknowns[i]->value();
      if (!(value == y[i])) {
        update.states_changed = true;
        y[i] = value;
      }
    }
  }
  const bool discrete_changed = values_.store_discrete(watched_.members);
  watched_is_current_ = true;
  const bool decided_anew = decides && now_.locks != locks_before_;
  if (discrete_changed || decided_anew) {
    written_now_ = nullptr;
  }
  if (discrete_changed) {
    now_.path = nullptr;
    equations_are_checked_ = false;
    discrete_is_news_ = true;
  }
  update.iterate |= discrete_changed || decided_anew;
  if (pass.terminate && !pass.reason.empty()) [[unlikely]] {
    tell_reason(experiment_, t, pass.reason);
  }
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
inline double NativeModel<M, Unit>::announced_or(double t) {
  if (compares_time_) {
    for (const double announced : {last_time_event(), time_event()}) {
      if (t < announced && has_come(t, announced)) {
        return announced;
      }
    }
  }
  return t;
}

// One pass in event mode on the watched copy: decisions afresh, then the bodies of whatever is
// due there.
template <template <class> class M, class Unit>
const EventPass& NativeModel<M, Unit>::act(double t, ConstVec y) {
  watched_.members.load_unknowns(y);
  load_watched_discrete();
  watched_is_current_ = false;
  if (watched_.members.clocks != nullptr) [[unlikely]] {
    watched_.members.clocks->begin(watched_.members, now_.memory, t, values_.numbers(),
                                   values_.outside_ticks);
  }
  if (conditions_need_equations_) {
    decide(t);
  }
  conflicts_.clear();
  acting_.due.clear();
  acting_.tie.reset();
  if (acting_.terminate) {
    acting_.terminate = false;
    acting_.reason.clear();
  }
  acting_.next_event_time = kNever;
  acting_.start = start_;
  acting_.begin(EventPass::Way::judge);
  run_events(t, acting_);
  if (!conditions_need_equations_ && !(acting_.due.empty() && equations_are_checked_)) {
    decide(t);  // for the bodies, and for the checks
  }
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
  if (acting_.due.size() == 1) {
    execute_body(t, acting_.due.front());
  } else {
    execute_bodies(t);
  }
  check_computed();
  return acting_;
}

template <template <class> class M, class Unit>
inline void NativeModel<M, Unit>::execute(double t, std::size_t call) {
  acting_.begin(EventPass::Way::act);
  acting_.chosen = call;
  run_events(t, acting_);
}

template <template <class> class M, class Unit>
inline void NativeModel<M, Unit>::execute_body(double t, std::size_t call) {
  ClockList* const clocks = watched_.members.clocks.get();
  if (clocks != nullptr) [[unlikely]] {
    clocks->before_body(watched_.members);
  }
  execute(t, call);
  if (clocks != nullptr) [[unlikely]] {
    clocks->after_body(watched_.members, acting_);
  }
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::execute_bodies(double t) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  conflicts_ = execute_together(
      watched_.members, acting_.due, [&](std::size_t call) { execute_body(t, call); },
      [&] { execute(t, kNone); });
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::tell_conflicts(double t) const {
  std::vector<std::string> names;
  for (const EventCall& call : calls_) {
    names.push_back(call.kind == EventCall::Kind::when
                        ? "'" + indicator_names_[now_.locks.size() + call.index] + "'"
                        : to_string(call));
  }
  warn_of_conflicts(experiment_, t, conflicts_, variables(), names);
}

// The equations with decisions taken afresh. What they have to assign is marked before, so that
// what they leave without a value, or use before it has one, is known. Where they decide nothing,
// that is the same as long as discrete variables are.
template <template <class> class M, class Unit>
void NativeModel<M, Unit>::decide(double t) {
  const bool is_checked = equations_are_checked_ && !conditions_need_equations_;
  if (!is_checked) {
    for (const Computed& computed : computed_) {
      *computed.place = Watched(computed.mark);
    }
  }
  const std::size_t stated = run_equations(t, scratch_.data(), true);
  if (is_checked) {
    return;
  }
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
  equations_are_checked_ = true;
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
inline void NativeModel<M, Unit>::check_unmoved(double t, ConstVec y) {
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    difference |= std::bit_cast<std::uint64_t>(watched_.members.unknowns[i]->value()) ^
                  std::bit_cast<std::uint64_t>(y[i]);
  }
  if (difference != 0) [[unlikely]] {
    look_for_moved(t, y);
  }
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::look_for_moved(double t, ConstVec y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (watched_.members.unknowns[i]->value() != y[i] && y[i] == y[i]) {
      watched_.members.load_unknowns(y);
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
  if (anything_is_due || !conditions_need_equations_) {
    watched_.members.load_unknowns(y);
    run_equations(t, scratch_.data(), true);
  }
  now_.memory = std::move(memory);
  now_.locks = std::move(locks);
  now_.path = path;
}

}  // namespace saltus::modeling
