// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/control/sensitivity_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "near_events.hpp"
#include "saltus/core/nearest_names.hpp"
#include "start_sides.hpp"
#include "touch_watch.hpp"

namespace saltus::modeling {

using Role = Variable::Role;

namespace {

// "x" of "start(x)".
std::string meant_by(const std::string& name) {
  const bool is_start = name.rfind("start(", 0) == 0 && name.back() == ')';
  return is_start ? name.substr(6, name.size() - 7) : name;
}

bool has_rate(const Variable& v) {
  return v.is_number() && v.role != Role::derivative && v.role != Role::parameter &&
         v.role != Role::input;
}

}  // namespace

SensitivityModel::SensitivityModel(std::unique_ptr<DescribedModel> model,
                                   std::vector<std::string> parameters, Accuracy accuracy)
    : model_(std::move(model)),
      names_(std::move(parameters)),
      accuracy_(accuracy),
      watch_(std::make_unique<TouchWatch>(*model_)),
      near_(std::make_unique<NearEvents>()),
      sides_(std::make_unique<StartSides>(*model_)) {
  implicit_ = !model_->is_explicit();
  if (implicit_ && (model_->capabilities().derivatives == nullptr ||
                    model_->capabilities().derivatives->by_parameters() == nullptr)) {
    throw std::invalid_argument(
        "SensitivityModel: the equations are implicit, and nobody can differentiate them by "
        "parameters; reduce them first (prepared), perhaps to their explicit form");
  }
  states_ = model_->shape().unknowns();
  nominals_.resize(states_);
  find_parameters();
  describe();
}

SensitivityModel::~SensitivityModel() = default;

void SensitivityModel::find_parameters() {
  std::vector<std::string> all;
  for (const Variable& v : model_->variables()) {
    all.push_back(v.name);
  }
  for (const std::string& name : names_) {
    const std::string meant = meant_by(name);
    const auto found = std::find(all.begin(), all.end(), meant);
    if (found == all.end()) {
      throw std::invalid_argument("sensitivities: there is no variable \"" + meant + "\"" +
                                  did_you_mean(meant, all));
    }
    const auto position = static_cast<std::size_t>(found - all.begin());
    const Variable& v = model_->variables()[position];
    const bool is_start = v.role == Role::state;
    if (!is_start && (v.role != Role::parameter || !v.is_number())) {
      throw std::invalid_argument("sensitivities: \"" + name +
                                  "\" is neither a real parameter nor a state with a start value");
    }
    if (std::count(names_.begin(), names_.end(), name) > 1) {
      throw std::invalid_argument("sensitivities: \"" + name + "\" is named twice");
    }
    parameters_.push_back({position, is_start});
    positions_.push_back(position);
  }
  if (Directional* const directional = model_->capabilities().directional) {
    directional->follow(positions_);
  }
}

void SensitivityModel::describe() {
  const auto own = model_->variables();
  variables_.assign(own.begin(), own.end());
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (has_rate(own[i])) {
      sources_.push_back(i);
      const Role role = own[i].role;
      computes_ =
          computes_ || (role != Role::state && role != Role::algebraic && role != Role::discrete);
    }
  }
  for (std::size_t k = 0; k < names_.size(); ++k) {
    for (const std::size_t i : sources_) {
      Variable v;
      v.name = "d(" + own[i].name + ")/d(" + names_[k] + ")";
      v.description = "how " + own[i].name + " changes with " + names_[k];
      v.role = Role::local;
      v.continuous = true;
      variables_.push_back(std::move(v));
    }
  }
  values_.resize(names_.size() * sources_.size());
}

Shape SensitivityModel::shape() const {
  const Shape own = model_->shape();
  // Of implicit equations all that follows the states stands among the algebraics.
  const std::size_t states = implicit_ ? own.states : states_ * (1 + names_.size());
  return {.states = states,
          .algebraics = states_ * (1 + names_.size()) - states,
          .indicators = own.indicators};
}

