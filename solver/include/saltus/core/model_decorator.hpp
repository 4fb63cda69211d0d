// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>

#include "saltus/core/model.hpp"

namespace saltus {

/// A model around a model that adds nothing yet: each function asks the wrapped one. Derive from it
/// and override what is to be different.
///
/// Of the capabilities, `configurations` is not handed on: what a decorator adds may differ from
/// one configuration to the next, and the slots of the wrapped model do not hold it. Nor are
/// the derivatives: they belong to the equations as the wrapped model writes them; nor the named
/// variables, whose values the decorator may change. Where all of
/// these are left as they are, derive from `EventDecorator`.
class ModelDecorator : public Model, public Consistency {
 public:
  /// `model` must outlive this one.
  explicit ModelDecorator(Model& model) : model_(model) {}

  Shape shape() const override { return model_.shape(); }
  void nominals(Vec y) const override { model_.nominals(y); }
  std::string unknown_name(std::size_t i) const override { return model_.unknown_name(i); }
  std::string indicator_name(std::size_t i) const override { return model_.indicator_name(i); }
  void initialize(const Experiment& experiment, Vec y) override {
    model_.initialize(experiment, y);
  }
  EventUpdate update_discrete_states(double t, Vec y) override {
    return model_.update_discrete_states(t, y);
  }
  void enter_continuous_mode(double t, ConstVec y) override { model_.enter_continuous_mode(t, y); }
  void enter_event_mode(double t, ConstVec y) override { model_.enter_event_mode(t, y); }
  Eval residual(double t, ConstVec y, ConstVec yp, Vec r) override {
    return is_explicit() ? Model::residual(t, y, yp, r) : model_.residual(t, y, yp, r);
  }
  Eval derivatives(double t, ConstVec y, Vec yp) override { return model_.derivatives(t, y, yp); }
  Eval indicators(double t, ConstVec y, Vec z) override { return model_.indicators(t, y, z); }
  StepVerdict completed_step(double t, ConstVec y) override { return model_.completed_step(t, y); }
  void terminate() override { model_.terminate(); }

  Capabilities capabilities() override {
    Capabilities can = model_.capabilities();
    can.consistency = can.consistency != nullptr ? this : nullptr;
    can.derivatives = nullptr;
    can.directional = nullptr;
    can.configurations = nullptr;
    can.variables = nullptr;
    return can;
  }

  /// What it is around.
  Model& wrapped() const { return model_; }

  /// The wrapped model moves y; the slope is that of the equations as they are here.
  Eval make_consistent(double t, Vec y, Vec yp) override {
    const Eval answer = model_.make_consistent(t, y, yp);
    return answer == Eval::ok && is_explicit() ? derivatives(t, y, yp) : answer;
  }
  bool projects() const override { return model_.projects(); }
  Eval project(double t, Vec y) override { return model_.project(t, y); }

 private:
  Model& model_;
};

/// A decorator that changes when events happen, or merely watches, and leaves the equations as they
/// are.
class EventDecorator : public ModelDecorator {
 public:
  using ModelDecorator::ModelDecorator;
  Eval residual(double t, ConstVec y, ConstVec yp, Vec r) final {
    return wrapped().residual(t, y, yp, r);
  }
  Eval derivatives(double t, ConstVec y, Vec yp) final { return wrapped().derivatives(t, y, yp); }
  Capabilities capabilities() override {
    Capabilities can = wrapped().capabilities();
    can.directional = nullptr;
    can.configurations = nullptr;
    can.variables = nullptr;
    return can;
  }
};

}  // namespace saltus
