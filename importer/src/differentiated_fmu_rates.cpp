// SPDX-License-Identifier: BSD-2-Clause
// Derivatives between events: of an FMU along its motion, and from one neighbour to the other.
#include <algorithm>
#include <cmath>
#include <limits>

#include "differentiated_fmu.hpp"
#include "differentiated_fmu_attempt.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus::importer {
namespace {

// Along a stretch on which nothing changes by more than a part of its size.
constexpr double kMotionStride = 1e-5;
// Of that stretch: differences over less are roundings.
constexpr double kLeastRoom = 0.1;
constexpr int kMostComparisons = 3;

Eval slopes_of(FmuModel& fmu, double t, ConstVec y, Vec values) {
  return fmu.derivatives(t, y, values);
}
Eval indicators_of(FmuModel& fmu, double t, ConstVec y, Vec values) {
  return fmu.indicators(t, y, values);
}

}  // namespace

double DifferentiatedFmu::scale(ConstVec y, std::size_t i) const {
  return std::max(nominals_[i], std::fabs(y[i]));
}

// Central, or where time passes from behind: what comes after an event has nothing to do with the
// motion before it. So soon after an event that there is no room behind, from ahead. All are of
// second order.
Eval DifferentiatedFmu::along_motion(double t, ConstVec y, const Direction& direction, Vec rates,
                                     const Read& read) {
  double largest = std::fabs(direction.time);
  for (std::size_t i = 0; i < y.size(); ++i) {
    largest = std::max(largest, std::fabs(direction.unknowns[i]) / scale(y, i));
  }
  std::fill(rates.begin(), rates.end(), 0.0);
  if (largest == 0.0) return Eval::ok;
  double step = kMotionStride / largest;
  struct Term {
    double place, weight;
  };
  std::vector<Term> terms{{1.0, 0.5}, {-1.0, -0.5}};
  if (direction.time != 0.0) {
    terms = {{0.0, 1.5}, {-1.0, -2.0}, {-2.0, 0.5}};
    const double room = 0.5 * (t - phase_begin_) / direction.time;
    if (room > kLeastRoom * step) {
      step = std::min(step, room);
    } else {
      step = -step;
    }
  }
  std::vector<double> at(y.size()), values(rates.size());
  for (const Term& term : terms) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      at[i] = y[i] + term.place * step * direction.unknowns[i];
    }
    if (read(fmu_, t + term.place * step * direction.time, at, values) == Eval::discard) {
      return Eval::discard;
    }
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] += term.weight / step * values[i];
  }
  return Eval::ok;
}

// The slope at 0 of the parabola through 0 and what is `up` at one shift and `down` at the other.
double DifferentiatedFmu::Followed::slope(double up, double down) const {
  const double ahead = neighbours[0].shift, behind = -neighbours[1].shift;
  return (up * behind / ahead - down * ahead / behind) / (ahead + behind);
}

// One shift is twice the other, so that a jump shows as a bend even if it is the same on both
// sides.
bool DifferentiatedFmu::Followed::is_smooth(double up, double down, double of_size) const {
  constexpr double kMostBend = 1e-2, kNoise = 1e-9;
  const double ahead = neighbours[0].shift, behind = -neighbours[1].shift;
  const double rate_up = up / ahead, rate_down = -down / behind;
  return std::fabs(rate_up - rate_down) <=
         kMostBend * std::max(std::fabs(rate_up), std::fabs(rate_down)) + kNoise * of_size / behind;
}

// A difference over very little of a parameter may be rounding more than anything else.
void DifferentiatedFmu::check_rounding(double t, Followed& p, double up, double down,
                                       double of_size) {
  constexpr double kRoundings = 0x1p-50, kShows = 1e-6;
  const double error = kRoundings * of_size / -p.neighbours[1].shift;
  const double known = kShows * std::max(std::fabs(p.slope(up, down)), of_size);
  if (p.is_told || (up == 0.0 && down == 0.0) || error <= known) return;
  p.is_told = true;
  warn(experiment_,
       {.time = t,
        .subject = p.variable->name,
        .message = "is so near to zero that derivatives by it are uncertain by some " +
                   saltus::number_text(std::pow(10.0, std::round(std::log10(error)))) +
                   ": rounding shows in differences over so little (a nominal value of it, in the "
                   "description of the FMU, would help)"});
}

