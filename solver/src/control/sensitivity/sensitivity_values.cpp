// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/saved_bytes.hpp"
#include "near_events.hpp"
#include "saltus/control/sensitivity_model.hpp"
#include "touch_watch.hpp"

// What a sensitivity model computes between events, and what it saves.
namespace saltus::modeling {

using Role = Variable::Role;

Eval SensitivityModel::derivatives(double t, ConstVec y, Vec yp) {
  const ConstVec own = y.first(states_);
  if (model_->derivatives(t, own, yp.first(states_)) == Eval::discard) return Eval::discard;
  Directional* const exactly = lost_ ? nullptr : exact();
  for (std::size_t k = 0; k < names_.size(); ++k) {
    const Vec rates = yp.subspan((k + 1) * states_, states_);
    if (lost_) {
      std::fill(rates.begin(), rates.end(), 0.0);
      continue;
    }
    const Direction& along = moving(y, k);
    const Eval answer = exactly != nullptr ? exactly->derivatives_along(t, own, along, rates)
                                           : slopes_along(t, own, along, rates);
    if (answer == Eval::discard) return Eval::discard;
  }
  return Eval::ok;
}

Eval SensitivityModel::indicators(double t, ConstVec y, Vec z) {
  return model_->indicators(t, y.first(states_), z);
}

StepVerdict SensitivityModel::completed_step(double t, ConstVec y) {
  ask_for_loss(t);
  Directional* const own = model_->capabilities().directional;
  if (own != nullptr && !lost_ && model_->needs_completed_steps()) {
    std::vector<Direction> along;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      along.push_back(direction(y, k));
    }
    own->accept(t, y.first(states_), along);
  }
  if (const auto touch = lost_ ? std::nullopt : watch_->step(t, y.first(states_))) {
    lose(t, model_->indicator_name(touch->indicator), touch->why());
  }
  return model_->completed_step(t, y.first(states_));
}

Capabilities SensitivityModel::capabilities() {
  const Capabilities own = model_->capabilities();
  return {.is_explicit = !implicit_,
          .is_dear = own.is_dear,
          .may_stay_at_zero = own.may_stay_at_zero,
          .consistency = own.consistency != nullptr ? this : nullptr,
          .derivatives = this,
          .indicator_rates = own.indicator_rates != nullptr ? this : nullptr,
          .hints = own.hints != nullptr ? this : nullptr,
          .variables = this,
          .diagnosis = implicit_ ? own.diagnosis : nullptr};
}

Eval SensitivityModel::make_consistent(double t, Vec y, Vec yp) {
  if (model_->make_consistent(t, y.first(states_), yp.first(states_)) == Eval::discard) {
    return Eval::discard;
  }
  return implicit_ ? follow_states(t, y, yp) : derivatives(t, y, yp);
}

ConstVec SensitivityModel::parts() const { return model_->capabilities().hints->parts(); }
double SensitivityModel::next_kink(double t) const {
  return model_->capabilities().hints->next_kink(t);
}
IndicatorChange SensitivityModel::change(std::size_t indicator, bool was_positive) const {
  return model_->capabilities().hints->change(indicator, was_positive);
}
bool SensitivityModel::iterates_for_indicators() const {
  return model_->capabilities().hints->iterates_for_indicators();
}
Eval SensitivityModel::indicator_rates(double t, ConstVec y, ConstVec v, Vec rates) {
  return model_->capabilities().indicator_rates->indicator_rates(t, y.first(states_),
                                                                 v.first(states_), rates);
}

Directional* SensitivityModel::exact() const { return TouchWatch::exact(*model_); }

Eval SensitivityModel::slopes_along(double t, ConstVec y, const Direction& along, Vec rates) {
  if (Directional* const exactly = exact()) {
    return exactly->derivatives_along(t, y, along, rates);
  }
  return difference(t, y, along, rates, [this](double at, ConstVec point, Vec values) {
    return model_->derivatives(at, point, values);
  });
}

