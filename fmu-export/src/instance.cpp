// SPDX-License-Identifier: BSD-2-Clause
#include "instance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "call_error.hpp"
#include "elements.hpp"
#include "exported.hpp"
#include "implicit_equations.hpp"

namespace saltus::fmu_export {

bool same_time(double a, double b) {
  constexpr double kFewRoundings = 8.0 * std::numeric_limits<double>::epsilon();
  return std::fabs(a - b) <= kFewRoundings * std::fmax(std::fabs(a), std::fabs(b));
}

Instance::Instance(Interface interface, Log log, const Dialect& dialect)
    : interface_(interface),
      log_(std::move(log)),
      dialect_(&dialect),
      warnings_(std::make_shared<Warnings>()),
      importer_ticks_(dialect.of(modeling::Variable::Type::clock).served_by ==
                      modeling::Variable::Type::clock) {
  warnings_->listen(
      [this](const Warning& warning) { log_.write(LogCategory::warning, to_string(warning)); });
  begin_anew();
}
Instance::~Instance() { warnings_->listen({}); }

void Instance::adopt(const Experiment& experiment) {
  experiment_ = experiment;
  experiment_.warnings = warnings_;
  experiment_.outside_ticks = has_clocks_ && importer_ticks_;
}

void Instance::let_importer_tick(bool it_does) {
  importer_ticks_ = it_does;
  experiment_.outside_ticks = has_clocks_ && it_does;
}

// A model made anew has all its defaults back, whatever happened to the one before.
void Instance::begin_anew() {
  ExportedModel exported = exported_model(interface_);
  model_ = std::move(exported.model);
  is_implicit_ = exported.is_implicit;
  may_slide_ = exported.may_slide;
  dae_switch_ = dae_switch(*model_);
  has_clocks_ = finds_clocks();
  told_intervals_.clear();
  values_.emplace(*model_, *dialect_);
  partial_derivatives_.reset();
  const modeling::ModelInfo& info = model_->info();
  warnings_->clear();
  adopt({.start = info.start, .tolerance = info.tolerance});
  time_ = info.start;
  y_storage_.assign(model_->shape().unknowns(), 0.0);
  y_ = y_storage_;
  for (const modeling::Variable& v : model_->variables()) {
    if (v.role == modeling::Variable::Role::state) {
      y_storage_.at(v.index) = v.start;
    }
  }
  started_ = ended_ = settled_ = has_experiment_ = false;
  event_.reset();
  mode_ = Mode::instantiated;
}

void Instance::reset() {
  forget_run();
  begin_anew();
}

void Instance::move_to(Mode mode) {
  mode_ = mode;
  started_ =
      started_ || (mode != Mode::instantiated && mode != Mode::initialization &&
                   mode != Mode::terminated && mode != Mode::failed && mode != Mode::configuration);
  settled_ = false;
  values_->outdate();
}

Situation Instance::situation() {
  return {.interface = interface_,
          .mode = mode_,
          .time = time_,
          .y = y_,
          .settable_y = y_,
          .experiment = experiment_,
          .intermediate = {},
          .started = started_,
          .dae = dae_switch_};
}

void Instance::enter_configuration() {
  if (dae_switch_ == nullptr && (!sizes_are_structural() || mode_ != Mode::instantiated)) {
    throw CallError("no structural parameter can be set here");
  }
  configured_ = mode_;
  move_to(mode_ == Mode::instantiated ? Mode::configuration : Mode::reconfiguration);
}

void Instance::exit_configuration() {
  move_to(configured_);
  resize();
}

void Instance::set_experiment(const Experiment& experiment) {
  if (!std::isfinite(experiment.start)) {
    throw CallError("the start time " + symbolic(experiment.start) + " is not finite");
  }
  if (!(experiment.stop >= experiment.start)) {
    throw CallError("the stop time " + symbolic(experiment.stop) + " lies before the start time " +
                    symbolic(experiment.start));
  }
  if (!(experiment.tolerance > 0.0) || !std::isfinite(experiment.tolerance)) {
    throw CallError("the tolerance " + symbolic(experiment.tolerance) +
                    " is not a positive number");
  }
  adopt(experiment);
  has_experiment_ = true;
  time_ = experiment.start;
  values_->outdate();
}

void Instance::warn_of_inputs() const {
  static const std::string needed = input_derivatives_needed();
  if (!needed.empty()) {
    log_.write(LogCategory::warning, needed);
  }
}

void Instance::changed(const Values::Change&) { settled_ = false; }

EventUpdate Instance::update_discrete_states() {
  const EventUpdate update = update_once();
  // One more than needed leaves what was computed, to the last digit.
  const bool needless = settled_ && !update.iterate && !update.states_changed && !update.terminate;
  if (!needless) {
    values_->outdate();
  }
  ended_ = ended_ || update.terminate;
  settled_ = !update.iterate;
  note(EventAction::What::update);
  return update;
}

// FMI 3.0, 2.3.5: at least one update per super-dense instant, and while discreteStatesNeedUpdate,
// the importer stays.
void Instance::check_settled() const {
  if (!settled_ && !ended_) {
    throw CallError(std::string("the discrete states are not settled: ") + dialect_->settle);
  }
}

namespace {

void check_lengths(References unknowns, References knowns, std::size_t of_unknowns,
                   std::size_t of_knowns) {
  if (unknowns.size() != of_unknowns || knowns.size() != of_knowns) {
    throw CallError("seed and sensitivity are for " + std::to_string(of_knowns) + " knowns and " +
                    std::to_string(of_unknowns) + " unknowns, but there are " +
                    std::to_string(knowns.size()) + " and " + std::to_string(unknowns.size()));
  }
}

}  // namespace

// Of implicit equations only the form of Model Exchange is a function of the states.
PartialDerivatives& Instance::partial_derivatives() {
  if (!partial_derivatives_) {
    partial_derivatives_.emplace(is_implicit_ ? Interface::model_exchange : interface_);
  }
  return *partial_derivatives_;
}

Eval Instance::directional_derivative(References unknowns, References knowns, ConstVec seed,
                                      Vec sensitivity) {
  check_lengths(unknowns, knowns, sensitivity.size(), seed.size());
  const Situation now = situation();
  return partial_derivatives().directional({*model_, *values_, now, is_implicit_, unknowns, knowns},
                                           seed, sensitivity);
}

Eval Instance::adjoint_derivative(References unknowns, References knowns, ConstVec seed,
                                  Vec sensitivity) {
  check_lengths(unknowns, knowns, seed.size(), sensitivity.size());
  const Situation now = situation();
  return partial_derivatives().adjoint({*model_, *values_, now, is_implicit_, unknowns, knowns},
                                       seed, sensitivity);
}

void Instance::terminate() {
  terminate_model();
  move_to(Mode::terminated);
  note(EventAction::What::terminate);
}

Snapshot Instance::saved_now() const {
  Snapshot snapshot;
  snapshot.interface = interface_;
  snapshot.mode = mode_;
  snapshot.experiment = experiment_;
  snapshot.has_experiment = has_experiment_;
  snapshot.time = time_;
  snapshot.y = y_storage_;
  snapshot.model = model_->save();
  add_sizes(snapshot.model);
  snapshot.started = started_;
  snapshot.settled = settled_;
  snapshot.ended = ended_;
  snapshot.told_intervals = told_intervals_;
  save_run(snapshot);
  return snapshot;
}

Snapshot Instance::save() {
  Snapshot snapshot = event_ ? event_->before : saved_now();
  if (event_) {
    snapshot.actions = event_->actions;
    snapshot.texts = event_->texts;
    snapshot.reached = mode_;
    snapshot.told_intervals = told_intervals_;
  }
  if (restarts_when_saved(snapshot)) {
    restore(snapshot);
  }
  return snapshot;
}

void Instance::restore(const Snapshot& snapshot) {
  if (snapshot.interface != interface_) {
    throw CallError(std::string("the FMU state was saved from an instance for ") +
                    to_string(snapshot.interface) + ", this one is for " + to_string(interface_));
  }
  if (snapshot.experiment.outside_ticks != experiment_.outside_ticks) {
    throw CallError(
        "the FMU state was saved from an instance with another eventModeUsed: its clocks are "
        "ticked by the importer in one of them, and tick by themselves in the other");
  }
  if (event_ || mode_ == dialect_->after_error) {
    reset();  // there is no way out of an event, or of what has failed, but to begin anew
  }
  partial_derivatives_.reset();
  const std::span<const std::byte> saved = take_sizes(snapshot);  // may make another model
  model_->restore(saved);
  if (snapshot.is_foreign) {
    values_->check_restored(snapshot.started);
  }
  adopt(snapshot.experiment);
  has_experiment_ = snapshot.has_experiment;
  time_ = snapshot.time;
  std::copy_n(snapshot.y.begin(), y_.size(), y_.begin());
  started_ = snapshot.started;
  if (!started_) {
    values_->reread_starts(experiment_, y_);
  }
  move_to(snapshot.mode);
  ended_ = snapshot.ended;
  settled_ = snapshot.settled;
  restore_run(snapshot);
  if (!snapshot.actions.empty()) {
    repeat(snapshot);
    mode_ = snapshot.reached;  // an error may have led there
  }
  told_intervals_ = snapshot.told_intervals;
}

}  // namespace saltus::fmu_export