// What a neighbour differs by from the FMU. It has no motion before its own last event, nor after
// its next: where it cannot be asked at t, both are asked at the nearest time at which it can, and
// as far behind that, from which the way to t is straight enough.
Eval DifferentiatedFmu::beside(double t, ConstVec y, Neighbour& n, Vec values, const Read& read) {
  const double last = std::max(n.time, n.next);
  const double at = std::clamp(t, n.time, last);
  const double farther = std::clamp(2.0 * at - t, n.time, last);
  std::vector<double> its(values.size()), own(values.size());
  const auto differ = [&](double time, double weight) {
    Eval answer = Eval::ok;
    attempt(n, [&] { answer = read(*n.model, time, y, its); });
    if (lost_) return Eval::ok;
    if (answer == Eval::discard || read(fmu_, time, y, own) == Eval::discard) return Eval::discard;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += weight * (its[i] - own[i]);
    return Eval::ok;
  };
  std::fill(values.begin(), values.end(), 0.0);
  if (differ(at, at == t ? 1.0 : 2.0) == Eval::discard) return Eval::discard;
  if (at != t && differ(farther, -1.0) == Eval::discard) return Eval::discard;
  if (lost_) std::fill(values.begin(), values.end(), 0.0);
  return Eval::ok;
}

Eval DifferentiatedFmu::between_neighbours(double t, ConstVec y, Followed& p, Vec rates,
                                           const Read& read) {
  std::vector<double> up(rates.size()), down(rates.size());
  if (beside(t, y, p.neighbours[0], up, read) == Eval::discard ||
      beside(t, y, p.neighbours[1], down, read) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = p.slope(up[i], down[i]);
  return Eval::ok;
}

Eval DifferentiatedFmu::along(double t, ConstVec y, const Direction& direction, Vec rates,
                              const Read& read) {
  if (along_motion(t, y, direction, rates, read) == Eval::discard) return Eval::discard;
  if (!direction.parameter || lost_) return Eval::ok;
  std::vector<double> by_parameter(rates.size());
  const Eval answer =
      between_neighbours(t, y, followed_.at(*direction.parameter), by_parameter, read);
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] += by_parameter[i];
  return answer;
}

Eval DifferentiatedFmu::derivatives_along(double t, ConstVec y, const Direction& direction,
                                          Vec rates) {
  if (!trusts_slopes_along_ || direction.time != 0.0) {
    return along(t, y, direction, rates, slopes_of);
  }
  if (fmu_.slopes_along(t, y, direction.unknowns, rates) == Eval::discard) {
    trusts_slopes_along_ = false;
    warn(experiment_, {.time = t,
                       .subject = "",
                       .message = "the FMU discards its directional derivatives; differences are "
                                  "used for sensitivities"});
    return along(t, y, direction, rates, slopes_of);
  }
  verify_slopes(t, y, direction, rates);
  if (!trusts_slopes_along_) return along(t, y, direction, rates, slopes_of);
  if (!direction.parameter || lost_) return Eval::ok;
  std::vector<double> by_parameter(rates.size());
  const Eval answer =
      between_neighbours(t, y, followed_.at(*direction.parameter), by_parameter, slopes_of);
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] += by_parameter[i];
  return answer;
}

