// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/control/reduced_described_model.hpp"

#include <algorithm>
#include <cmath>

#include "go_beyond.hpp"
#include "reduced_described_derivatives.hpp"
#include "saltus/core/error.hpp"

// How the model is driven; `reduced_described_values.cpp` has its variables and what is saved,
// `reduced_described_derivatives.cpp` their derivatives, `reduced_described_configurations.cpp` its
// configurations.
namespace saltus::modeling {
namespace {

// States that move less, in units of their size, stay where they are. Of the tolerance it is a
// small part, so that an event that corrects them does not follow another.
constexpr double kMoved = 1e-10;
constexpr double kPartOfTolerance = 1e-3;

// How many tolerances the states may be off the nearest consistent point before an event is asked
// for that moves them there. Each step errs by up to one, and a method of several steps goes on
// with its first order after an event: asked back after one or two steps, it never leaves that, and
// the squeezing mechanism takes 63000 steps by CVODE at 1e-8 for the 4000 that it takes with ten.
// Until then nothing but the continuous states themselves shows the distance: all other values are
// those of the consistent point. Fewer tolerances cost steps, and for the squeezing mechanism
// accuracy, too; more cost accuracy, for a transistor amplifier twice the error already at ten.
constexpr double kMostTolerances = 10.0;

[[noreturn]] void fail_start(double t) {
  throw IntegrationError(IntegrationError::Reason::bad_start, t, 0.0, "",
                         "no consistent point was found from here: check the start values, and "
                         "parameters that something is divided by");
}

}  // namespace

ReducedDescribedModel::ReducedDescribedModel(std::unique_ptr<DescribedModel> model,
                                             ReductionOptions options)
    : model_(std::move(model)),
      states_(model_->shape().states),
      goes_beyond_(!options.projecting_driver) {
  const std::size_t unknowns = model_->shape().unknowns();
  x_.resize(unknowns);
  slopes_.resize(unknowns);
  nominal_.resize(unknowns);
  model_->nominals(nominal_);
  if (options.form == ReductionOptions::Form::implicit_form) {
    integrated_ = std::make_unique<ReducedModel>(*model_, options);
    options.form = ReductionOptions::Form::explicit_form;
  }
  points_ = std::make_unique<ReducedModel>(*model_, options);
  points_->expect_approach();
  if (Configurations* const reduced = points_->capabilities().configurations;
      integrated_ == nullptr && reduced != nullptr) {
    configurations_.emplace(*this, *reduced);
  }
}
ReducedDescribedModel::~ReducedDescribedModel() = default;

Shape ReducedDescribedModel::shape() const {
  return integrated_ != nullptr
             ? integrated_->shape()
             : Shape{.states = states_, .algebraics = 0, .indicators = model_->shape().indicators};
}

void ReducedDescribedModel::nominals(Vec y) const {
  if (integrated_ != nullptr) {
    integrated_->nominals(y);
  } else {
    std::copy_n(nominal_.begin(), states_, y.begin());
  }
}

void ReducedDescribedModel::initialize(const Experiment& experiment, Vec y) {
  experiment_ = experiment;
  begun_ = entered_ = decided_ = answer_.given = false;
  in_event_mode_ = true;
  told_.clear();
  was_positive_.clear();
  outdate();
  if (integrated_ != nullptr) {
    integrated_->initialize(experiment, x_);
  }
  points_->initialize(experiment, x_);
  std::copy_n(x_.begin(), std::min(y.size(), x_.size()), y.begin());
}

// Algebraics that nobody gives stay where they were found last; and so does everything if the last
// point solved for was this one.
void ReducedDescribedModel::load_unless_solved(double t, ConstVec y) {
  if (!is_solved(t, y)) {
    load(y);
  }
}
bool ReducedDescribedModel::is_solved(double t, ConstVec y) const {
  return t == solved_time_ && std::equal(y.begin(), y.end(), given_.begin(), given_.end());
}
void ReducedDescribedModel::load(ConstVec y) {
  if (std::equal(y.begin(), y.end(), told_.begin(), told_.end())) {
    return;
  }
  told_.clear();
  const std::size_t given = begun_ && y.size() >= x_.size() ? x_.size() : states_;
  std::copy_n(y.begin(), given, x_.begin());
}

// How far given states are from those of the point solved for, in units of what the tolerance
// allows.
double ReducedDescribedModel::distance(ConstVec y) const {
  double largest = 0.0;
  for (std::size_t i = 0; i < states_; ++i) {
    const double allowed = experiment_.tolerance * std::max(nominal_[i], std::fabs(x_[i]));
    largest = std::max(largest, std::fabs(y[i] - x_[i]) / allowed);
  }
  return largest;
}

bool ReducedDescribedModel::move_to_solution(Vec y) {
  const double moved = std::min(kMoved / experiment_.tolerance, kPartOfTolerance);
  if (distance(y) <= moved && (!decided_ || std::equal(y.begin(), y.end(), x_.begin()))) {
    return false;
  }
  std::copy_n(x_.begin(), states_, y.begin());
  return true;
}

// One update more than needed changes nothing, not the last digit of what follows either.
EventUpdate ReducedDescribedModel::update_discrete_states(double t, Vec y) {
  if (answer_.given && answer_.time == t &&
      std::equal(y.begin(), y.end(), answer_.y.begin(), answer_.y.end())) {
    return {.next_event_time = answer_.next_event_time};
  }
  const EventUpdate update = update_at(t, y);
  answer_.given = !update.iterate && !update.terminate;
  answer_.time = t;
  answer_.y.assign(y.begin(), y.end());
  answer_.next_event_time = update.next_event_time;
  return update;
}

EventUpdate ReducedDescribedModel::update_at(double t, Vec y) {
  begun_ = true;
  entered_ = false;
  if (integrated_ != nullptr) {
    return integrated_->update_discrete_states(t, y);
  }
  load_unless_solved(t, y);
  EventUpdate update = points_->update_discrete_states(t, x_);
  update.nominals_changed = false;
  if (update.states_changed) {
    std::copy_n(x_.begin(), states_, y.begin());
  }
  if (!update.iterate && points_->make_consistent(t, x_, slopes_) == Eval::discard) {
    fail_start(t);
  }
  // Decisions were taken where the states had been. Within the tolerance nothing is decided anew.
  decided_ = decided_ || update.iterate;
  update.iterate = update.iterate || distance(y) > 1.0;
  update.states_changed = move_to_solution(y) || update.states_changed;
  told_.assign(y.begin(), y.end());
  seen_time_ = t;
  outdate();
  return update;
}

void ReducedDescribedModel::enter_continuous_mode(double t, ConstVec y) {
  in_event_mode_ = entered_ = false;
  if (integrated_ != nullptr) {
    integrated_->enter_continuous_mode(t, y);
    return;
  }
  load(y);
  told_.clear();
  points_->enter_continuous_mode(t, x_);
  entered_ = true;
  if (points_->make_consistent(t, x_, slopes_) == Eval::discard) {
    fail_start(t);
  }
  seen_time_ = t;
  outdate();
  points_->accept(t, y.first(states_));
  if (goes_beyond_ && !forks_) {
    note_domains(t);
  }
}

void ReducedDescribedModel::note_domains(double t) {
  std::vector<double> z(model_->shape().indicators);
  was_positive_.clear();
  if (model_->indicators(t, x_, z) == Eval::ok) {
    was_positive_.resize(z.size());
    std::transform(z.begin(), z.end(), was_positive_.begin(), [](double v) { return v > 0.0; });
  }
}

// What is decided at an event is decided where its indicators were seen: at the consistent point.
void ReducedDescribedModel::enter_event_mode(double t, ConstVec y) {
  answer_.given = false;
  if (integrated_ != nullptr) {
    in_event_mode_ = true;
    load(y);
    integrated_->enter_event_mode(t, y);
    return;
  }
  decided_ = false;
  if (in_event_mode_ || solve(t, y) == Eval::discard) {
    load(y);
  } else {
    // Who uses configurations shows each of them its own side.
    decided_ = goes_beyond_ && !forks_ &&
               go_beyond_surfaces(
                   *points_, t,
                   {.nominal = ConstVec(nominal_).first(states_), .was_positive = was_positive_},
                   {.x = x_, .slopes = slopes_});
    told_.assign(y.begin(), y.end());
  }
  in_event_mode_ = true;
  points_->enter_event_mode(t, x_);
}

// The consistent point that is nearest to what is given: the same one whenever it is asked for
// until the next point is accepted.
Eval ReducedDescribedModel::solve(double t, ConstVec y) {
  if (is_solved(t, y) && !projected_) {
    return Eval::ok;
  }
  outdate();
  told_.clear();
  if (points_->approach(t, y.first(states_), x_, slopes_) == Eval::discard) {
    return Eval::discard;
  }
  solved_time_ = seen_time_ = t;
  given_.assign(y.begin(), y.end());
  projected_ = false;
  return Eval::ok;
}

Eval ReducedDescribedModel::residual(double t, ConstVec y, ConstVec yp, Vec r) {
  return integrated_ != nullptr ? integrated_->residual(t, y, yp, r) : Model::residual(t, y, yp, r);
}

Eval ReducedDescribedModel::derivatives(double t, ConstVec y, Vec yp) {
  if (!is_solved(t, y) && solve(t, y) == Eval::discard) {
    return Eval::discard;
  }
  std::copy_n(slopes_.begin(), states_, yp.begin());
  return Eval::ok;
}

Eval ReducedDescribedModel::make_consistent(double t, Vec y, Vec yp) {
  if (integrated_ == nullptr) {
    return derivatives(t, y, yp);
  }
  const Eval answer = integrated_->make_consistent(t, y, yp);
  seen_time_ = t;
  return answer;
}

Eval ReducedDescribedModel::indicators(double t, ConstVec y, Vec z) {
  if (integrated_ != nullptr) {
    return integrated_->indicators(t, y, z);
  }
  if (in_event_mode_) {
    load(y);
  } else if (solve(t, y) == Eval::discard) {
    return Eval::discard;
  }
  return model_->indicators(t, x_, z);
}

Capabilities ReducedDescribedModel::capabilities() {
  if (integrated_ != nullptr) {
    Capabilities can = integrated_->capabilities();
    can.consistency = this;
    can.hints = this;
    can.variables = this;
    can.diagnosis = this;
    return can;
  }
  return {.is_explicit = true,
          .consistency = this,
          .hints = this,
          .configurations = configurations_ ? &*configurations_ : nullptr,
          .variables = this,
          .diagnosis = this};
}

IndicatorChange ReducedDescribedModel::change(std::size_t indicator, bool was_positive) const {
  const EventHints* const hints = model_->capabilities().hints;
  return hints != nullptr ? hints->change(indicator, was_positive) : IndicatorChange::unknown;
}

ConstVec ReducedDescribedModel::parts() const {
  const EventHints* const hints = model_->capabilities().hints;
  return hints != nullptr ? hints->parts() : ConstVec{};
}

bool ReducedDescribedModel::joins_parts(std::size_t indicator) const {
  const EventHints* const hints = model_->capabilities().hints;
  return hints != nullptr && hints->joins_parts(indicator);
}

void ReducedDescribedModel::hold_parts(std::span<const HeldPart> held) {
  if (EventHints* const hints = model_->capabilities().hints; hints != nullptr) {
    hints->hold_parts(held);
  }
}

bool ReducedDescribedModel::projects() const {
  return driven().projects() && (integrated_ != nullptr ||
                                 static_cast<std::size_t>(points_->analysis().values.d) < states_);
}

Eval ReducedDescribedModel::project(double t, Vec y) {
  if (integrated_ != nullptr) {
    return integrated_->project(t, y);
  }
  if (solve(t, y) == Eval::discard) {
    return Eval::discard;
  }
  std::copy_n(x_.begin(), states_, y.begin());
  given_.assign(y.begin(), y.end());
  projected_ = true;
  return Eval::ok;
}

StepVerdict ReducedDescribedModel::completed_step(double t, ConstVec y) {
  if (integrated_ != nullptr) {
    seen_time_ = t;
    return integrated_->completed_step(t, y);
  }
  if (solve(t, y) == Eval::discard) {
    return {.enter_event_mode = true};
  }
  const bool goes_on = points_->accept(t, y.first(states_));
  StepVerdict verdict = model_->completed_step(t, x_);
  verdict.enter_event_mode = verdict.enter_event_mode || !goes_on || distance(y) > kMostTolerances;
  return verdict;
}

void ReducedDescribedModel::explain_failure(double t, ConstVec y) {
  if (integrated_ != nullptr) {
    integrated_->capabilities().diagnosis->explain_failure(t, y);
    return;
  }
  load_unless_solved(t, y);
  points_->capabilities().diagnosis->explain_failure(t, x_);
}

}  // namespace saltus::modeling