void SensitivityModel::nominals(Vec y) const {
  model_->nominals(y.first(states_));
  if (accuracy_ == Accuracy::of_the_steps) {
    std::fill(y.begin() + static_cast<std::ptrdiff_t>(states_), y.end(), kNever);
    return;
  }
  for (std::size_t k = 0; k < names_.size(); ++k) {
    for (std::size_t i = 0; i < states_; ++i) {
      y[(k + 1) * states_ + i] = y[i] / parameters_[k].size;
    }
  }
}

std::string SensitivityModel::unknown_name(std::size_t i) const {
  return i < states_
             ? model_->unknown_name(i)
             : "d(" + model_->unknown_name(i % states_) + ")/d(" + names_[i / states_ - 1] + ")";
}

// s of the parameter k.
std::vector<double> SensitivityModel::read(ConstVec y, std::size_t k) const {
  const ConstVec part = y.subspan((k + 1) * states_, states_);
  std::vector<double> s(part.begin(), part.end());
  for (std::size_t i = 0; i < states_; ++i) {
    s[i] += after_[k][i];
  }
  return s;
}
Direction SensitivityModel::direction(ConstVec y, std::size_t k) const {
  return {.time = 0.0, .unknowns = read(y, k), .numbers = directions_[k].numbers, .parameter = k};
}
// The same for a moment, without a copy of all numbers.
const Direction& SensitivityModel::moving(ConstVec y, std::size_t k) {
  Direction& along = moving_[k];
  const ConstVec part = y.subspan((k + 1) * states_, states_);
  along.unknowns.resize(states_);
  for (std::size_t i = 0; i < states_; ++i) {
    along.unknowns[i] = part[i] + after_[k][i];
  }
  return along;
}

void SensitivityModel::initialize(const Experiment& experiment, Vec y) {
  experiment_ = experiment;
  lost_ = false;
  own_parts_.reset();
  pending_.clear();
  in_phase_ = false;
  near_->restart();
  next_event_ = kNever;
  starts_sliding_ = false;
  states_ = y.size() / (1 + names_.size());
  begin_directions(experiment);
  model_->initialize(experiment, y.first(states_));
  nominals_.resize(states_);
  model_->nominals(nominals_);
  for (std::size_t k = 0; k < names_.size(); ++k) {
    std::copy(directions_[k].unknowns.begin(), directions_[k].unknowns.end(),
              y.begin() + static_cast<std::ptrdiff_t>((k + 1) * states_));
  }
  slope_before_.assign(states_, 0.0);
  initial_ = true;
  lifted_ = false;
}

// The first pass of an event goes from the motion before it to the moving instant of the event.
EventUpdate SensitivityModel::update_discrete_states(double t, Vec y) {
  const Vec own = y.first(states_);
  if (std::exchange(at_given_time_, false)) {
    lose(t, "an event at a given time",
         "may come at another one with other parameters, which is not followed for implicit "
         "equations");
  }
  for (std::size_t k = 0; k < names_.size() && !lifted_ && !lost_; ++k) {
    directions_[k].unknowns = read(y, k);
    directions_[k].time = moved_[k];
    for (std::size_t i = 0; i < states_; ++i) {
      directions_[k].unknowns[i] += slope_before_[i] * moved_[k];
      after_[k][i] = 0.0;
    }
  }
  for (std::size_t k = 0; k < names_.size() && lost_; ++k) {
    directions_[k].unknowns.assign(states_, 0.0);
  }
  lifted_ = true;
  Directional* const own_directions = lost_ ? nullptr : model_->capabilities().directional;
  const std::vector<double> before(own.begin(), own.end());
  const std::vector<double> held_before = discrete_numbers();
  if (own_directions != nullptr) {
    own_directions->carry(directions_, own);
  }
  EventUpdate update = model_->update_discrete_states(t, own);
  next_event_ = update.next_event_time;
  starts_sliding_ = starts_sliding_ || (initial_ && update.sliding == SlidingChange::entered);
  if (lost_) {
    // Nothing can be lost any more.
  } else if (own_directions != nullptr && !own_directions->carried()) {
    lose(t, "events()",
         "assigns numbers where motions meet that slide, and how these depend on others is not "
         "followed there");
  } else if (own_directions == nullptr && !initial_) {
    check_held(t, held_before);
    if (update.states_changed) check_jump(t, before, own);
  }
  ask_for_loss(t);
  if (update.nominals_changed && !implicit_) {
    model_->nominals(nominals_);
  }
  for (std::size_t k = 0; k < names_.size(); ++k) {
    const Vec s = y.subspan((k + 1) * states_, states_);
    const std::vector<double>& now = directions_[k].unknowns;
    update.states_changed = update.states_changed || !std::equal(now.begin(), now.end(), s.begin());
    std::copy(now.begin(), now.end(), s.begin());
  }
  return update;
}