// An FMU may claim what is not so; the first directions in which each state moves are compared.
void DifferentiatedFmu::verify_slopes(double t, ConstVec y, const Direction& direction,
                                      ConstVec claimed) {
  bool is_known = true;
  for (std::size_t i = 0; i < y.size(); ++i) {
    is_known = is_known && (direction.unknowns[i] == 0.0 || comparisons_[i] >= kMostComparisons);
  }
  std::vector<double> found(claimed.size());
  if (is_known || along_motion(t, y, direction, found, slopes_of) == Eval::discard) return;
  double largest = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    comparisons_[i] += direction.unknowns[i] != 0.0 ? 1 : 0;
    largest = std::max(largest, std::fabs(found[i]) / scale(y, i));
  }
  constexpr double kSame = 1e-4, kSmall = 1e-6;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double bound = kSame * std::fabs(found[i]) + kSmall * largest * scale(y, i);
    if (std::fabs(found[i] - claimed[i]) <= bound) continue;
    trusts_slopes_along_ = false;
    warn(experiment_, {.time = t,
                       .subject = "",
                       .message = "the directional derivatives of the FMU are not those of its "
                                  "equations; differences are used for sensitivities"});
    return;
  }
}

Eval DifferentiatedFmu::indicators_along(double t, ConstVec y, const Direction& direction,
                                         Vec rates) {
  return along(t, y, direction, rates.first(fmu_.shape().indicators), indicators_of);
}

Eval DifferentiatedFmu::variables_along(double t, ConstVec y, const Direction& direction,
                                        Vec rates) {
  if (!in_event_) {
    const Eval answer = along(t, y, direction, rates, read_values_);
    return lost_ ? Eval::discard : answer;
  }
  // A run that has ended in an event: each is where its own end is.
  std::fill(rates.begin(), rates.end(), 0.0);
  if (!direction.parameter || !is_placed_ || lost_) return Eval::discard;
  Followed& p = followed_.at(*direction.parameter);
  std::vector<double> own(rates.size());
  std::vector<double> beside[2] = {own, own};
  if (read_values_(fmu_, t, y, own) == Eval::discard) return Eval::discard;
  for (std::size_t side = 0; side < 2; ++side) {
    Neighbour& n = p.neighbours[side];
    attempt(n, [&] { static_cast<void>(read_values_(*n.model, n.time, n.y, beside[side])); });
  }
  for (std::size_t i = 0; i < rates.size(); ++i) {
    rates[i] = p.slope(beside[0][i] - own[i], beside[1][i] - own[i]);
  }
  return lost_ ? Eval::discard : Eval::ok;
}

// The first of those that the FMU and its neighbours announce.
std::vector<double> DifferentiatedFmu::clocks_along(double t, ConstVec,
                                                    const Direction& direction) {
  if (!direction.parameter || lost_ || !(t >= next_event_)) return {};
  const Followed& p = followed_.at(*direction.parameter);
  const double up = p.neighbours[0].next - next_event_, down = p.neighbours[1].next - next_event_;
  const double moved = p.slope(up, down);
  if (!std::isfinite(moved)) {
    lose("an event at a given time",
         "is not announced any more where " + p.variable->name + " is changed a little");
  } else if (!p.is_smooth(up, down, std::fabs(t))) {
    lose("an event at a given time",
         "does not follow small changes of " + p.variable->name +
             " smoothly: perhaps several meet here, of which another one would come first");
  } else {
    return {moved};
  }
  return {};
}

// They hear of a step when the next one is there: an event may end this one, and theirs may be a
// little earlier.
void DifferentiatedFmu::accept(double t, ConstVec y, const std::vector<Direction>& directions) {
  for (std::size_t k = 0; k < followed_.size(); ++k) {
    Followed& p = followed_[k];
    for (Neighbour& n : p.neighbours) {
      attempt(n, [&] {
        if (n.waiting) {
          static_cast<void>(n.model->completed_step(std::max(*n.waiting, n.time), n.y_step));
        }
      });
      n.waiting = t;
      n.y_step.assign(y.begin(), y.end());
      for (std::size_t i = 0; i < y.size(); ++i) {
        n.y_step[i] += n.shift * directions[k].unknowns[i];
      }
    }
  }
}

}  // namespace saltus::importer
