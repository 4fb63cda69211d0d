// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "saltus/modeling/described_model.hpp"
#include "saltus/modeling/enrolment.hpp"
#include "saltus/modeling/model_values.hpp"
#include "saltus/modeling/number.hpp"
#include "saltus/modeling/passes.hpp"
#include "saltus/modeling/spelled.hpp"
#include "saltus/modeling/variables.hpp"

namespace saltus::modeling {

template <class M>
concept HasInfo = requires {
  M::info;
};
template <class M, class Real>
concept HasEvents = requires(M model, Events<Real>& events) {
  model.events(events);
};

/// A model written as a class template over its scalar, as a `Model`:
///
///     template <class Real> struct Decay {
///       State<Real> x{"x", {.start = 1.0}};
///       void equations(Equations<Real>&) { der(x) = -x; }
///     };
///     NativeModel<Decay> model{"Decay"};
///
/// It holds the struct twice: over `Locked` for derivatives, over `Watched` for everything that
/// looks at conditions. `ModelValues` is the memory behind both: a pass loads from it, and only a
/// discrete update writes back, so that no evaluation leaves a trace.
template <template <class> class M>
class NativeModel final : public DescribedModel {
 public:
  explicit NativeModel(std::string name) : name_(std::move(name)) {
    count_and_name_decisions();
    load_all();
  }

  const std::string& name() const override { return name_; }
  const ModelInfo& info() const override { return info_; }
  std::span<const Variable> variables() const override { return watched_.members.variables; }
  Shape shape() const override {
    return {.states = watched_.members.states.size(),
            .algebraics = 0,
            .indicators = indicator_names_.size()};
  }
  void nominals(Vec y) const override { values_.nominals(y); }
  std::string unknown_name(std::size_t i) const override { return values_.state_name(i); }
  std::string indicator_name(std::size_t i) const override { return indicator_names_.at(i); }

  void initialize(const Experiment& experiment, Vec y) override {
    start_ = experiment.start;
    frozen_ = false;
    values_.restart();
    std::copy(values_.start_states().begin(), values_.start_states().end(), y.begin());
    memory_.held.assign(memory_.held.size(), Lock::no);
    memory_.running = false;
    load_all();
  }

  EventUpdate update_discrete_states(double t, Vec y) override {
    std::copy(locks_.begin(), locks_.end(), locks_before_.begin());
    const EventPass pass = act(t, y);
    memory_.running = true;
    EventUpdate update;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double value = watched_.members.states[i]->value();
      update.states_changed = update.states_changed || !(value == y[i]);
      y[i] = value;
    }
    const bool discrete_changed = values_.store_discrete(watched_.members);
    update.iterate =
        pass.fired || update.states_changed || discrete_changed || locks_ != locks_before_;
    update.terminate = pass.terminate;
    update.next_event_time = pass.next_event_time;
    return update;
  }
  void enter_continuous_mode(double, ConstVec) override {
    frozen_ = true;
    values_.load_discrete(locked_.members);
  }
  void enter_event_mode(double, ConstVec) override { frozen_ = false; }

  Eval derivatives(double t, ConstVec y, Vec yp) override {
    load_states(locked_.members, y);
    Equations<Locked> equations{Locked(t)};
    if (locks_.empty()) {
      locked_.model.equations(equations);
    } else {
      const CursorScope scope({.lock = locks_.data(), .end = locks_.data() + locks_.size()});
      locked_.model.equations(equations);
    }
    double residue = 0.0;  // x - x is zero unless x is infinite or not a number
    for (std::size_t i = 0; i < yp.size(); ++i) {
      yp[i] = locked_.members.derivatives[i]->value();
      residue += yp[i] - yp[i];
    }
    return residue == 0.0 ? Eval::ok : Eval::discard;
  }

  Eval indicators(double t, ConstVec y, Vec z) override {
    load_states(watched_.members, y);
    values_.load_discrete(watched_.members);
    if (conditions_need_equations_) {
      run_equations(t, z.data(), false);
    }
    watching_.z = z.data() + locks_.size();
    watching_.whens = watching_.clocks = 0;
    run_events(t, watching_);
    double sum = 0.0;  // of magnitudes, so that infinities do not cancel
    for (const double value : z) {
      sum += std::fabs(value);
    }
    return std::isnan(sum) ? Eval::discard : Eval::ok;
  }

  Eval evaluate(double t, ConstVec y) override {
    load_states(watched_.members, y);
    values_.load_discrete(watched_.members);
    if (frozen_) {
      run_equations(t, scratch_.data(), false);
    } else {
      preview(t, y);
    }
    bool finite = true;
    for (const Watched* slope : watched_.members.derivatives) {
      finite = finite && std::isfinite(slope->value());
    }
    return finite ? Eval::ok : Eval::discard;
  }

