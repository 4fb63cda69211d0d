// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "saltus/autodiff/recorded.hpp"
#include "saltus/autodiff/tangent.hpp"
#include "saltus/core/described_model.hpp"
#include "saltus/modeling/bodies.hpp"
#include "saltus/modeling/enrolment.hpp"
#include "saltus/modeling/model_configurations.hpp"
#include "saltus/modeling/model_values.hpp"
#include "saltus/modeling/no_event.hpp"
#include "saltus/modeling/number.hpp"
#include "saltus/modeling/passes.hpp"
#include "saltus/modeling/rehearsal.hpp"
#include "saltus/modeling/spelled.hpp"
#include "saltus/modeling/transitions.hpp"
#include "saltus/modeling/units.hpp"
#include "saltus/modeling/variables.hpp"
#include "saltus/modeling/written_equations.hpp"

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
/// It holds the struct four times: over `Locked` for derivatives and residuals, over `Watched` for
/// everything that looks at conditions, over `Tangent` for how fast they change, and over
/// `Recorded` for a pass that writes the equations of a configuration down when somebody first asks
/// for their derivatives. `ModelValues` is the memory behind all of them: a pass loads from it, and
/// only a discrete update writes back, so that no evaluation leaves a trace.
///
/// What integrators call again and again is flattened: in a small model a call, with what is saved
/// and fetched around it, takes as long as the equations.
template <template <class> class M>
class NativeModel final : public DescribedModel,
                          public Derivatives,
                          private IndicatorRates,
                          private EventHints {
 public:
  explicit NativeModel(std::string name) : name_(std::move(name)) {
    rehearse_model();
    load_all();
  }

  const std::string& name() const override { return name_; }
  const ModelInfo& info() const override { return info_; }
  std::span<const Variable> variables() const override { return watched_.members.variables; }
  Shape shape() const override { return shape_; }
  void nominals(Vec y) const override { values_.nominals(y); }
  std::string unknown_name(std::size_t i) const override { return values_.unknown_name(i); }
  std::string indicator_name(std::size_t i) const override { return indicator_names_.at(i); }
  std::span<const std::string> part_names() const override { return part_names_; }

  void initialize(const Experiment& experiment, Vec y) override {
    experiment_ = experiment;
    start_ = experiment.start;
    warn_of_units(experiment, variables());
    now_.frozen = false;
    values_.restart();
    std::copy(values_.start_unknowns().begin(), values_.start_unknowns().end(), y.begin());
    now_.memory.held.assign(now_.memory.held.size(), Lock::no);
    now_.memory.running = false;
    if (compares_time_) {
      time_event() = last_time_event() = kNever;
    }
    load_all();
  }

  [[gnu::flatten]] EventUpdate update_discrete_states(double t, Vec y) override {
    std::copy(now_.locks.begin(), now_.locks.end(), locks_before_.begin());
    t = announced_or(t);
    const EventPass& pass = act(t, y);
    if (!quarrels_.empty()) [[unlikely]] {
      warn_of_quarrels(experiment_, t, quarrels_, variables(), names_of_calls());
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
    const bool decided_anew = now_.locks != locks_before_;
    if (discrete_changed || decided_anew) {
      written_now_ = nullptr;
    }
    discrete_is_news_ = discrete_is_news_ || discrete_changed;
    update.iterate = !pass.due.empty() || update.states_changed || discrete_changed || decided_anew;
    update.terminate = pass.terminate;
    update.next_event_time = pass.next_event_time;
    if (compares_time_ && !update.iterate) {
      last_time_event() = t;
      time_event() = next_comparison_of_time(t, y);
      update.next_event_time = std::fmin(update.next_event_time, time_event());
    }
    return update;
  }
  void enter_continuous_mode(double, ConstVec) override {
    now_.frozen = true;
    if (discrete_is_news_) {
      reload_discrete();
    }
  }
  void enter_event_mode(double, ConstVec) override { now_.frozen = false; }

  Capabilities capabilities() override {
    return {.is_explicit = explicit_,
            .derivatives = this,
            .indicator_rates = this,
            .hints = this,
            .configurations = &configurations_,
            .variables = this};
  }

  // The rows are those of `der(x) = ...`, in the order of the states, then those of `eq`.
  [[gnu::flatten]] Eval residual(double t, ConstVec y, ConstVec yp, Vec r) override {
    if (explicit_) {
      return Model::residual(t, y, yp, r);
    }
    load_unknowns(locked_.members, y);
    load_slopes(locked_.members, yp);
    const WrittenEquations& now = written();
    rows_.resize(now.equations.equations() - now.assigned.size());
    Equations<Locked> equations(Locked(t), rows_);
    run_locked(equations);
    check_count(equations.count(), rows_.size(), "equations");
    double residue = 0.0;  // x - x is zero unless x is infinite or not a number
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
    return residue == 0.0 ? Eval::ok : Eval::discard;
  }
  Linearization* linearization() override { return written_everywhere(); }
  DerivativeArray* derivative_array() override { return written_everywhere(); }
  SolutionSeries* series() override {
    if (!explicit_ || written_everywhere() == nullptr) {
      return nullptr;
    }
    WrittenEquations& now = written();
    if (now.series == nullptr) {
      now.series = explicit_series(now.equations);
    }
    return now.series.get();
  }

  [[gnu::flatten]] Eval derivatives(double t, ConstVec y, Vec yp) override {
    load_unknowns(locked_.members, y);
    Equations<Locked> equations{Locked(t)};
    run_locked(equations);
    if (equations.count() != 0) [[unlikely]] {
      implicit_configuration(name_);
    }
    double residue = 0.0;  // x - x is zero unless x is infinite or not a number
    for (std::size_t i = 0; i < yp.size(); ++i) {
      const double slope = locked_.members.derivatives[i]->value();
      yp[i] = slope;
      residue += slope - slope;
    }
    return residue == 0.0 ? Eval::ok : Eval::discard;
  }

  // At an announced time the indicators are those just before it: what changes there is no state
  // event.
  [[gnu::flatten]] Eval indicators(double t, ConstVec y, Vec z) override {
    if (compares_time_ && t == time_event()) {
      t = std::nextafter(t, -kNever);
    }
    std::optional<PartScope> scope;
    if (!part_names_.empty()) {
      scope.emplace(parts_);
    }
    load_unknowns(watched_.members, y);
    values_.load_discrete(watched_.members);
    if (conditions_need_equations_) {
      run_equations(t, z.data(), false);
    }
    watching_.z = z.data() + now_.locks.size();
    watching_.begin(EventPass::Way::watch);
    run_events(t, watching_);
    return has_nan(z) ? Eval::discard : Eval::ok;
  }

  ConstVec parts() const override { return parts_; }
  bool iterates_for_indicators() const override { return shape_.algebraics > 0; }
  Eval indicator_rates(double t, ConstVec y, ConstVec v, Vec rates) override {
    for (std::size_t i = 0; i < y.size(); ++i) {
      *moving_.members.unknowns[i] = Tangent(y[i], v[i]);
    }
    const Tangent time(t, 1.0);
    run_equations(moving_.model, time, rates.data(), false);
    watching_.z = rates.data() + now_.locks.size();
    watching_.begin(EventPass::Way::watch);
    run_events(moving_.model, time, watching_);
    return has_nan(rates) ? Eval::discard : Eval::ok;
  }

  Eval evaluate(double t, ConstVec y, ConstVec yp) override {
    load_slopes(watched_.members, yp);
    return evaluate(t, y);
  }
  Eval evaluate(double t, ConstVec y) override {
    load_unknowns(watched_.members, y);
    values_.load_discrete(watched_.members);
    if (now_.frozen) {
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
            : v.role == Variable::Role::algebraic  ? members.algebraics
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
    return values_.save(now_.memory, now_.locks, start_, now_.frozen);
  }
  void restore(std::span<const std::byte> saved) override {
    const auto rest = values_.restore(saved, now_.memory, now_.locks);
    start_ = rest.start;
    now_.frozen = rest.frozen;
    load_all();
  }

 private:
  template <class Real>
  static void load_unknowns(EnrolmentOf<Real>& members, ConstVec y) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      *members.unknowns[i] = Real(y[i]);
    }
  }
  template <class Real>
  static void load_slopes(EnrolmentOf<Real>& members, ConstVec yp) {
    for (std::size_t i = 0; i < members.derivatives.size(); ++i) {
      *members.derivatives[i] = Real(yp[i]);
    }
  }
  void reload_discrete() {
    values_.load_discrete(locked_.members);
    values_.load_discrete(moving_.members);
    written_now_ = nullptr;
    discrete_is_news_ = false;
  }
  void load_all() {
    values_.load(watched_.members);
    values_.load(locked_.members);
    values_.load(moving_.members);
    load_unknowns(watched_.members, values_.start_unknowns());
    written_now_ = nullptr;
  }

  // The equations of the configuration in force, with the present parameters.
  WrittenEquations& written() {
    if (written_now_ == nullptr) {
      written_now_ = written_.find(now_.locks, values_.wholes());
      if (written_now_ == nullptr) {
        written_now_ = &written_.add(now_.locks, values_.wholes(), write_down());
      }
      written_now_->equations.set_numbers(values_.numbers());
    }
    return *written_now_;
  }
  TapeArray* written_everywhere() {
    WrittenEquations& now = written();
    return now.hold_everywhere ? &now.equations : nullptr;
  }
  // One pass with the recording scalar.
  WrittenEquations write_down() {
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
      const CursorScope scope(
          {.lock = now_.locks.data(), .end = now_.locks.data() + now_.locks.size()});
      recorded_.model.equations(equations);
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
    names.insert(names.end(), stated.begin(), stated.end());
    return {.equations = TapeArray(std::move(tape), shape().unknowns(), std::move(names)),
            .assigned = std::move(assigned),
            .hold_everywhere = hold_everywhere};
  }
  // What `eq` states in the configuration in force: another one may have other equations.
  std::vector<std::string> equation_names() {
    if (now_.locks.empty() && values_.wholes().empty()) {
      return equation_names_;
    }
    Enrolled<M, Spelled> spelled;
    declare_names(spelled.members);
    values_.load(spelled.members);
    const Spelling spelling;
    Equations<Spelled> equations{Spelled::time(start_)};
    const CursorScope scope(
        {.lock = now_.locks.data(), .end = now_.locks.data() + now_.locks.size()});
    spelled.model.equations(equations);
    return spelling.equations;
  }
  void load_leaves(EnrolmentOf<Recorded>& members, Recording& recording) const {
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

  template <class Real>
  void run_locked(Equations<Real>& equations) {
    if (now_.locks.empty()) {
      locked_.model.equations(equations);
    } else {
      const CursorScope scope(
          {.lock = now_.locks.data(), .end = now_.locks.data() + now_.locks.size()});
      locked_.model.equations(equations);
    }
  }

  static bool has_nan(ConstVec values) {
    double sum = 0.0;  // of magnitudes, so that infinities do not cancel
    for (const double value : values) {
      sum += std::fabs(value);
    }
    return std::isnan(sum);
  }

  // Returns how many equations eq(lhs, rhs) were stated.
  std::size_t run_equations(double t, double* z, bool deciding) {
    return run_equations(watched_.model, Watched(t), z, deciding);
  }
  template <class Real>
  std::size_t run_equations(M<Real>& model, const Real& time, double* z, bool deciding) {
    Equations<Real> equations{time};
    if (now_.locks.empty()) {
      model.equations(equations);
      return equations.count();
    }
    Lock* const first = now_.locks.data();
    const CursorScope scope(
        {.lock = first, .end = first + now_.locks.size(), .z = z, .deciding = deciding});
    model.equations(equations);
    check_count(static_cast<std::size_t>(cursor.lock - first), now_.locks.size(), "decisions");
    return equations.count();
  }

  void run_events(double t, EventPass& pass) { run_events(watched_.model, Watched(t), pass); }
  template <class Real>
  void run_events(M<Real>& model, const Real& time, EventPass& pass) {
    if constexpr (HasEvents<M<Real>, Real>) {
      Events<Real> events(pass, time);
      const LiveScope scope;
      model.events(events);
      pass.end();
      check_count(pass.whens, now_.memory.held.size(), "when() conditions");
    }
  }

  // When the next comparison of time changes, and the time of the last update, behind the clocks
  // that the model itself has.
  double& time_event() { return now_.memory.clock.back(); }
  double& last_time_event() { return now_.memory.clock.end()[-2]; }
  // An importer may come to an announced time a rounding early, and ask again there.
  double announced_or(double t) {
    if (compares_time_) {
      for (const double announced : {last_time_event(), time_event()}) {
        if (t < announced && has_come(t, announced)) {
          return announced;
        }
      }
    }
    return t;
  }
  double next_comparison_of_time(double t, ConstVec y) {
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
      run_equations(moving_.model, now, scratch_.data(), false);
      watching_.z = scratch_.data() + now_.locks.size();
      watching_.begin(EventPass::Way::watch);
      run_events(moving_.model, now, watching_);
    });
  }

  // One pass in event mode on the watched copy: decisions afresh, then the bodies of whatever is
  // due there.
  const EventPass& act(double t, ConstVec y) {
    load_unknowns(watched_.members, y);
    values_.load_discrete(watched_.members);
    decide(t);
    quarrels_.clear();
    acting_.due.clear();
    acting_.tie.reset();
    acting_.terminate = false;
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
    take_computed();
    const auto execute = [&](std::size_t call) {
      acting_.begin(EventPass::Way::act);
      acting_.chosen = call;
      run_events(t, acting_);
    };
    if (acting_.due.size() == 1) {
      execute(acting_.due.front());
    } else {
      constexpr std::size_t kNone = static_cast<std::size_t>(-1);
      quarrels_ = execute_together(watched_.members, acting_.due, execute, [&] { execute(kNone); });
    }
    check_computed();
    return acting_;
  }
  std::vector<std::string> names_of_calls() const {
    std::vector<std::string> names;
    for (const EventCall& call : calls_) {
      names.push_back(call.kind == EventCall::Kind::when
                          ? "'" + indicator_names_[now_.locks.size() + call.index] + "'"
                          : text(call));
    }
    return names;
  }
  // The equations with decisions taken afresh. What they have to assign is marked before, so that
  // what they leave without a value, or use before it has one, is known.
  void decide(double t) {
    for (const Computed& computed : computed_) {
      *computed.place = Watched(unassigned(computed.variable));
    }
    const std::size_t stated = run_equations(t, scratch_.data(), true);
    double mark = 0.0;
    for (const Computed& computed : computed_) {
      const double value = computed.place->value();
      mark = is_unassigned(value) ? value : mark;
    }
    for (std::size_t i = 0; i < now_.locks.size(); ++i) {
      mark = is_unassigned(scratch_[i]) ? scratch_[i] : mark;
    }
    if (is_unassigned(mark)) [[unlikely]] {
      if (explicit_ && stated != 0) {
        implicit_configuration(name_);
      }
      const Variable& culprit = variables()[unassigned_variable(mark)];
      const auto& family = culprit.role == Variable::Role::derivative ? watched_.members.derivatives
                                                                      : watched_.members.numbers;
      throw_unassigned(culprit.name, t, is_unassigned(family[culprit.index]->value()));
    }
  }
  // Before any body was executed the unknowns are where they were.
  void check_unmoved(double t, ConstVec y) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (watched_.members.unknowns[i]->value() != y[i] && y[i] == y[i]) [[unlikely]] {
        load_unknowns(watched_.members, y);
        run_equations(t, scratch_.data(), false);
        throw_moved(values_.unknown_name(i), t, watched_.members.unknowns[i]->value() != y[i]);
      }
    }
  }
  void take_computed() {
    for (Computed& computed : computed_) {
      computed.before_bodies = computed.place->value();
    }
  }
  void check_computed() const {
    for (const Computed& computed : computed_) {
      if (computed.place->value() != computed.before_bodies &&
          computed.before_bodies == computed.before_bodies) [[unlikely]] {
        throw_assigned_in_body(variables()[computed.variable].name);
      }
    }
  }

  // FMI 3.0, 2.2.10: before the discrete update, getters already show what the event equations
  // yield. States are shown where they are: moving them is the update's business.
  void preview(double t, ConstVec y) {
    t = announced_or(t);
    const EventMemory memory = now_.memory;
    const std::vector<Lock> locks = now_.locks;
    if (!act(t, y).due.empty()) {
      load_unknowns(watched_.members, y);
      run_equations(t, scratch_.data(), true);
    }
    now_.memory = memory;
    now_.locks = locks;
  }

  // The first passes ever, with the spelling scalar: how many decisions there are, what they say,
  // and whether the model can mean what it says.
  void rehearse_model() {
    Enrolled<M, Spelled> spelled;
    SpelledModel rehearsed{
        .members = spelled.members,
        .equations = [&](Equations<Spelled>& eq) { spelled.model.equations(eq); },
        .events = {}};
    if constexpr (HasEvents<M<Spelled>, Spelled>) {
      rehearsed.events = [&](Events<Spelled>& ev) { spelled.model.events(ev); };
    }
    FirstPasses first = rehearse(rehearsed, info_);
    now_.locks.assign(first.decisions, Lock::no);
    locks_before_ = now_.locks;
    now_.memory.held.assign(first.whens, Lock::no);
    compares_time_ = first.compares_time;
    now_.memory.clock.assign(first.clocks + (compares_time_ ? 2 : 0), kNever);
    part_names_ = std::move(first.parts);
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
        computed_.push_back({watched_.members.numbers[variable.index], i});
      } else if (variable.role == Variable::Role::derivative && explicit_) {
        computed_.push_back({watched_.members.derivatives[variable.index], i});
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
  Enrolled<M, Tangent> moving_;
  Enrolled<M, Recorded> recorded_;
  ModelValues values_{watched_.members.variables};
  Configuration now_;
  std::vector<Lock> locks_before_;
  ModelConfigurations configurations_{now_, values_, [this] { reload_discrete(); }};
  bool explicit_ = true;
  std::vector<std::string> equation_names_;  // of `eq(lhs, rhs)` in the first configuration
  std::vector<Locked> rows_;
  WrittenConfigurations written_;
  WrittenEquations* written_now_ = nullptr;  // of the configuration in force, once asked for
  std::vector<EventCall> calls_;             // what `events` calls, in order
  EventPass watching_{.way = EventPass::Way::watch, .memory = &now_.memory};
  EventPass acting_{.way = EventPass::Way::judge, .memory = &now_.memory, .known = &calls_};
  std::vector<Quarrel> quarrels_;
  struct Computed {
    Watched* place;
    std::size_t variable;
    double before_bodies = 0.0;
  };
  std::vector<Computed> computed_;  // what the equations have to assign
  std::vector<std::string> indicator_names_;
  Shape shape_;
  std::vector<double> scratch_;
  bool discrete_is_news_ = false;  // to the copies that do not act
  // Whether what `when` looks at may be computed by `equations`; states, inputs, parameters and
  // time are at hand.
  bool conditions_need_equations_ = true;
  bool compares_time_ = false;
  std::vector<std::string> part_names_;  // of the comparisons in conditions of several,
  std::vector<double> parts_;  // the margins of which are these, where `indicators` was last asked
  double start_ = 0.0;
  Experiment experiment_;  // for its warnings
};

}  // namespace saltus::modeling
