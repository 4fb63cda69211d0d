// SPDX-License-Identifier: BSD-2-Clause
#include "dae_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "call_error.hpp"
#include "own_description.hpp"
#include "saltus/fmu_export/export_fmu.hpp"
#include "values.hpp"

// How the model is driven; `dae_variables.cpp` has its variables and what is saved.
namespace saltus::fmu_export {

using modeling::Variable;

DaeModel::DaeModel(std::unique_ptr<modeling::DescribedModel> model, Interface interface,
                   DaeForm form)
    : model_(std::move(model)),
      interface_(interface),
      variables_(model_->variables().begin(), model_->variables().end()),
      equations_(std::move(form), written().shape().states, written().shape().unknowns()) {
  switch_.position = variables_.size();
  add_variables();
}

modeling::ReducedDescribedModel& DaeModel::reduced() const {
  auto* const reduced = dynamic_cast<modeling::ReducedDescribedModel*>(model_.get());
  if (reduced == nullptr) {
    throw std::logic_error("the model " + model_->name() +
                           " had a DAE mode when its FMU was built and has none now: build the FMU "
                           "again");
  }
  return *reduced;
}

bool determines_slopes(const IndexAnalysis& analysis, const Shape& shape) {
  const CharacteristicValues& values = analysis.values;
  return values.is_regular() && values.mu == 0 && values.m == values.n &&
         static_cast<std::size_t>(values.d) == shape.states;
}

// Which equations come next is not known when the form is found.
void DaeModel::require_form() const {
  if (!switch_.on || !form().switched ||
      determines_slopes(reduced().reduced().analysis(), written().shape())) {
    return;
  }
  throw CallError(
      "after this event the equations do not determine the derivatives of all states and the "
      "algebraic variables by themselves, as FMI-LS-DAE needs it: run the FMU with dae.enabled = "
      "false");
}

void DaeModel::initialize(const Experiment& experiment, Vec y) {
  model_->initialize(experiment, y);
  begun_ = false;
  in_event_mode_ = true;
  outdate();
}

EventUpdate DaeModel::update_discrete_states(double t, Vec y) {
  const bool is_same = taken_ && t == time_ && std::equal(y.begin(), y.end(), y_.begin(), y_.end());
  const EventUpdate update = model_->update_discrete_states(t, y);
  begun_ = true;
  // One update more than needed leaves what was found, to the last digit.
  if (!is_same || update.iterate || update.states_changed) take_solution(t, y);
  return update;
}

void DaeModel::enter_continuous_mode(double t, ConstVec y) {
  model_->enter_continuous_mode(t, y);
  in_event_mode_ = false;
  require_form();
  take_solution(t, y);
}

void DaeModel::enter_event_mode(double t, ConstVec y) {
  model_->enter_event_mode(t, y);
  in_event_mode_ = true;
  outdate();
  time_ = t;
  y_.assign(y.begin(), y.end());
}

// What the model has found becomes what is set.
void DaeModel::take_solution(double t, ConstVec y) {
  outdate();
  time_ = t;
  y_.assign(y.begin(), y.end());
  if (!switch_.on || model_->evaluate(t, y) == Eval::discard) return;
  show_solution();
  const bool found = shown_;
  if (found) algebraics_ = solution_;
  outdate();
  taken_ = found;
}

// The equations at a point, with the decisions that hold there or, at an event, that the values
// suggest: on a model of its own, so that nobody sees it.
modeling::DescribedModel& DaeModel::decided(double t, ConstVec states, ConstVec algebraics) {
  if (!in_event_mode_) return written();
  if (beside_ == nullptr) {
    ExportedModel exported;
    saltus_exported_model(exported);
    beside_ = std::move(exported.model);
  }
  unknowns_.resize(written().shape().unknowns());
  equations_.unknowns(states, algebraics, unknowns_);
  beside_->restore(written().save());
  beside_->enter_continuous_mode(t, unknowns_);
  return *beside_;
}

Eval DaeModel::compute(double t, ConstVec states, Vec algebraics, bool solves) {
  DerivativeArray* const array = decided(t, states, algebraics).derivative_array();
  if (array == nullptr || array->equations() != form().levels.size()) return Eval::discard;
  if (!solves) return equations_.evaluate(*array, t, states, algebraics);
  return equations_.solve(*array, t, states, algebraics) ? Eval::ok : Eval::discard;
}

bool DaeModel::is_computed(double t, ConstVec y) const {
  return computed_ && t == time_ && std::equal(y.begin(), y.end(), y_.begin(), y_.end());
}

Eval DaeModel::place(double t, ConstVec y) {
  if (is_computed(t, y)) return Eval::ok;
  computed_ = shown_ = false;
  if (compute(t, y.first(states_.size()), algebraics_, false) == Eval::discard) {
    return Eval::discard;
  }
  time_ = t;
  y_.assign(y.begin(), y.end());
  computed_ = true;
  return Eval::ok;
}

bool DaeModel::solve(double t, ConstVec y) {
  outdate();
  return compute(t, y.first(states_.size()), algebraics_, true) == Eval::ok;
}

Eval DaeModel::derivatives(double t, ConstVec y, Vec yp) {
  if (!switch_.on) return model_->derivatives(t, y, yp);
  if (place(t, y) == Eval::discard) return Eval::discard;
  std::copy_n(equations_.slopes().begin(), states_.size(), yp.begin());
  return Eval::ok;
}

Eval DaeModel::indicators(double t, ConstVec y, Vec z) {
  if (!switch_.on) return model_->indicators(t, y, z);
  unknowns_.resize(written().shape().unknowns());
  equations_.unknowns(y, algebraics_, unknowns_);
  return written().indicators(t, unknowns_, z);
}

Eval DaeModel::evaluate(double t, ConstVec y) {
  if (!switch_.on) {
    outdate();
    time_ = t;
    y_.assign(y.begin(), y.end());
    return model_->evaluate(t, y);
  }
  if (place(t, y) == Eval::discard) return Eval::discard;
  unknowns_.resize(written().shape().unknowns());
  equations_.unknowns(y, algebraics_, unknowns_);
  return written().evaluate(t, unknowns_, equations_.slopes());
}

Capabilities DaeModel::capabilities() {
  Capabilities can = model_->capabilities();
  can.variables = this;
  return can;
}

std::unique_ptr<modeling::DescribedModel> with_dae_mode(
    std::unique_ptr<modeling::DescribedModel> model, Interface interface, const DaeForm& form) {
  if (form.empty()) return model;
  return std::make_unique<DaeModel>(std::move(model), interface, form);
}

std::unique_ptr<modeling::DescribedModel> with_dae_mode(
    std::unique_ptr<modeling::DescribedModel> model, Interface interface) {
  return with_dae_mode(std::move(model), interface, own_dae_form());
}

const DaeSwitch* dae_switch(const modeling::DescribedModel& model) {
  const auto* const dae = dynamic_cast<const DaeModel*>(&model);
  return dae == nullptr ? nullptr : &dae->dae_switch();
}

void check_differentiable(const DaeSwitch* dae, const Values& values, Reference reference) {
  if (dae != nullptr && !dae->on && reference > dae->position) {
    throw CallError(values.described(reference) +
                    " has derivatives in DAE mode alone: set dae.enabled in Configuration Mode");
  }
}

}  // namespace saltus::fmu_export
