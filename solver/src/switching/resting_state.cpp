// SPDX-License-Identifier: BSD-2-Clause
#include "resting_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/core/error.hpp"

namespace saltus {
namespace {

// Near the start of a run, this part of its length stands in for the time elapsed.
constexpr double kEarly = 1e-3;
// Directions and responses that differ by more have turned.
constexpr double kTurned = 1e-4;
// Smaller impacts, as part of the largest one, say nothing about lines and restitution: rounding.
constexpr double kSure = 1e-4;
// So much of the largest impact's speed is no speed.
constexpr double kStill = 1e-6;
// How far a released indicator is held off, as part of the way that the speed of the largest impact
// would have led since the start.
constexpr double kHeldOff = 1e-12;
constexpr int kProjections = 3;
// A flight that rises by no more roundings than this, of what the distance is computed from, is
// none: impacts would follow each other for ever at the pace of the rounding.
constexpr double kRoundings = 16.0;

}  // namespace

double RestingModel::State::elapsed(double t) const {
  const double run = experiment.stop - experiment.start;
  return std::max(t - experiment.start, std::isfinite(run) ? kEarly * run : 0.0);
}

void RestingModel::State::refuse(const Contact& contact, double t, const std::string& why) const {
  throw ModelError("RestingModel", t,
                   "impacts of \"" + model.indicator_name(contact.indicator) +
                       "\" accumulate, but " + why +
                       "; let the model itself come to rest, by a discrete variable that its "
                       "impact sets when the rebound has become small enough");
}

bool RestingModel::State::forces(double t, ConstVec y, ConstVec slope,
                                 std::vector<double>& lambda) {
  if (!motion.accelerations(contacts, t, y, slope, lambda)) {
    return false;
  }
  for (double& a : lambda) {
    a = -a;
  }
  lambda = solve(matrix, lambda);
  return std::all_of(lambda.begin(), lambda.end(), [](double l) { return std::isfinite(l); });
}

// The distance is mended along what J does to the slope, then the speed along J.
Eval RestingModel::State::mend(double t, Vec y) {
  std::vector<double> error(contacts.size());
  for (int round = 0; round < kProjections; ++round) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      error[i] = motion.distance(contacts[i], t, y);
    }
    error = solve(matrix, error);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      for (std::size_t k = 0; k < y.size(); ++k) {
        y[k] -= error[i] * contacts[i].lift[k];
      }
    }
    if (model.derivatives(t, y, f) == Eval::discard) {
      return Eval::discard;
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      error[i] = motion.rate(contacts[i], t, y, f);
    }
    error = solve(matrix, error);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      for (std::size_t k = 0; k < y.size(); ++k) {
        y[k] -= error[i] * contacts[i].j[k];
      }
    }
  }
  const bool finite = std::all_of(y.begin(), y.end(), [](double v) { return std::isfinite(v); });
  return finite ? Eval::ok : Eval::discard;
}

// Whether the event under way was an impact; fills the contact that it suggests. Impacts act along
// one line if what they do to the states is a multiple of what the one before did.
bool RestingModel::State::note_impact(double t, ConstVec y, Contact& contact) {
  if (arrival.changed.size() != 1 || std::equal(y.begin(), y.end(), arrival.y.begin())) {
    return false;
  }
  contact.indicator = arrival.changed[0];
  contact.side = positive[contact.indicator] != 0 ? 1.0 : -1.0;
  Impacts& past = impacts[contact.indicator];
  contact.j.resize(y.size());
  for (std::size_t k = 0; k < y.size(); ++k) {
    contact.j[k] = past.change.empty() ? y[k] - arrival.y[k] : past.change[k];
  }
  const double rebound = motion.rate(contact, t, y, f);
  const double speed = rebound - arrival.speed;
  if (arrival.speed < 0.0 && speed > kSure * past.largest) {
    double size = 0.0, mismatch = 0.0, along = 0.0, length = 0.0;
    for (std::size_t k = 0; k < past.change.size(); ++k) {
      along += past.change[k] * (y[k] - arrival.y[k]) / (nominal[k] * nominal[k]);
      length += past.change[k] * past.change[k] / (nominal[k] * nominal[k]);
    }
    for (std::size_t k = 0; k < y.size(); ++k) {
      const double change = y[k] - arrival.y[k];
      const double expected = past.change.empty() ? change : past.change[k] * along / length;
      size = std::max(size, std::fabs(change) / nominal[k]);
      mismatch = std::max(mismatch, std::fabs(change - expected) / nominal[k]);
      contact.j[k] = change;
    }
    past.turned = mismatch > kTurned * size;
    past.change = contact.j;
    past.largest = std::max(past.largest, speed);
    past.speed = speed;
    past.ratio = std::max(0.0, rebound) / -arrival.speed;
  }
  for (double& j : contact.j) {
    j *= past.largest / past.speed;
  }
  return !past.change.empty();
}

