// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <vector>

#include "dae_equations.hpp"
#include "dae_mode.hpp"
#include "saltus/control/reduced_described_model.hpp"

namespace saltus::fmu_export {

/// Whether equations of index 1 give, for given states, their derivatives and all other unknowns:
/// what a form needs that does not know its equations in advance.
bool determines_slopes(const IndexAnalysis& analysis, const Shape& shape);

/// An implicit model that can be driven in two ways, as FMI-LS-DAE wants it. With the switch off it
/// is the explicit one that it wraps, which solves for its algebraics at each point. With the
/// switch on whoever drives it gives the algebraics, too, and solves the residuals.
///
/// At events both are the same: a discrete update ends with a consistent solve, and leaves its
/// algebraics to be read. In between everything is computed from the algebraics as they were set.
///
/// Its variables are those of the model; behind them come the switch, derivatives that are
/// algebraics of the form, residuals, and invariants.
class DaeModel final : public modeling::DescribedModel {
 public:
  DaeModel(std::unique_ptr<modeling::DescribedModel> model, Interface interface, DaeForm form);

  const DaeSwitch& dae_switch() const { return switch_; }
  const DaeForm& form() const { return equations_.form(); }
  /// The positions among the variables.
  std::size_t algebraic(std::size_t i) const { return places_[i]; }
  std::size_t residual(std::size_t i) const { return first_residual_ + i; }
  std::size_t invariant(std::size_t i) const {
    return first_residual_ + form().residuals.size() + i;
  }

  /// In DAE mode: moves the algebraics to where the residuals vanish. False: none was found.
  bool solve(double t, ConstVec y);

  const std::string& name() const override { return model_->name(); }
  const modeling::ModelInfo& info() const override { return model_->info(); }
  std::span<const modeling::Variable> variables() const override { return variables_; }
  std::span<const std::string> part_names() const override { return model_->part_names(); }

  Shape shape() const override { return model_->shape(); }
  void nominals(Vec y) const override { model_->nominals(y); }
  std::string unknown_name(std::size_t i) const override { return model_->unknown_name(i); }
  std::string indicator_name(std::size_t i) const override { return model_->indicator_name(i); }
  void initialize(const Experiment& experiment, Vec y) override;
  EventUpdate update_discrete_states(double t, Vec y) override;
  void enter_continuous_mode(double t, ConstVec y) override;
  void enter_event_mode(double t, ConstVec y) override;
  Eval residual(double t, ConstVec y, ConstVec yp, Vec r) override {
    return model_->residual(t, y, yp, r);
  }
  Eval derivatives(double t, ConstVec y, Vec yp) override;
  Eval indicators(double t, ConstVec y, Vec z) override;
  StepVerdict completed_step(double t, ConstVec y) override { return model_->completed_step(t, y); }
  void terminate() override { model_->terminate(); }
  Capabilities capabilities() override;

  Eval evaluate(double t, ConstVec y) override;
  double number(std::size_t variable) const override;
  std::int64_t whole(std::size_t variable) const override;
  std::string text(std::size_t variable) const override { return model_->text(variable); }
  std::string start_text(std::size_t variable) const override {
    return model_->start_text(variable);
  }
  /// In DAE mode derivatives are partial ones, and the model knows total ones.
  VariableDerivatives* variable_derivatives(Knowns knowns) override {
    return switch_.on ? nullptr : model_->variable_derivatives(knowns);
  }
  std::vector<VariableDependencies> dependencies() override { return model_->dependencies(); }
  void set_number(std::size_t variable, double value) override;
  void set_whole(std::size_t variable, std::int64_t value) override;
  void set_text(std::size_t variable, std::string_view value) override;
  std::vector<std::byte> save() const override;
  void restore(std::span<const std::byte> saved) override;
  bool restarts_when_saved() const override { return model_->restarts_when_saved(); }
  bool needs_completed_steps() const override { return model_->needs_completed_steps(); }

 private:
  void add_variables();
  modeling::ReducedDescribedModel& reduced() const;
  modeling::DescribedModel& written() const { return reduced().equations(); }
  void require_form() const;
  std::size_t own() const { return switch_.position; }
  modeling::DescribedModel& decided(double t, ConstVec states, ConstVec algebraics);
  Eval compute(double t, ConstVec states, Vec algebraics, bool solves);
  bool is_computed(double t, ConstVec y) const;
  Eval place(double t, ConstVec y);
  void show_solution() const;
  void take_solution(double t, ConstVec y);
  void outdate() { computed_ = shown_ = taken_ = false; }

  std::unique_ptr<modeling::DescribedModel> model_;
  std::unique_ptr<modeling::DescribedModel> beside_;
  Interface interface_;
  DaeSwitch switch_;
  bool enabled_ = false;  // what the switch says, in all interfaces
  std::vector<modeling::Variable> variables_;
  std::vector<std::size_t> states_;  // positions
  std::vector<std::size_t> slopes_;  // positions of their derivatives
  std::vector<std::size_t> places_;  // positions of the algebraics
  std::vector<int> algebraic_at_;    // and back
  std::size_t first_residual_ = 0;

  mutable DaeEquations equations_;
  std::vector<double> algebraics_;  // as they were set, or found at an event
  bool begun_ = false;              // the first discrete update has been made
  bool in_event_mode_ = true;
  bool taken_ = false;  // found at this event, and nothing was set since
  // The point that was asked for last, and whether the equations were evaluated there in DAE mode.
  bool computed_ = false;
  double time_ = 0.0;
  std::vector<double> y_;
  std::vector<double> unknowns_;
  // With the switch off, once somebody asks: the algebraics, of which the equations then show the
  // residuals.
  mutable bool shown_ = false;
  mutable std::vector<double> solution_;
};

}  // namespace saltus::fmu_export
