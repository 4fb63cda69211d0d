// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "saltus/core/directional.hpp"
#include "saltus/core/variations.hpp"

namespace saltus::modeling {

class NearEvents;
class StartSides;
class TouchWatch;

/// A model together with how its solution changes with parameters and start values: the unknowns
/// are y and behind it s = dy/dp for each of them, and each number has a variable `d(x)/d(p)`
/// beside it.
///
/// Between events s follows the variational equations s' = f_y s + f_p. Where an event is, its time
/// depends on p as well, and so does what it does:
///
/// 1. the event is at z(t, y, p) = 0, hence dt/dp = -(z_y s + z_p) / (z_y f + z_t) with the slope f
///    before it; a clock tells how its instant depends on p;
/// 2. the unknowns at that moving instant change by s + f dt/dp;
/// 3. the bodies of the event take that along, with their own dependence on time, unknowns and p;
/// 4. what is left after them, less f dt/dp with the slope after the event, is the new s.
///
/// (Galán, Feehery, Barton: Parametric sensitivity functions for hybrid discrete/continuous
/// systems, Appl. Numer. Math. 31, 1999; the order of the steps spares a formula for each kind of
/// event.) A change of configuration without bodies is the case in which the third step does
/// nothing, and entering and leaving a sliding motion are such changes. Where a run starts on the
/// surface on which it slides, s is projected as the motion is.
///
/// Native models of explicit equations are differentiated exactly, FMUs by `Directional` of the
/// importer. So are implicit equations, F_y s + F_y' s' + F_p = 0, between events; at events, and
/// while a motion slides, central differences are taken. `Variations` tell integrators which parts
/// of the unknowns are derivatives of which: `Radau` factorises the matrices of the model alone.
/// Where the derivatives do not exist, or cannot be had, they are not a number from there on, and a
/// warning says why: where the motion touches a surface, or all but touches it, where it starts on
/// one whose sides differ, where two events of different dependence coincide, conditions or clocks,
/// where an event coincides with the end of the run, and after jumps of implicit equations.
/// Where such events are nearer to each other than the tolerance tells, a warning says that alone.
class SensitivityModel final : public DescribedModel,
                               private Consistency,
                               private Derivatives,
                               private EventHints,
                               private IndicatorRates {
 public:
  /// Whether s takes part in the control of errors. If it does not, steps are those that the model
  /// alone would get, and s is the derivative of what these have computed: as a rule as accurate as
  /// that, but not where a solution rests, or is simpler than how it depends on parameters.
  enum class Accuracy { controlled, of_the_steps };

  /// `parameters` are names of real parameters, or of states, whose start values are meant then;
  /// `start(x)` is another name for x. Throws `std::invalid_argument` for others.
  SensitivityModel(std::unique_ptr<DescribedModel> model, std::vector<std::string> parameters,
                   Accuracy accuracy = Accuracy::controlled);
  ~SensitivityModel() override;

  const std::string& name() const override { return model_->name(); }
  const ModelInfo& info() const override { return model_->info(); }
  std::span<const Variable> variables() const override { return variables_; }
  std::span<const std::string> part_names() const override { return model_->part_names(); }

  Shape shape() const override;
  void nominals(Vec y) const override;
  std::string unknown_name(std::size_t i) const override;
  std::string indicator_name(std::size_t i) const override { return model_->indicator_name(i); }
  void initialize(const Experiment& experiment, Vec y) override;
  EventUpdate update_discrete_states(double t, Vec y) override;
  void enter_continuous_mode(double t, ConstVec y) override;
  void enter_event_mode(double t, ConstVec y) override;
  Eval derivatives(double t, ConstVec y, Vec yp) override;
  Eval residual(double t, ConstVec y, ConstVec yp, Vec r) override;
  Eval indicators(double t, ConstVec y, Vec z) override;
  StepVerdict completed_step(double t, ConstVec y) override;
  void terminate() override { model_->terminate(); }
  Capabilities capabilities() override;

  Eval evaluate(double t, ConstVec y) override;
  double number(std::size_t variable) const override;
  std::int64_t whole(std::size_t variable) const override { return model_->whole(variable); }
  std::string text(std::size_t variable) const override;
  std::string start_text(std::size_t variable) const override;
  void set_number(std::size_t variable, double value) override;
  void set_whole(std::size_t variable, std::int64_t value) override;
  void set_text(std::size_t variable, std::string_view value) override;
  std::vector<std::byte> save() const override;
  void restore(std::span<const std::byte> saved) override;
  bool restarts_when_saved() const override { return model_->restarts_when_saved(); }
  bool needs_completed_steps() const override { return model_->needs_completed_steps(); }

  /// As they were given.
  const std::vector<std::string>& parameters() const { return names_; }
  /// How the time of the last event changes with each of them.
  std::vector<double> event_time_rates() const;
  const DescribedModel& wrapped() const { return *model_; }

 private:
  struct Parameter {
    std::size_t variable = 0;  // of the wrapped model
    bool is_start = false;     // the start value of a state
    double size = 1.0;         // for scales and differences
  };

  Eval make_consistent(double t, Vec y, Vec yp) override;
  bool projects() const override { return model_->projects(); }
  Eval project(double t, Vec y) override { return model_->project(t, y.first(states_)); }
  Variations* variations() override { return has_parts() ? &parts_ : nullptr; }
  bool has_parts() const;

  /// The unknowns of the wrapped model and their derivatives.
  class Parts final : public Variations {
   public:
    explicit Parts(SensitivityModel& owner) : owner_(owner) {}
    Model& equations() override { return *owner_.model_; }
    std::size_t parameters() const override { return owner_.names_.size(); }
    Linearization* linearization() override { return owner_.linearization_of_parts(); }

   private:
    SensitivityModel& owner_;
  };
  Linearization* linearization_of_parts();
  ConstVec parts() const override;
  double next_kink(double t) const override;
  bool iterates_for_indicators() const override;
  IndicatorChange change(std::size_t indicator, bool was_positive) const override;
  Eval indicator_rates(double t, ConstVec y, ConstVec v, Vec rates) override;

  // What differentiates the motion exactly; null: nobody does.
  Directional* exact() const;
  void find_parameters();
  void describe();
  std::vector<double> read(ConstVec y, std::size_t k) const;
  Direction direction(ConstVec y, std::size_t k) const;
  const Direction& moving(ConstVec y, std::size_t k);
  void begin_directions(const Experiment& experiment);
  void find_start(const Experiment& experiment, std::size_t k);
  struct StartPoint {
    std::vector<double> unknowns, discrete;
  };
  StartPoint start_point(const Experiment& experiment);
  std::optional<StartPoint> moved_start(const Experiment& experiment,
                                        const std::vector<std::size_t>& moved);
  void follow_onto_surfaces(double t, ConstVec y);
  std::vector<std::size_t> changed_indicators(double t, ConstVec y);
  std::vector<double> discrete_numbers() const;
  void check_held(double t, const std::vector<double>& before);
  void check_jump(double t, ConstVec before, ConstVec after);
  void find_moved(double t, ConstVec y);
  bool has_unknown_clock(double t, ConstVec y, const std::vector<std::size_t>& changed);
  struct Crossing {
    const std::vector<std::size_t>& changed;  // indicators
    double before = 0.0;                      // how the time of the last event moves
  };
  void find_crossing(double t, ConstVec y, std::size_t k, const Direction& along,
                     const Crossing& met);
  void find_clocks(double t, const std::vector<double>& rates, std::size_t k,
                   const std::vector<std::size_t>& changed);
  void compare_with_last(double t, ConstVec y, const std::vector<std::size_t>& changed,
                         const std::vector<double>& before);
  double moved_by(double t, ConstVec y, std::size_t indicator, const Direction& along);
  void ask_for_loss(double t);
  void check_start(double t, bool slides);
  void check_stop(double t, const std::vector<std::size_t>& changed);

  // Of implicit equations.
  Eval slopes(double t, ConstVec y, Vec slope);
  Eval solved(double t, Vec y);
  void enter_phase(double t, ConstVec y);
  Eval follow_states(double t, Vec y, Vec yp);
  void follow_values(double t, ConstVec y);
  std::size_t unknown_of(const Variable& v) const;

  void lose(double t, const std::string& subject, const std::string& why);

  // Exactly where the model can, else by differences of what `read` finds.
  Eval slopes_along(double t, ConstVec y, const Direction& along, Vec rates);
  Eval indicators_along(double t, ConstVec y, const Direction& along, Vec rates);
  Eval values_along(double t, ConstVec y, const Direction& along, Vec rates);
  using Read = std::function<Eval(double t, ConstVec y, Vec values)>;
  Eval difference(double t, ConstVec y, const Direction& along, Vec rates, const Read& read);

  std::unique_ptr<DescribedModel> model_;
  std::vector<std::string> names_;
  Accuracy accuracy_;
  std::vector<Parameter> parameters_;
  std::vector<Variable> variables_;
  bool implicit_ = false;
  std::size_t states_ = 0;  // unknowns of the wrapped model, in the phase in force
  std::vector<double> nominals_;
  // Variables of the wrapped model that have derivatives here, in their order; and these.
  std::vector<std::size_t> sources_;
  std::vector<double> values_;
  bool computes_ = false;  // some of them are neither unknowns nor discrete

  Experiment experiment_;
  std::vector<Direction> directions_;       // unknowns only during an event
  std::vector<Direction> moving_;           // the same between events
  std::vector<std::vector<double>> after_;  // what s has beyond the unknowns, in this phase
  std::vector<double> moved_;               // the time of the event, for each parameter
  std::vector<char> side_;                  // of the indicators when the phase began
  std::vector<double> slope_before_;
  Parts parts_{*this};
  std::unique_ptr<Linearization> own_parts_;  // of explicit equations, once asked for in this phase
  // Of implicit equations: s where a phase begins, until it is made consistent, and the states
  // where the event found them.
  std::vector<std::vector<double>> pending_;
  std::vector<double> before_event_;
  std::vector<std::size_t> positions_;  // of the parameters
  std::vector<double> by_value_, by_slope_;
  std::unique_ptr<TouchWatch> watch_;  // surfaces that are touched
  std::unique_ptr<NearEvents> near_;   // events that all but meet
  std::unique_ptr<StartSides> sides_;  // surfaces on which the run starts
  double next_event_ = kNever;         // announced
  double phase_begin_ = -kNever;
  bool at_given_time_ = false;  // the present event, and nobody knows how that depends on p
  bool lifted_ = false;         // the present event has begun in `directions_`
  bool initial_ = true;
  bool starts_sliding_ = false;
  bool lost_ = false;      // nothing is known any more
  bool in_phase_ = false;  // and not at an event
};

}  // namespace saltus::modeling
