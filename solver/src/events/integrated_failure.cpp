// SPDX-License-Identifier: BSD-2-Clause
#include <string>

#include "integrated_state.hpp"
#include "saltus/core/number_text.hpp"

// Why a phase does not go on: what is said where no step is found, or steps lead nowhere.
namespace saltus {

void IntegratedModel::State::explain_failure() const {
  if (Diagnosis* const diagnosis = model.capabilities().diagnosis; diagnosis != nullptr) {
    diagnosis->explain_failure(t, y);
  }
}

// An integrator that starts on a surface to which both sides push finds no step.
void IntegratedModel::State::look_for_chattering(const IntegrationError& error) const {
  constexpr double kStandstill = 1e-9;  // of the length of the run
  if (error.reason() != IntegrationError::Reason::step_too_small || event_indicators.empty() ||
      t - event_time > kStandstill * length) {
    return;
  }
  std::vector<std::string> names;
  std::string list;
  for (const std::size_t i : event_indicators) {
    names.push_back(model.indicator_name(i));
    list += (list.empty() ? "'" : ", '") + names.back() + "'";
  }
  throw EventError(EventError::Reason::chattering, t, names,
                   "no step leads on from t = " + number_text(t) + ", where " + list +
                       " has just changed: both sides of this surface seem to push towards it "
                       "(a relay, dry friction at rest). Wrap the model in SlidingModel, which "
                       "goes along the surface, or in HysteresisModel. (" +
                       error.what() + ")");
}

// Near time zero no step is too short for the rounding of time. A transient at the beginning of a
// run that is announced to be long, however long, is not meant, nor what a night may do: steps that
// would have to go on for years.
void IntegratedModel::State::require_progress(double end, double horizon) {
  // A million steps are minutes for a small model. Then a run that would take a thousand millions
  // of them is refused; at once one that would take 1e30.
  constexpr std::size_t kMany = 1'000'000;
  constexpr double kPartAtOnce = 1e-30, kPartOfMany = 1e-9;  // of the way
  next_look += kLookEvery;
  const double part = watched_steps < kMany ? kPartAtOnce : kPartOfMany;
  const bool forward = end >= watched_from;  // a restored state may be an earlier one
  if (forward && horizon < kNever && end - watched_from < part * (horizon - watched_from)) {
    throw IntegrationError(IntegrationError::Reason::step_too_small, end, integrator.length(), "",
                           "the last " + std::to_string(watched_steps) +
                               " steps led no farther than " + number_text(end - watched_from) +
                               ", and " + number_text(horizon - end) +
                               " are to go: look for numbers that are too large or too small by "
                               "many orders of magnitude");
  }
  if (watched_steps >= kMany) {
    watched_steps = 0;
    next_look = kLookEvery;
    watched_from = end;
  }
}

}  // namespace saltus
