// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/switching/hysteresis_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace saltus {

HysteresisModel::HysteresisModel(Model& model, HysteresisOptions options)
    : EventDecorator(model), options_(std::move(options)) {
  const std::size_t bands = options_.band.size();
  if (bands > 1 && bands != model.shape().indicators) {
    throw std::invalid_argument("HysteresisModel: " + std::to_string(bands) + " bands for " +
                                std::to_string(model.shape().indicators) +
                                " indicators; give one for each, or one for all");
  }
  for (const double band : options_.band) {
    if (!(band >= 0.0 && band < kNever)) {
      throw std::invalid_argument("HysteresisModel: a band has to be a number, zero or larger");
    }
  }
  if (!(options_.dwell >= 0.0)) {
    throw std::invalid_argument("HysteresisModel: the dwell time has to be zero or larger");
  }
}

double HysteresisModel::band_of(std::size_t i) const {
  return options_.band.empty() ? 0.0 : options_.band[options_.band.size() > 1 ? i : 0];
}

void HysteresisModel::initialize(const Experiment& experiment, Vec y) {
  holds_.clear();
  announced_ = kNever;
  step_event_ = false;
  in_event_mode_ = true;
  wrapped().initialize(experiment, y);
}

// The event is the wrapped model's unless all that happened is the end of a dwell, and no indicator
// makes use of it.
void HysteresisModel::enter_event_mode(double t, ConstVec y) {
  bool dwell_ends = false;
  for (Hold& hold : holds_) {
    if (hold.dwells && t >= hold.until) {
      hold.dwells = false;
      dwell_ends = true;
    }
  }
  bool any_caused = indicators(t, y, z_) == Eval::discard;
  for (std::size_t i = 0; i < holds_.size() && !any_caused; ++i) {
    holds_[i].caused = (z_[i] > 0.0) != holds_[i].positive;
  }
  for (const Hold& hold : holds_) {
    any_caused = any_caused || hold.caused;
  }
  in_event_mode_ = any_caused || !dwell_ends || step_event_ || t >= announced_;
  if (in_event_mode_) {
    wrapped().enter_event_mode(t, y);
  }
}

EventUpdate HysteresisModel::update_discrete_states(double t, Vec y) {
  EventUpdate update;
  if (in_event_mode_) {
    update = wrapped().update_discrete_states(t, y);
    announced_ = update.next_event_time;
    step_event_ = false;
  }
  update.next_event_time = announced_;
  for (Hold& hold : holds_) {
    if (hold.caused && options_.dwell > 0.0) {
      hold.dwells = true;
      hold.until = t + options_.dwell;
    }
    if (hold.dwells) {
      update.next_event_time = std::min(update.next_event_time, hold.until);
    }
  }
  return update;
}

void HysteresisModel::enter_continuous_mode(double t, ConstVec y) {
  if (!in_event_mode_) {
    return;
  }
  in_event_mode_ = false;
  wrapped().enter_continuous_mode(t, y);
  const std::size_t indicators = wrapped().shape().indicators;
  holds_.resize(indicators);
  z_.resize(indicators);
  if (wrapped().indicators(t, y, z_) == Eval::discard) {
    return;
  }
  for (std::size_t i = 0; i < indicators; ++i) {
    Hold& hold = holds_[i];
    hold.positive = z_[i] > 0.0;
    hold.shift = hold.positive ? band_of(i) : -band_of(i);
    hold.caused = false;
  }
}

Eval HysteresisModel::indicators(double t, ConstVec y, Vec z) {
  const Eval answer = wrapped().indicators(t, y, z);
  for (std::size_t i = 0; i < holds_.size() && i < z.size(); ++i) {
    z[i] = holds_[i].dwells ? (holds_[i].positive ? 1.0 : -1.0) : z[i] + holds_[i].shift;
  }
  return answer;
}

Capabilities HysteresisModel::capabilities() {
  Capabilities can = EventDecorator::capabilities();
  can.indicator_rates = can.indicator_rates != nullptr ? this : nullptr;
  return can;
}

Eval HysteresisModel::indicator_rates(double t, ConstVec y, ConstVec v, Vec rates) {
  const Eval answer = wrapped().capabilities().indicator_rates->indicator_rates(t, y, v, rates);
  for (std::size_t i = 0; i < holds_.size() && i < rates.size(); ++i) {
    rates[i] = holds_[i].dwells ? 0.0 : rates[i];
  }
  return answer;
}

StepVerdict HysteresisModel::completed_step(double t, ConstVec y) {
  const StepVerdict verdict = wrapped().completed_step(t, y);
  step_event_ = verdict.enter_event_mode;
  return verdict;
}

}  // namespace saltus