  double number(std::size_t variable) const override {
    const Variable& v = variables()[variable];
    const auto& members = watched_.members;
    return (v.role == Variable::Role::state        ? members.states
            : v.role == Variable::Role::derivative ? members.derivatives
                                                   : members.numbers)[v.index]
        ->value();
  }
  std::int64_t whole(std::size_t variable) const override {
    return ModelValues::read(watched_.members.wholes[variables()[variable].index]);
  }
  void set_number(std::size_t variable, double value) override {
    values_.set_number(variables()[variable], value);
    load_all();
  }
  void set_whole(std::size_t variable, std::int64_t value) override {
    values_.set_whole(variables()[variable], value);
    load_all();
  }

  std::vector<std::byte> save() const override {
    return values_.save(memory_, locks_, start_, frozen_);
  }
  void restore(std::span<const std::byte> saved) override {
    const auto rest = values_.restore(saved, memory_, locks_);
    start_ = rest.start;
    frozen_ = rest.frozen;
    load_all();
  }

 private:
  template <class Real>
  static void load_states(EnrolmentOf<Real>& members, ConstVec y) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      *members.states[i] = Real(y[i]);
    }
  }
  void load_all() {
    values_.load(watched_.members);
    values_.load(locked_.members);
    load_states(watched_.members, values_.start_states());
  }

  void run_equations(double t, double* z, bool deciding) {
    Equations<Watched> equations{Watched(t)};
    if (locks_.empty()) {
      watched_.model.equations(equations);
      return;
    }
    Lock* const first = locks_.data();
    const CursorScope scope(
        {.lock = first, .end = first + locks_.size(), .z = z, .deciding = deciding});
    watched_.model.equations(equations);
    check_count(static_cast<std::size_t>(cursor.lock - first), locks_.size(), "decisions");
  }

  void run_events(double t, EventPass& pass) {
    if constexpr (HasEvents<M<Watched>, Watched>) {
      Events<Watched> events(pass, t);
      const LiveScope scope;
      watched_.model.events(events);
      check_count(pass.whens, memory_.held.size(), "when() conditions");
      check_count(pass.clocks, memory_.clock.size(), "every() and at() calls");
    }
  }

  // One pass in event mode on the watched copy: decisions afresh, then whatever is due.
  EventPass act(double t, ConstVec y) {
    load_states(watched_.members, y);
    values_.load_discrete(watched_.members);
    run_equations(t, scratch_.data(), true);
    EventPass pass{.way = EventPass::Way::act,
                   .memory = &memory_,
                   .z = scratch_.data() + locks_.size(),
                   .start = start_};
    run_events(t, pass);
    return pass;
  }

  // FMI 3.0, 2.2.10: before the discrete update, getters already show what the event equations
  // yield. States are shown where they are: moving them is the update's business.
  void preview(double t, ConstVec y) {
    const EventMemory memory = memory_;
    const std::vector<Lock> locks = locks_;
    const EventPass pass = act(t, y);
    if (pass.fired) {
      load_states(watched_.members, y);
      run_equations(t, scratch_.data(), true);
    }
    memory_ = memory;
    locks_ = locks;
  }

  // The first pass ever, with the spelling scalar: how many decisions there are, and what they say.
  void count_and_name_decisions() {
    Enrolled<M, Spelled> spelled;
    declare_names(spelled.members);
    Spelling spelling;
    Equations<Spelled> equations{Spelled(info_.start, "time")};
    spelled.model.equations(equations);
    check_derivatives(spelled.members);
    locks_.assign(spelling.conditions.size(), Lock::no);
    locks_before_ = locks_;
    if constexpr (HasEvents<M<Spelled>, Spelled>) {
      EventPass pass{.way = EventPass::Way::count};
      Events<Spelled> events(pass, equations.time);
      spelling.only_when();
      spelled.model.events(events);
      memory_.held.assign(pass.whens, Lock::no);
      memory_.clock.assign(pass.clocks, kNever);
    }
    conditions_need_equations_ = !locks_.empty() || spelling.events_use_derivatives;
    for (const Variable& variable : variables()) {
      conditions_need_equations_ = conditions_need_equations_ ||
                                   variable.role == Variable::Role::output ||
                                   variable.role == Variable::Role::local ||
                                   (variable.role == Variable::Role::discrete &&
                                    variable.causality == Variable::Causality::input);
    }
    indicator_names_ = spelling.conditions;
    check_count(indicator_names_.size(), locks_.size() + memory_.held.size(), "named conditions");
    scratch_.assign(indicator_names_.size(), 0.0);
  }

  static ModelInfo model_info() {
    if constexpr (HasInfo<M<Locked>>) {
      return M<Locked>::info;
    } else {
      return {};
    }
  }

  std::string name_;
  ModelInfo info_ = model_info();
  Enrolled<M, Watched> watched_;
  Enrolled<M, Locked> locked_;
  ModelValues values_{watched_.members.variables};
  std::vector<Lock> locks_;
  std::vector<Lock> locks_before_;
  EventMemory memory_;
  EventPass watching_{.way = EventPass::Way::watch, .memory = &memory_};
  std::vector<std::string> indicator_names_;
  std::vector<double> scratch_;
  // Whether what `when` looks at may be computed by `equations`; states, inputs, parameters and
  // time are at hand.
  bool conditions_need_equations_ = true;
  double start_ = 0.0;
  bool frozen_ = false;
};

}  // namespace saltus::modeling