void SensitivityModel::enter_continuous_mode(double t, ConstVec y) {
  own_parts_.reset();
  phase_begin_ = t;
  if (implicit_) {
    enter_phase(t, y);
    return;
  }
  const ConstVec own = y.first(states_);
  model_->enter_continuous_mode(t, own);
  const bool moved = std::any_of(moved_.begin(), moved_.end(), [](double m) { return m != 0.0; });
  std::vector<double> slope(states_);
  if (moved && model_->derivatives(t, own, slope) == Eval::discard) {
    slope.assign(states_, std::numeric_limits<double>::quiet_NaN());
  }
  for (std::size_t k = 0; k < names_.size(); ++k) {
    for (std::size_t i = 0; i < states_; ++i) {
      after_[k][i] = moved_[k] != 0.0 ? -slope[i] * moved_[k] : 0.0;
    }
    moving_[k].numbers = directions_[k].numbers;
    moving_[k].parameter = k;
  }
  std::vector<double> z(model_->shape().indicators);
  if (model_->indicators(t, own, z) == Eval::ok) {
    side_.resize(z.size());
    std::transform(z.begin(), z.end(), side_.begin(), [](double value) { return value > 0.0; });
  }
  lifted_ = false;
  ask_for_loss(t);
  if (std::exchange(initial_, false)) check_start(t, starts_sliding_);
  if (std::exchange(starts_sliding_, false) && !lost_) follow_onto_surfaces(t, y);
  if (!lost_) watch_->begin(t, own, experiment_.tolerance);
}

void SensitivityModel::ask_for_loss(double t) {
  Directional* const own = lost_ ? nullptr : model_->capabilities().directional;
  if (own == nullptr) return;
  if (const auto loss = own->loss()) {
    lose(t, loss->subject, loss->why);
  }
}

void SensitivityModel::enter_event_mode(double t, ConstVec y) {
  const ConstVec own = y.first(states_);
  slope_before_.resize(states_);
  if (slopes(t, own, slope_before_) == Eval::discard) {
    slope_before_.assign(states_, std::numeric_limits<double>::quiet_NaN());
  }
  find_moved(t, y);
  before_event_.assign(own.begin(), own.end());
  in_phase_ = false;
  model_->enter_event_mode(t, own);
  lifted_ = false;
}

// From here on nothing is known; the run itself goes on.
void SensitivityModel::lose(double t, const std::string& subject, const std::string& why) {
  if (!std::exchange(lost_, true)) {
    warn(experiment_, {.time = t,
                       .subject = subject,
                       .message = why + "; sensitivities are not a number from here on"});
  }
  watch_->stop();
  moved_.assign(names_.size(), 0.0);
  for (Direction& along : directions_) {
    along.unknowns.assign(states_, 0.0);
    along.time = 0.0;
  }
}

std::vector<double> SensitivityModel::event_time_rates() const {
  return lost_ ? std::vector<double>(names_.size(), std::numeric_limits<double>::quiet_NaN())
               : moved_;
}

}  // namespace saltus::modeling
