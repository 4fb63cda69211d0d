// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "saltus/core/directional.hpp"
#include "saltus/switching/observed_inputs.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::modeling {

/// A described model that slides: `SlidingModel` for models whose variables have names. This is
/// what an exported FMU contains.
///
/// While the motion slides, a continuous variable shows the combination of its values in all
/// configurations, with the weights of the motion: exact for whatever is affine in what switches,
/// as forces are. A discrete variable shows its value in the configuration of the largest weight.
class SlidingDescribedModel final : public DescribedModel {
 public:
  SlidingDescribedModel(std::unique_ptr<DescribedModel> model, SlidingOptions options);

  const std::string& name() const override { return model_->name(); }
  const ModelInfo& info() const override { return model_->info(); }
  std::span<const Variable> variables() const override { return model_->variables(); }
  std::span<const std::string> part_names() const override { return model_->part_names(); }

  Shape shape() const override { return sliding_.shape(); }
  void nominals(Vec y) const override { sliding_.nominals(y); }
  std::string unknown_name(std::size_t i) const override { return sliding_.unknown_name(i); }
  std::string indicator_name(std::size_t i) const override { return sliding_.indicator_name(i); }
  void initialize(const Experiment& experiment, Vec y) override;
  EventUpdate update_discrete_states(double t, Vec y) override {
    return sliding_.update_discrete_states(t, y);
  }
  void enter_continuous_mode(double t, ConstVec y) override {
    inputs_.begin_phase();
    set_.clear();
    sliding_.enter_continuous_mode(t, y);
  }
  void enter_event_mode(double t, ConstVec y) override { sliding_.enter_event_mode(t, y); }
  Eval derivatives(double t, ConstVec y, Vec yp) override {
    if (follows_inputs_ && inputs_.observe_stage(t)) {
      sliding_.outdate();
    }
    return sliding_.derivatives(t, y, yp);
  }
  Eval indicators(double t, ConstVec y, Vec z) override {
    if (follows_inputs_ && inputs_.observe(t)) {
      sliding_.outdate();
    }
    return sliding_.indicators(t, y, z);
  }
  StepVerdict completed_step(double t, ConstVec y) override {
    return sliding_.completed_step(t, y);
  }
  void terminate() override { sliding_.terminate(); }
  Capabilities capabilities() override {
    Capabilities can = sliding_.capabilities();
    can.directional = model_->capabilities().directional != nullptr ? &directions_ : nullptr;
    can.variables = this;
    return can;
  }

  Eval evaluate(double t, ConstVec y) override;
  double number(std::size_t variable) const override {
    return blended_ ? numbers_[variable] : model_->number(variable);
  }
  std::int64_t whole(std::size_t variable) const override { return model_->whole(variable); }
  std::string text(std::size_t variable) const override { return model_->text(variable); }
  std::string start_text(std::size_t variable) const override {
    return model_->start_text(variable);
  }
  /// None while the motion slides.
  VariableDerivatives* variable_derivatives(Knowns knowns) override {
    return sliding_.surfaces() > 0 ? nullptr : model_->variable_derivatives(knowns);
  }
  std::vector<VariableDependencies> dependencies() override { return model_->dependencies(); }
  void set_number(std::size_t variable, double value) override;
  void set_whole(std::size_t variable, std::int64_t value) override;
  void set_text(std::size_t variable, std::string_view value) override;
  std::vector<std::byte> save() const override;
  void restore(std::span<const std::byte> saved) override;
  bool restarts_when_saved() const override { return model_->restarts_when_saved(); }
  /// Of somebody else who drives it: what was left, and is clear of its surface, is let go there.
  bool needs_completed_steps() const override {
    return !puts_back_ || model_->needs_completed_steps();
  }

 private:
  void warn_of_sides(double t, const Variable& v, double lighter, double heavier);
  /// Those of the model, while it does not slide.
  class Directions final : public Directional {
   public:
    explicit Directions(SlidingDescribedModel& owner) : owner_(owner) {}
    bool follows_motion() const override {
      return owner_.sliding_.surfaces() == 0 && own().follows_motion();
    }
    Eval derivatives_along(double t, ConstVec y, const Direction& d, Vec rates) override {
      return own().derivatives_along(t, y, d, rates);
    }
    Eval indicators_along(double t, ConstVec y, const Direction& d, Vec rates) override {
      return own().indicators_along(t, y, d, rates);
    }
    Eval variables_along(double t, ConstVec y, const Direction& d, Vec rates) override {
      return own().variables_along(t, y, d, rates);
    }
    std::vector<double> clocks_along(double t, ConstVec y, const Direction& d) override {
      return own().clocks_along(t, y, d);
    }
    void carry(std::vector<Direction>& directions, ConstVec y) override {
      own().carry(directions, y);
      if (owner_.sliding_.surfaces() > 0) own().carry_in(owner_.sliding_.memory().slots);
    }
    std::optional<double> held(std::size_t variable) override { return owner_.held(variable); }
    void hold(std::size_t variable, double value) override { owner_.hold(variable, value); }
    bool carried() override { return own().carried(); }
    Pullback* pullback() override { return own().pullback(); }

   private:
    Directional& own() const { return *owner_.model_->capabilities().directional; }
    SlidingDescribedModel& owner_;
  };

  std::optional<double> held(std::size_t variable);
  void hold(std::size_t variable, double value);
  void begin_setting(std::size_t variable, double before);
  void end_setting(std::size_t variable, double value);

  std::unique_ptr<DescribedModel> model_;
  SlidingModel sliding_;
  Directions directions_{*this};
  // Without a driver of its own the model sees inputs move from point to point.
  ObservedInputs inputs_;
  bool follows_inputs_;
  // Numbers that were set since the phase began and have other values now than before; and whether
  // something else was set before them.
  std::map<std::size_t, double> set_;
  bool was_outdated_ = false;
  bool puts_back_;
  Experiment experiment_;       // for its warnings
  std::set<std::string> told_;  // variables that were warned of
  std::vector<double> numbers_;
  std::map<std::size_t, std::vector<double>> held_;  // by variable, configuration by configuration
  bool blended_ = false;
};

}  // namespace saltus::modeling
