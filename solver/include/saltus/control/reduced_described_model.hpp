// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "saltus/core/configurations.hpp"
#include "saltus/core/described_model.hpp"
#include "saltus/dae/reduced_model.hpp"

namespace saltus::modeling {

/// A described model F(t, x, x') = 0 of any index as one that can be driven: `ReducedModel` for
/// models whose variables have names. This is what an exported FMU contains of an implicit model.
///
/// In the implicit form, for `Radau` and `Bdf`, it is driven like a `ReducedModel`.
///
/// The explicit form is for integrators that know nothing of constraints, as those of FMI's Model
/// Exchange. Its unknowns are the model's states, all of them, though the constraints leave fewer
/// degrees of freedom; algebraics become variables that are computed. The slopes at any point are
/// those of the consistent point nearest to it. A method with an error of its own leaves the
/// constraints slowly and never amplifies that. `completed_step` watches how far it is off: beyond
/// what the tolerance allows it asks for an event, at which all states move to the nearest
/// consistent point. A driver that calls `project` never gets there.
///
/// In this form it has the configurations of the model that it wraps, so that
/// `SlidingDescribedModel` works on it: each configuration has algebraics of its own.
///
/// The value of an input is taken as constant where equations that contain it are differentiated.
class ReducedDescribedModel final : public DescribedModel,
                                    private Consistency,
                                    private EventHints,
                                    private Diagnosis {
 public:
  /// Of `options`, `form` says which form this one has.
  ReducedDescribedModel(std::unique_ptr<DescribedModel> model, ReductionOptions options);
  ~ReducedDescribedModel() override;

  const std::string& name() const override { return model_->name(); }
  const ModelInfo& info() const override { return model_->info(); }
  std::span<const Variable> variables() const override { return model_->variables(); }
  std::span<const std::string> part_names() const override { return model_->part_names(); }

  Shape shape() const override;
  void nominals(Vec y) const override;
  std::string unknown_name(std::size_t i) const override { return driven().unknown_name(i); }
  std::string indicator_name(std::size_t i) const override { return model_->indicator_name(i); }
  void initialize(const Experiment& experiment, Vec y) override;
  EventUpdate update_discrete_states(double t, Vec y) override;
  void enter_continuous_mode(double t, ConstVec y) override;
  void enter_event_mode(double t, ConstVec y) override;
  Eval residual(double t, ConstVec y, ConstVec yp, Vec r) override;
  Eval derivatives(double t, ConstVec y, Vec yp) override;
  Eval indicators(double t, ConstVec y, Vec z) override;
  StepVerdict completed_step(double t, ConstVec y) override;
  void terminate() override { driven().terminate(); }
  /// In the implicit form those of the `ReducedModel`; in the explicit form it projects while
  /// constraints bind states, and has configurations.
  Capabilities capabilities() override;

  /// In event mode: at the consistent point of the configuration that the values suggest.
  Eval evaluate(double t, ConstVec y) override;
  double number(std::size_t variable) const override { return model_->number(variable); }
  std::int64_t whole(std::size_t variable) const override { return model_->whole(variable); }
  std::string text(std::size_t variable) const override { return model_->text(variable); }
  std::string start_text(std::size_t variable) const override {
    return model_->start_text(variable);
  }
  /// Of the explicit form: how the consistent point that is nearest follows all that is given.
  VariableDerivatives* variable_derivatives(Knowns knowns) override;
  void set_number(std::size_t variable, double value) override;
  void set_whole(std::size_t variable, std::int64_t value) override;
  void set_text(std::size_t variable, std::string_view value) override;
  std::vector<std::byte> save() const override;
  void restore(std::span<const std::byte> saved) override;
  bool restarts_when_saved() const override { return true; }
  bool needs_completed_steps() const override { return integrated_ == nullptr; }

  const ReducedModel& reduced() const { return driven(); }
  /// The model as it was written, for who finds all its unknowns himself. It is in the
  /// configuration in force; whoever moves it puts it back.
  DescribedModel& equations() { return *model_; }

 private:
  Eval make_consistent(double t, Vec y, Vec yp) override;
  bool projects() const override;
  Eval project(double t, Vec y) override;
  ConstVec parts() const override;
  bool joins_parts(std::size_t indicator) const override;
  void hold_parts(std::span<const HeldPart> held) override;
  bool iterates_for_indicators() const override { return true; }
  IndicatorChange change(std::size_t indicator, bool was_positive) const override;
  void explain_failure(double t, ConstVec y) override;

  /// The configurations of the wrapped model, with the mode and the algebraics with which each was
  /// left.
  class SolvedConfigurations final : public Configurations {
   public:
    SolvedConfigurations(ReducedDescribedModel& owner, Configurations& reduced)
        : owner_(owner), reduced_(reduced) {}
    void expect_forks() override {
      owner_.forks_ = true;
      reduced_.expect_forks();
    }
    Slot selected() const override { return reduced_.selected(); }
    Slot fork() override;
    void select(Slot slot) override;
    void drop(Slot slot) override;
    bool may_switch_equations(std::size_t indicator) const override {
      return reduced_.may_switch_equations(indicator);
    }
    bool impose(std::span<const Imposed> conditions) override;
    bool take_over(Slot from, std::span<const std::size_t> conditions) override;
    bool nests_conditions() const override { return reduced_.nests_conditions(); }
    bool remembers_the_past() const override { return reduced_.remembers_the_past(); }

   private:
    ReducedDescribedModel& owner_;
    Configurations& reduced_;
    // Per slot that is not selected. Passes of an event go on with the unknowns that the last one
    // has determined, and those of another side have nothing to do with them.
    struct Left {
      bool in_event_mode = false;
      std::vector<double> algebraics;  // empty: those at hand are as good as any
    };
    Left& left(Slot slot);
    std::vector<Left> left_;
  };

  class SolvedDerivatives;

  ReducedModel& driven() const { return integrated_ != nullptr ? *integrated_ : *points_; }
  void load(ConstVec y);
  void load_unless_solved(double t, ConstVec y);
  bool is_solved(double t, ConstVec y) const;
  Eval solve(double t, ConstVec y);
  Eval preview(double t, ConstVec y);
  EventUpdate update_at(double t, Vec y);
  bool move_to_solution(Vec y);
  double distance(ConstVec y) const;
  void note_domains(double t);
  void outdate();
  void value_was_set();

  std::unique_ptr<DescribedModel> model_;
  std::unique_ptr<ReducedModel> points_;      // solves for single points
  std::unique_ptr<ReducedModel> integrated_;  // the implicit form, where that is wanted
  std::optional<SolvedConfigurations> configurations_;
  bool forks_ = false;  // somebody uses them
  std::size_t states_;
  bool goes_beyond_;                // the surface of an event, where that begins
  std::vector<double> x_, slopes_;  // all unknowns at the point last solved for
  std::vector<double> nominal_;     // of all unknowns
  std::vector<char> was_positive_;  // each indicator, when the phase began
  Experiment experiment_;
  bool begun_ = false;  // the first discrete update has been made
  bool in_event_mode_ = true;
  bool entered_ = false;  // the configuration in force, by `points_`
  // At an event: what the importer has of x_, to rounding. Where it gives that back, x_ stays as it
  // is: a diode's current that is zero is not to be taken for a negative one.
  std::vector<double> told_;
  bool decided_ = false;  // something has switched at this event
  // The last update at this event that left nothing to be done.
  struct Answer {
    bool given = false;
    double time = 0.0;
    std::vector<double> y;
    double next_event_time = kNever;
  } answer_;
  // The point last solved for: when, and what was given.
  double solved_time_ = kNever;
  std::vector<double> given_;
  // That was the result of a projection: good for slopes, while algebraics are to be those that
  // anybody finds who is given the same.
  bool projected_ = false;
  double seen_time_ = 0.0;  // where the run is, as far as this model has been told
  std::unique_ptr<SolvedDerivatives> derivatives_;  // those asked for last
};

}  // namespace saltus::modeling