Eval SensitivityModel::indicators_along(double t, ConstVec y, const Direction& along, Vec rates) {
  std::fill(rates.begin(), rates.end(), 0.0);
  if (Directional* const exactly = exact()) {
    return exactly->indicators_along(t, y, along, rates);
  }
  std::vector<double> consistent;
  return difference(t, y, along, rates, [&](double at, ConstVec point, Vec values) {
    consistent.assign(point.begin(), point.end());
    return solved(at, consistent) == Eval::ok ? model_->indicators(at, consistent, values)
                                              : Eval::discard;
  });
}

Eval SensitivityModel::values_along(double t, ConstVec y, const Direction& along, Vec rates) {
  if (Directional* const exactly = exact()) {
    return exactly->variables_along(t, y, along, rates);
  }
  return difference(t, y, along, rates, [this](double at, ConstVec point, Vec values) {
    if (model_->evaluate(at, point) == Eval::discard) return Eval::discard;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = model_->variables()[i].is_number() ? model_->number(i) : 0.0;
    }
    return Eval::ok;
  });
}

// Central ones, along a stretch on which nothing changes by more than a part of its size: there the
// errors of rounding and of the curvature balance.
Eval SensitivityModel::difference(double t, ConstVec y, const Direction& along, Vec rates,
                                  const Read& read) {
  // The cube root of rounding, 6e-6: larger ones bend, smaller ones lose digits.
  constexpr double kStride = 1e-5;
  double largest = std::fabs(along.time);
  for (std::size_t i = 0; i < states_; ++i) {
    largest = std::max(largest, std::fabs(along.unknowns[i]) / nominals_[i]);
  }
  std::vector<std::pair<std::size_t, double>> given, held;
  Directional* const holder = model_->capabilities().directional;
  for (std::size_t i = 0; i < along.numbers.size() && !lost_; ++i) {
    const Variable& v = model_->variables()[i];
    if (along.numbers[i] == 0.0 || v.role != Role::discrete) continue;
    const std::optional<double> now = holder != nullptr ? holder->held(i) : std::nullopt;
    if (!now) {
      lose(t, v.name,
           "holds what depends on parameters, which is not followed for implicit equations, nor "
           "where it differs between the sides of a surface on which the motion slides");
    } else {
      const double size = *now != 0.0 ? std::fabs(*now) : v.nominal.value_or(1.0);
      held.emplace_back(i, *now);
      largest = std::max(largest, std::fabs(along.numbers[i]) / size);
    }
  }
  for (const Parameter& p : parameters_) {
    if (!p.is_start && along.numbers[p.variable] != 0.0) {
      given.emplace_back(p.variable, model_->number(p.variable));
      largest = std::max(largest, std::fabs(along.numbers[p.variable]) / p.size);
    }
  }
  if (largest == 0.0) {
    std::fill(rates.begin(), rates.end(), 0.0);
    return Eval::ok;
  }
  const double step = kStride / largest;
  std::vector<double> at(states_), ahead(rates.size()), behind(rates.size());
  Eval answer = Eval::ok;
  const auto look = [&](double s, std::vector<double>& values) {
    for (std::size_t i = 0; i < states_; ++i) {
      at[i] = y[i] + s * along.unknowns[i];
    }
    for (const auto& [variable, value] : given) {
      model_->set_number(variable, value + s * along.numbers[variable]);
    }
    for (const auto& [variable, value] : held) {
      holder->hold(variable, value + s * along.numbers[variable]);
    }
    answer = answer == Eval::ok ? read(t + s * along.time, at, values) : answer;
  };
  look(step, ahead);
  look(-step, behind);
  for (const auto& [variable, value] : given) {
    model_->set_number(variable, value);
  }
  for (const auto& [variable, value] : held) {
    holder->hold(variable, value);
  }
  for (std::size_t i = 0; i < rates.size(); ++i) {
    rates[i] = (ahead[i] - behind[i]) / (2.0 * step);
  }
  return answer;
}

