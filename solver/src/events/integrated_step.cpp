// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "core/componentwise.hpp"
#include "integrated_state.hpp"

// The steps of a phase, and what is looked for in each.
namespace saltus {

inline double IntegratedModel::State::take_step(double barrier) {
  try {
    return integrator.step(barrier);
  } catch (const IntegrationError& error) {
    explain_failure();
    look_for_chattering(error);
    throw;
  } catch (const Error&) {
    explain_failure();
    throw;
  }
}

// Takes a step, up to a kink of the equations at most, and looks for an event in it. Where
// indicators are not evaluable inside it, keeps the part before.
void IntegratedModel::State::open_step(double horizon) {
  // So many steps in a row whose ends cannot be evaluated, each a quarter of the last, are an
  // error: by then they are lost in the rounding of time.
  constexpr int kMostUnevaluable = 50;
  constexpr double kMostGrowth = 10.0;  // of steps, with the integrators that there are
  for (;;) {
    kink = next_kink();
    const double barrier = std::min(horizon, kink);
    double end = t;
    try {
      end = take_step(barrier);
    } catch (const IntegrationError&) {
      if (!locator.search_rounding(t, y, yp, std::min(kShort * length, barrier - t))) {
        throw;
      }
      step_open = step_has_event = true;
      step_stop = locator.time().time;
      return;
    }
    if (++watched_steps >= next_look) {
      require_progress(end, horizon);
    }
    phase_steps = std::min(phase_steps + 1, 2);
    const CrossingLocator::Found found = locator.search();
    if (found == CrossingLocator::Found::too_long) {
      go_on_from(0.0, locator.shorter_length());
      continue;
    }
    moves_clearly = found == CrossingLocator::Found::crossing && !is_below_rounding();
    if (found == CrossingLocator::Found::crossing && !moves_clearly &&
        locator.reconsider() == CrossingLocator::Found::nothing) {
      go_on_from(locator.good_fraction(), integrator.length());
      continue;
    }
    if (found != CrossingLocator::Found::not_evaluable) {
      if (locator.longest_step() < kMostGrowth * integrator.length()) {
        limit_next_step(locator.longest_step());
      }
      step_open = true;
      step_has_event =
          found == CrossingLocator::Found::crossing ||
          ((approaching || integrator.was_discarded()) && end < barrier && look_beyond(barrier));
      step_stop = step_has_event ? locator.time().time : end;
      if (step_stop > unevaluable_time) {
        unevaluable_steps = 0;
      }
      return;
    }
    if (++unevaluable_steps > kMostUnevaluable) {
      throw IntegrationError(IntegrationError::Reason::not_evaluable, t, integrator.length(), "",
                             "the event indicators discard every point ahead");
    }
    unevaluable_time = integrator.time_at(locator.bad_fraction());
    go_on_from(locator.good_fraction(), 0.25 * integrator.length());
  }
}

void IntegratedModel::State::limit_next_step(double longest) {
  const double planned = integrator.propose_step(longest);
  if (planned < longest) {
    integrator.propose_step(planned);
  }
}

// Keeps the part of the last step up to a fraction of it; the next is to have another length. The
// error of a step that was not to be taken says nothing.
void IntegratedModel::State::go_on_from(double fraction, double step) {
  rest_on_curve(fraction, integrator.time_at(fraction));
  if (fraction == 0.0) {
    t_rest = integrator.instant_at(0.0, 0.0).rest;
  }
  restart();
  integrator.propose_step(step, Integrator::LastError::says_nothing);
}

// No step can end beyond a surface on whose far side the equations are not defined. Looks for the
// event beyond the end of this one; where it is still too far off, the next step is to end just
// short of it.
bool IntegratedModel::State::look_beyond(double barrier) {
  // Each step leaves a twentieth of the way, or a fifth, or three quarters if it had to be
  // shortened again: after so many the surface is not where it seems to be.
  constexpr int kMostApproaches = 40;
  if (locator.search_beyond(barrier) == CrossingLocator::Found::crossing ||
      comes_to_rest(barrier) || is_within_rounding(barrier)) {
    return true;
  }
  if (locator.step_towards() < kNever && approach_steps < kMostApproaches) {
    const double planned = integrator.propose_step(locator.step_towards());
    if (integrator.was_rejected() && planned < locator.step_towards()) {
      integrator.propose_step(planned);
    }
    if (!approaching) {
      approaching = true;
      after_approach = integrator.was_discarded() ? 4.0 * integrator.length() : planned;
    }
    ++approach_steps;
    ++locator.stats.approaches;
  } else {
    approaching = false;
  }
  return false;
}

// Unknowns that rest may be told to a hundredth of the tolerance, as are those near zero.
bool IntegratedModel::State::comes_to_rest(double barrier) {
  // What rests may be told with a hundredth of the tolerance: a tenth would show in the digits
  // asked for.
  constexpr double kNearZero = 0.01;
  accuracy.resize(y.size());
  nominals.resize(y.size());
  model.nominals(nominals);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double nominal = std::isfinite(nominals[i]) ? nominals[i] : 1.0;
    accuracy[i] = kNearZero * tolerance * std::max(std::fabs(y[i]), nominal);
  }
  return locator.search_rest(barrier, accuracy) == CrossingLocator::Found::crossing;
}

// Whether the end of a step that is short beside the run is as near to a surface as it can get.
bool IntegratedModel::State::is_within_rounding(double barrier) {
  if (integrator.length() > kShort * length) {
    return false;
  }
  std::vector<double> end(y.size()), slope(y.size());
  integrator.interpolate(1.0, end);
  integrator.slope(1.0, slope);
  each(slope.size(), [&](std::size_t i) { slope[i] /= integrator.length(); });
  return locator.search_rounding(integrator.end(), end, slope,
                                 std::min(kShort * length, barrier - integrator.end()));
}

// A model that measures how fast its inputs change has seen them before the kink only. It is asked
// once at a time beyond, so that it knows at the kink what follows.
void IntegratedModel::State::look_beyond_kink(double barrier) {
  constexpr double kBeyond = 0.2;  // of a step, as the second stage of the next one would be
  const double room = std::min({integrator.length(), barrier - t, next_kink() - t});
  if (model.is_explicit()) {
    static_cast<void>(model.derivatives(t + kBeyond * room, y, yp));
  }
}

// The steps that led to the event say nothing about those that follow it.
void IntegratedModel::State::end_approach() {
  approaching = false;
  const double planned = integrator.propose_step(after_approach);
  if (planned > after_approach) {
    integrator.propose_step(planned);
  }
}

}  // namespace saltus