// By how much the distance changes if each unknown is another by one rounding.
double RestingModel::State::rounding(const Contact& contact, double t, ConstVec y) {
  constexpr double kSome = 8.0;  // one alone may be lost on the way
  std::vector<double> beside(y.begin(), y.end());
  const double here = motion.distance(contact, t, y, 0.0);
  double sum = 0.0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    beside[k] += kSome * std::numeric_limits<double>::epsilon() * std::fabs(y[k]);
    sum += std::fabs(motion.distance(contact, t, beside, 0.0) - here) / kSome;
    beside[k] = y[k];
  }
  return sum;
}

// With the candidate as the last of `contacts`: is what follows this impact not worth simulating?
bool RestingModel::State::comes_to_rest(double t, ConstVec y, const Contact& contact) {
  const double rebound = std::max(0.0, motion.rate(contact, t, y, f));
  const double ratio = impacts[contact.indicator].ratio;
  std::vector<double> lambda;
  if (!(ratio < 1.0) || !motion.responses(contacts, t, y, f, matrix) || !(matrix.back() > 0.0) ||
      !forces(t, y, f, lambda) ||
      !std::all_of(lambda.begin(), lambda.end(), [](double l) { return l > 0.0; })) {
    return false;
  }
  // A flight that starts with h' = rebound lasts twice rebound / -h''; each next one is shorter by
  // the same ratio.
  const double deceleration = lambda.back() * matrix.back();
  const double left = 2.0 * rebound / (deceleration * (1.0 - ratio));
  const double rise = 0.5 * rebound * rebound / deceleration;
  if (!(left <= options.negligible * elapsed(t)) &&
      !(rise <= kRoundings * rounding(contact, t, y))) {
    return false;
  }
  if (impacts[contact.indicator].turned) {
    refuse(contact, t, "the last two moved the states along different lines");
  }
  const double moved =
      std::fabs(motion.distance(contact, t, y, 1.0) - motion.distance(contact, t, y, 0.5));
  if (!(moved <= kStill * matrix.back() * elapsed(t))) {
    refuse(contact, t, "what the indicator shows depends on what the impact moves");
  }
  return true;
}

// After an event: drops the contacts that do not rest any more. Returns whether there were such.
bool RestingModel::State::drop_contacts(double t, ConstVec y) {
  const std::size_t before = contacts.size();
  const auto drop = [&](const auto& ends) {
    for (std::size_t i = contacts.size(); i-- > 0;) {
      if (ends(i)) {
        contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  };
  drop([&](std::size_t i) { return contacts[i].leaves; });
  if (contacts.empty() || !motion.responses(contacts, t, y, f, matrix)) {
    contacts.clear();
    return before > 0;
  }
  const std::size_t n = contacts.size();
  drop([&](std::size_t i) {
    const double still = kStill * matrix[i * n + i];
    return !(std::fabs(motion.rate(contacts[i], t, y, f)) <= still &&
             std::fabs(motion.distance(contacts[i], t, y)) <= still * elapsed(t));
  });
  std::vector<double> lambda;
  while (!contacts.empty()) {
    if (!motion.responses(contacts, t, y, f, matrix) || !forces(t, y, f, lambda)) {
      contacts.clear();
      break;
    }
    const auto least = std::min_element(lambda.begin(), lambda.end());
    if (*least > 0.0) {
      break;
    }
    contacts.erase(contacts.begin() + (least - lambda.begin()));
  }
  return contacts.size() < before;
}

SlidingChange RestingModel::State::update_contacts(double t, Vec y) {
  if (model.derivatives(t, y, f) == Eval::discard) {
    contacts.clear();
    return SlidingChange::none;
  }
  std::vector<char> rested(positive.size(), 0);
  for (const Contact& contact : contacts) {
    rested[contact.indicator] = 1;
  }
  SlidingChange change = drop_contacts(t, y) ? SlidingChange::left : SlidingChange::none;
  Contact candidate;
  if (note_impact(t, y, candidate)) {
    contacts.push_back(candidate);
    if (comes_to_rest(t, y, contacts.back())) {
      change = SlidingChange::rested;
    } else {
      contacts.pop_back();
    }
  }
  if (!contacts.empty()) {
    if (!motion.responses(contacts, t, y, f, matrix) || mend(t, y) == Eval::discard) {
      throw ModelError("RestingModel", t, "the point of rest cannot be evaluated");
    }
  }
  // Where the rest has ended, rounding is not to be taken for the next impact.
  for (const Contact& contact : contacts) {
    rested[contact.indicator] = 0;
  }
  for (std::size_t i = 0; i < rested.size(); ++i) {
    held_off[i] = rested[i] != 0 ? kHeldOff * impacts[i].largest * elapsed(t) : 0.0;
  }
  return change;
}

void RestingModel::State::check_turning(double t, ConstVec y) {
  std::vector<Contact> now = contacts;
  std::vector<double> responses;
  if (model.derivatives(t, y, f) == Eval::discard || !motion.responses(now, t, y, f, responses)) {
    return;
  }
  const std::size_t n = now.size();
  for (std::size_t i = 0; i < n * n; ++i) {
    const std::size_t row = i / n;
    if (!(std::fabs(responses[i] - matrix[i]) <= kTurned * matrix[row * n + row])) {
      refuse(now[row], t, "the surface turns under the motion that rests on it");
    }
  }
}

}  // namespace saltus