Eval SensitivityModel::evaluate(double t, ConstVec y) {
  const ConstVec own = y.first(states_);
  ask_for_loss(t);
  std::fill(values_.begin(), values_.end(), std::numeric_limits<double>::quiet_NaN());
  if (implicit_ && in_phase_ && !computes_ && !lost_) {
    follow_values(t, y);
    return model_->evaluate(t, own);
  }
  std::vector<double> rates(model_->variables().size());
  for (std::size_t k = 0; k < names_.size() && !lost_; ++k) {
    const Direction along = direction(y, k);
    if (values_along(t, own, along, rates) == Eval::discard) continue;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Variable& v = model_->variables()[sources_[i]];
      values_[k * sources_.size() + i] = v.role == Role::state      ? along.unknowns[v.index]
                                         : v.role == Role::discrete ? along.numbers[sources_[i]]
                                                                    : rates[sources_[i]];
    }
  }
  return model_->evaluate(t, own);
}

double SensitivityModel::number(std::size_t variable) const {
  const std::size_t own = model_->variables().size();
  return variable < own ? model_->number(variable) : values_[variable - own];
}

void SensitivityModel::set_number(std::size_t variable, double value) {
  if (variable >= model_->variables().size()) {
    throw std::invalid_argument(variables_[variable].name + " cannot be set");
  }
  own_parts_.reset();
  model_->set_number(variable, value);
}
void SensitivityModel::set_whole(std::size_t variable, std::int64_t value) {
  model_->set_whole(variable, value);
}

void SensitivityModel::set_text(std::size_t variable, std::string_view value) {
  model_->set_text(variable, value);
}
std::string SensitivityModel::text(std::size_t variable) const { return model_->text(variable); }
std::string SensitivityModel::start_text(std::size_t variable) const {
  return variable < model_->variables().size() ? model_->start_text(variable) : std::string();
}

std::vector<std::byte> SensitivityModel::save() const {
  std::vector<std::byte> bytes;
  append(bytes, model_->save());
  for (std::size_t k = 0; k < names_.size(); ++k) {
    append(bytes, directions_.at(k).numbers);
    append(bytes, after_[k]);
  }
  append(bytes, moved_);
  append(bytes, side_);
  append(bytes, std::vector<char>{static_cast<char>(lost_ ? 1 : 0)});
  append(bytes, std::vector<double>{next_event_, near_->last().time, near_->last().blur});
  append(bytes, near_->last().changed);
  watch_->append_to(bytes);
  return bytes;
}

void SensitivityModel::restore(std::span<const std::byte> saved) {
  const std::vector<std::byte> own = take<std::byte>(saved);
  directions_.assign(names_.size(), {});
  after_.resize(names_.size());
  for (std::size_t k = 0; k < names_.size(); ++k) {
    directions_[k].numbers = take<double>(saved);
    after_[k] = take<double>(saved);
  }
  moved_ = take<double>(saved);
  side_ = take<char>(saved);
  const std::vector<char> lost = take<char>(saved);
  const std::vector<double> times = take<double>(saved);
  const std::vector<std::size_t> changed = take<std::size_t>(saved);
  model_->restore(own);
  states_ = model_->shape().unknowns();
  const bool watches = watch_->take_from(saved, states_);
  const bool fits = watches && lost.size() == 1 && times.size() == 3 &&
                    moved_.size() == names_.size() && saved.empty() &&
                    std::all_of(after_.begin(), after_.end(),
                                [this](const auto& each) { return each.size() == states_; });
  if (!fits) {
    throw std::invalid_argument("the saved state belongs to another model");
  }
  lost_ = lost.front() != 0;
  next_event_ = times[0];
  near_->restart({.time = times[1], .blur = times[2], .changed = changed});
  initial_ = lifted_ = false;
  in_phase_ = false;
  slope_before_.assign(states_, 0.0);
  moving_.assign(names_.size(), {});
  for (std::size_t k = 0; k < names_.size(); ++k) {
    directions_[k].unknowns.assign(states_, 0.0);
    moving_[k].numbers = directions_[k].numbers;
    moving_[k].parameter = k;
  }
  own_parts_.reset();
  pending_.clear();
  nominals_.resize(states_);
  model_->nominals(nominals_);
}

}  // namespace saltus::modeling
