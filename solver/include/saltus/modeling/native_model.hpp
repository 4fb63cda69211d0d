// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "saltus/autodiff/recorded.hpp"
#include "saltus/autodiff/tangent.hpp"
#include "saltus/core/described_model.hpp"
#include "saltus/modeling/bodies.hpp"
#include "saltus/modeling/decision_paths.hpp"
#include "saltus/modeling/dependencies.hpp"
#include "saltus/modeling/input_driver.hpp"
#include "saltus/modeling/inspection.hpp"
#include "saltus/modeling/member_list.hpp"
#include "saltus/modeling/model_configurations.hpp"
#include "saltus/modeling/model_values.hpp"
#include "saltus/modeling/no_event.hpp"
#include "saltus/modeling/number.hpp"
#include "saltus/modeling/passes.hpp"
#include "saltus/modeling/sizes.hpp"
#include "saltus/modeling/submodel.hpp"
#include "saltus/modeling/symbolic.hpp"
#include "saltus/modeling/transitions.hpp"
#include "saltus/modeling/units.hpp"
#include "saltus/modeling/variables.hpp"
#include "saltus/modeling/written_equations.hpp"

namespace saltus::modeling {

// In the library, once for all models.
extern template class MembersOf<Watched>;
extern template class MembersOf<Locked>;
extern template class MembersOf<Tangent>;
extern template class MembersOf<Recorded>;
extern template class MembersOf<Symbolic>;

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
/// and fetched around it, takes as long as the equations. What happens once in a configuration, or
/// once in a run, is kept out of that: it would make the code of each model half as long again.
///
/// `Unit` is for nobody to say: with it, models of the same name in unnamed namespaces of several
/// files are as different as their code, which not all compilers see by the template alone.
template <template <class> class M, class Unit = M<Locked>>
class NativeModel : public DescribedModel,
                    public Derivatives,
                    private IndicatorRates,
                    private EventHints {
 public:
  /// `driver`: what moves inputs in time, if anything does.
  explicit NativeModel(std::string name, std::unique_ptr<InputDriver> driver = nullptr)
      : name_(std::move(name)), driver_(std::move(driver)) {
    inspect_model();
    load_all();
  }
  /// `sizes`: those that are not to be the standard ones, of members that are a `Size`. Throws
  /// `std::invalid_argument` for names that are none, and for what their limits do not allow.
  NativeModel(std::string name, const Sizes& sizes, std::unique_ptr<InputDriver> driver = nullptr)
      : NativeModel(std::move(name), std::move(driver), SizeScope(sizes)) {
    check_sizes(variables(), sizes);
  }

  const std::string& name() const final { return name_; }
  const ModelInfo& info() const final { return info_; }
  std::span<const Variable> variables() const final { return watched_.members.variables; }
  Shape shape() const final { return shape_; }
  void nominals(Vec y) const final { values_.nominals(y); }
  std::string unknown_name(std::size_t i) const final { return values_.unknown_name(i); }
  std::string indicator_name(std::size_t i) const final { return indicator_names_.at(i); }
  std::span<const std::string> part_names() const final { return part_names_; }

  void initialize(const Experiment& experiment, Vec y) final;

  [[gnu::flatten]] EventUpdate update_discrete_states(double t, Vec y) final;
  void enter_continuous_mode(double, ConstVec) final {
    now_.frozen = true;
    if (discrete_is_news_) {
      reload_discrete();
    }
  }
  void enter_event_mode(double, ConstVec) final { now_.frozen = false; }

  Capabilities capabilities() override {
    return {.is_explicit = explicit_,
            .derivatives = this,
            .indicator_rates = this,
            .hints = this,
            .configurations = &configurations_,
            .variables = this};
  }

  [[gnu::flatten]] Eval residual(double t, ConstVec y, ConstVec yp, Vec r) final;
  Linearization* linearization() final { return written_everywhere(); }
  DerivativeArray* derivative_array() final { return written_everywhere(); }
  SolutionSeries* series() final;

  [[gnu::flatten]] Eval derivatives(double t, ConstVec y, Vec yp) final;
  [[gnu::flatten]] Eval indicators(double t, ConstVec y, Vec z) final;

  ConstVec parts() const final { return parts_; }
  bool joins_parts(std::size_t indicator) const final;
  void hold_parts(std::span<const HeldPart> held) final;
  bool iterates_for_indicators() const final { return shape_.algebraics > 0; }
  IndicatorChange change(std::size_t indicator, bool was_positive) const final {
    return indicator >= shape_.indicators ? IndicatorChange::unknown
           : was_positive                 ? IndicatorChange::became_false
                                          : IndicatorChange::became_true;
  }
  Eval indicator_rates(double t, ConstVec y, ConstVec v, Vec rates) final;

  Eval evaluate(double t, ConstVec y, ConstVec yp) final;
  Eval evaluate(double t, ConstVec y) final;

  VariableDerivatives* variable_derivatives(Knowns knowns) final;
  [[gnu::cold]] EquationDerivatives* equation_derivatives(Knowns knowns) final;
  std::vector<VariableDependencies> dependencies() final;

  double number(std::size_t variable) const final;
  std::int64_t whole(std::size_t variable) const final;
  std::string text(std::size_t variable) const final;
  std::string start_text(std::size_t variable) const final {
    return values_.start_text(variables()[variable]);
  }
  void set_number(std::size_t variable, double value) final;
  void set_whole(std::size_t variable, std::int64_t value) final;
  void set_text(std::size_t variable, std::string_view value) final;

  std::vector<std::byte> save() const final {
    return values_.save(now_.memory, now_.locks, start_, now_.frozen);
  }
  void restore(std::span<const std::byte> saved) final;

 protected:
  NativeModel(std::string name, std::unique_ptr<InputDriver> driver, const SizeScope&)
      : NativeModel(std::move(name), std::move(driver)) {}

  void load_watched_discrete() {
    if (!watched_is_current_) {
      values_.load_discrete(watched_.members);
      watched_is_current_ = true;
    }
  }
  void reload_discrete() {
    watched_is_current_ = false;
    equations_are_checked_ = false;
    values_.load_discrete(locked_.members);
    values_.load_discrete(moving_.members);
    written_now_ = nullptr;
    discrete_is_news_ = false;
  }
  [[gnu::noinline]] void load_all();

  // The decisions of the configuration in force, in the order of a pass.
  std::span<Lock> decisions() { return paths_.is_straight() ? now_.locks : path().locks; }
  DecisionPath& path() {
    if (now_.path == nullptr) [[unlikely]] {
      find_path();
    }
    return *now_.path;
  }
  [[gnu::cold, gnu::noinline]] void find_path() {
    now_.path = paths_.along(values_.configuration(), now_.locks, symbolic_run());
  }
  [[gnu::cold, gnu::noinline]] SymbolicRun symbolic_run();

  WrittenEquations& written() { return written_now_ != nullptr ? *written_now_ : find_written(); }
  [[gnu::noinline]] WrittenEquations& find_written();
  TapeArray* written_everywhere() {
    WrittenEquations& now = written();
    return now.hold_everywhere ? &now.equations : nullptr;
  }
  [[gnu::cold, gnu::noinline]] WrittenEquations write_down();
  [[gnu::cold, gnu::noinline]] std::vector<std::string> equation_names();
  [[gnu::cold, gnu::noinline]] void load_leaves(MembersOf<Recorded>& members,
                                                Recording& recording) const;
  [[gnu::cold, gnu::noinline]] std::vector<Recorded> record_computed(
      Recording& recording, const KnownLeaves& leaves, std::span<Lock> locks,
      const std::vector<bool>* flags, std::span<Recorded> rows = {},
      const DecisionPath* along = nullptr);

  [[gnu::cold, gnu::noinline]] DecisionPaths::Path path_with(const std::vector<bool>& flags,
                                                             std::span<const Lock> locks);

  // Those of a model that decides something: a function of its own, so that what it saves and
  // fetches is not done where there is nothing to decide.
  [[gnu::noinline, gnu::flatten]] Eval derivatives_by_decisions(double t, ConstVec y, Vec yp);
  Eval slopes_of(const Equations<Locked>& equations, Vec yp) const;

  // One run over `equations` with the decisions in force.
  template <class Real>
  void run_locked(Equations<Real>& equations);
  static Cursor replaying(std::span<Lock> locks) {
    return {.lock = locks.data(), .end = locks.data() + locks.size()};
  }
  // The whole numbers that functions which jump hold, for a pass over these members.
  // `along`: the path, where it is not that of the configuration in force.
  template <class Real>
  void hold_steps(Cursor& pass, MembersOf<Real>& members, const DecisionPath* along = nullptr);
  // Those that a pass has decided on.
  template <class Real>
  [[gnu::cold, gnu::noinline]] void take_steps(MembersOf<Real>& members,
                                               const std::vector<std::uint32_t>& order);

  // One run over `equations` that writes the indicators of its decisions, taken afresh or not.
  // Returns how many equations eq(lhs, rhs) were stated.
  template <class Real>
  std::size_t run_equations(ModelOf<M, Real>& model, const Real& time, double* z, bool deciding);
  std::size_t run_equations(double t, double* z, bool deciding) {
    return run_equations(watched_, Watched(t), z, deciding);
  }
  template <class Real>
  [[gnu::noinline]] void run_branching(ModelOf<M, Real>& model, Equations<Real>& equations,
                                       double* z, bool deciding);
  [[gnu::cold, gnu::noinline]] void order_parts();

  // The indicators where more is watched than the conditions in `events`.
  [[gnu::noinline, gnu::flatten]] Eval indicators_of_equations(double t, ConstVec y, Vec z);
  Eval watch_events(double t, Vec z);
  template <class Real>
  void run_events(ModelOf<M, Real>& model, const Real& time, EventPass& pass);
  void run_events(double t, EventPass& pass) { run_events(watched_, Watched(t), pass); }

  // When the next comparison of time changes, and the time of the last update, behind the clocks
  // that the model itself has.
  double& time_event() { return now_.memory.clock.back(); }
  double& last_time_event() { return now_.memory.clock.end()[-2]; }
  // An importer may come to an announced time a rounding early, and ask again there.
  double announced_or(double t);
  [[gnu::cold, gnu::noinline]] void restart_clocks(const Experiment& experiment);
  [[gnu::cold, gnu::noinline]] double next_comparison_of_time(double t, ConstVec y);

  const EventPass& act(double t, ConstVec y);
  void execute(double t, std::size_t call);
  void execute_body(double t, std::size_t call);
  // Of several that are due together.
  [[gnu::noinline]] void execute_bodies(double t);
  /// Before the bodies of what is due are executed, see `DifferentiableModel`.
  virtual void carry_bodies(double, ConstVec) {}
  [[gnu::cold, gnu::noinline]] void tell_conflicts(double t) const;
  [[gnu::noinline, gnu::flatten]] void decide(double t);
  void check_unmoved(double t, ConstVec y);
  [[gnu::cold, gnu::noinline]] void look_for_moved(double t, ConstVec y);
  void take_computed() {
    for (Computed& computed : computed_) {
      computed.before_bodies = computed.place->value();
    }
  }
  void check_computed() const;
  [[gnu::cold, gnu::noinline]] void check_assigned(double t, std::size_t stated) const;
  [[gnu::cold, gnu::noinline]] void check_inputs(double t) const;

  [[gnu::noinline]] void preview(double t, ConstVec y);

  [[gnu::cold, gnu::noinline]] void inspect_model();

  static ModelInfo model_info() {
    if constexpr (HasInfo<M<Locked>>) return M<Locked>::info;
    return {};
  }

  std::string name_;
  ModelInfo info_ = model_info();
  std::unique_ptr<InputDriver> driver_;
  ModelOf<M, Watched> watched_{driver_.get()};
  ModelOf<M, Locked> locked_{driver_.get()};
  ModelOf<M, Tangent> moving_{driver_.get()};
  ModelOf<M, Recorded> recorded_{driver_.get()};
  ModelValues values_{watched_.members};
  Configuration now_;
  std::vector<Lock> locks_before_;
  DecisionPaths paths_;
  ModelConfigurations configurations_{now_, values_, paths_, [this] { reload_discrete(); }};
  bool explicit_ = true;
  std::vector<std::string> equation_names_;  // of `eq(lhs, rhs)` in the first configuration
  std::vector<Locked> rows_;
  WrittenConfigurations written_;
  WrittenEquations* written_now_ = nullptr;  // of the configuration in force, once asked for
  std::vector<EventCall> calls_;             // what `events` calls, in order
  EventPass watching_{.way = EventPass::Way::watch, .memory = &now_.memory};
  EventPass acting_{.way = EventPass::Way::judge, .memory = &now_.memory, .known = &calls_};
  std::vector<Conflict> conflicts_;
  std::vector<Computed> computed_;         // what the equations have to assign
  std::vector<std::size_t> inputs_;        // continuous ones, which nothing assigns
  std::vector<std::size_t> by_equations_;  // discrete ones that the equations assign
  std::vector<std::string> indicator_names_;
  Shape shape_;
  std::vector<double> scratch_;
  StepPass step_pass_;
  std::vector<std::uint32_t> step_order_;  // where all passes meet the same functions that jump
  std::vector<Lock> taken_;                // by a pass whose decisions change their places,
  std::vector<double> met_;                // and its indicators
  bool discrete_is_news_ = false;          // to the copies that do not act
  // Whether the copy that acts has those of `values_`: not after a pass that was not taken over.
  bool watched_is_current_ = false;
  // Whether what `when` looks at may be computed by `equations`; states, inputs, parameters and
  // time are at hand.
  bool conditions_need_equations_ = true;
  bool watches_more_than_events_ = true;  // for indicators: equations, parts, time
  // Whether `decide` has seen the present discrete values.
  bool equations_are_checked_ = false;
  bool compares_time_ = false;
  std::vector<std::string> part_names_;  // of the comparisons in conditions of several,
  std::vector<double> parts_;  // the margins of which are these, where `indicators` was last asked
  std::vector<bool> joined_;   // per `when`: whether it is such a condition
  std::vector<HeldPart> held_;
  double start_ = 0.0;
  Experiment experiment_;  // for its warnings
};

}  // namespace saltus::modeling

#include "saltus/modeling/native_model_derivatives.hpp"
#include "saltus/modeling/native_model_equations.hpp"
#include "saltus/modeling/native_model_events.hpp"
#include "saltus/modeling/native_model_indicators.hpp"
#include "saltus/modeling/native_model_passes.hpp"
#include "saltus/modeling/native_model_start.hpp"
#include "saltus/modeling/native_model_variables.hpp"
