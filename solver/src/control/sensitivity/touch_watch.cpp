// SPDX-License-Identifier: BSD-2-Clause
#include "touch_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/saved_bytes.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus::modeling {

Directional* TouchWatch::exact(DescribedModel& model) {
  Directional* const own = model.capabilities().directional;
  return own != nullptr && own->follows_motion() ? own : nullptr;
}

std::string TouchWatch::Touch::why() const {
  return "is touched, or all but touched, at t = " + number_text(time) +
         " and not crossed: with other parameters there would be an event (a smaller tolerance "
         "may tell more)";
}

const char* TouchWatch::why_flat() {
  return "is met so flatly that the run does not tell whether it is crossed or touched: how the "
         "time of this event depends on parameters is not known (a smaller tolerance may tell)";
}

// The indicators and how fast they change along the motion.
Eval TouchWatch::look(double t, ConstVec y, Vec z, Vec rates) {
  motion_.time = 1.0;
  motion_.unknowns.resize(y.size());
  if (model_.derivatives(t, y, motion_.unknowns) == Eval::discard) return Eval::discard;
  if (IndicatorRates* const known = model_.capabilities().indicator_rates) {
    if (known->indicator_rates(t, y, motion_.unknowns, rates) == Eval::discard) {
      return Eval::discard;
    }
    return model_.indicators(t, y, z);
  }
  motion_.numbers.resize(model_.variables().size());
  if (exact(model_)->indicators_along(t, y, motion_, rates) == Eval::discard) return Eval::discard;
  return model_.indicators(t, y, z);
}

void TouchWatch::begin(double t, ConstVec y, double tolerance) {
  watch_ = {};
  tolerance_ = tolerance;
  nominals_.resize(y.size());
  model_.nominals(nominals_);
  const std::size_t count = model_.shape().indicators;
  if (count == 0 || exact(model_) == nullptr) return;
  watch_.z.resize(count);
  watch_.rates.resize(count);
  if (look(t, y, watch_.z, watch_.rates) == Eval::discard) return;
  watch_.begin = watch_.time = t;
  watch_.y.assign(y.begin(), y.end());
  watch_.sizes.resize(count);
  std::transform(watch_.z.begin(), watch_.z.end(), watch_.sizes.begin(),
                 [](double z) { return std::fabs(z); });
}

// A step has been taken, in which no event was found.
std::optional<TouchWatch::Touch> TouchWatch::step(double t, ConstVec y) {
  const std::size_t count = watch_.z.size();
  if (count == 0 || count != model_.shape().indicators || exact(model_) == nullptr) return {};
  z_.resize(count);
  rates_.resize(count);
  if (look(t, y, z_, rates_) == Eval::discard) {
    watch_ = {};
    return {};
  }
  const double length = t - watch_.time;
  for (std::size_t i = 0; i < count; ++i) {
    watch_.sizes[i] = std::max(watch_.sizes[i], std::fabs(z_[i]));
    const double side = watch_.z[i] > 0.0 ? 1.0 : -1.0;
    const double begin = side * watch_.z[i], end = side * z_[i];
    const double down = -side * watch_.rates[i] * length, up = side * rates_[i] * length;
    const double blur = tolerance_ * watch_.sizes[i];
    // It came nearer and goes away again, by more than noise.
    constexpr double kMoves = 4.0;
    if (!(end > 0.0 && down > kMoves * blur && up > kMoves * blur)) continue;
    // The tangents at both ends meet below the curve, if it bends one way; a part is for others.
    const double meeting = begin - down * (begin - end + up) / (down + up);
    // Larger ones go through more steps again, smaller ones believe more in one bend a step.
    constexpr double kPart = 0.1;
    if (meeting > blur + kPart * (begin + end)) continue;
    if (const auto touch = check_touch(i, t, y, side)) return touch;
  }
  watch_.time = t;
  watch_.y.assign(y.begin(), y.end());
  std::swap(watch_.z, z_);
  std::swap(watch_.rates, rates_);
  return {};
}

// Whether small steps lead from the last point to this one; they do not where equations are stiff.
bool TouchWatch::can_follow(double end, ConstVec y, int parts) {
  std::vector<double> at = watch_.y;
  const double step = (end - watch_.time) / parts;
  for (int i = 0; i < parts; ++i) {
    if (!follow(watch_.time + i * step, step, at)) return false;
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double way = std::fabs(y[i] - watch_.y[i]);
    // More accurate than an integrator at its loosest; where the way back is worse, the touch is
    // not looked for.
    constexpr double kWay = 1e-3;
    if (!(std::fabs(at[i] - y[i]) <=
          kWay * way + tolerance_ * std::max(nominals_[i], std::fabs(y[i])))) {
      return false;
    }
  }
  return true;
}

// Goes through the step again, in small ones, to where the indicator is nearest to zero.
std::optional<TouchWatch::Touch> TouchWatch::check_touch(std::size_t indicator, double end,
                                                         ConstVec y_end, double side) {
  // Sixteen steps of order four are 6e4 times as accurate as one; forty halvings of one come to
  // rounding.
  constexpr int kParts = 16, kHalvings = 40;
  const std::size_t count = watch_.z.size();
  std::vector<double> y = watch_.y, z(count), rates(count);
  if (!can_follow(end, y_end, kParts)) return {};
  double t = watch_.time, step = (end - t) / kParts;
  double nearest = side * watch_.z[indicator];
  for (int i = 0; i < kParts + kHalvings; ++i) {
    std::vector<double> next = y;
    if (!follow(t, step, next) || look(t + step, next, z, rates) == Eval::discard) return {};
    nearest = std::min(nearest, side * z[indicator]);
    if (side * rates[indicator] > 0.0) {
      step *= 0.5;  // it is before that
    } else {
      y = std::move(next);
      t += step;
    }
    if (i >= kParts) step = std::min(step, end - t);
  }
  if (nearest > tolerance_ * watch_.sizes[indicator]) return {};
  if (watch_.sizes[indicator] <= roundings_of(indicator)) return {};
  return Touch{.indicator = indicator, .time = t};
}

// One step of the classical method of Runge and Kutta.
bool TouchWatch::follow(double t, double step, std::vector<double>& y) {
  const std::vector<double> start = y;
  std::vector<double> sum(y.size(), 0.0), slope(y.size()), at = start;
  constexpr double kPlaces[] = {0.0, 0.5, 0.5, 1.0};
  constexpr double kWeights[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  for (int stage = 0; stage < 4; ++stage) {
    if (stage > 0) {
      for (std::size_t i = 0; i < y.size(); ++i)
        at[i] = start[i] + kPlaces[stage] * step * slope[i];
    }
    if (model_.derivatives(t + kPlaces[stage] * step, at, slope) == Eval::discard) return false;
    for (std::size_t i = 0; i < y.size(); ++i) sum[i] += kWeights[stage] * slope[i];
  }
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = start[i] + step * sum[i];
  return true;
}

// How much of an indicator may be noise of the unknowns: one that is zero in truth is no larger.
double TouchWatch::roundings_of(std::size_t indicator) {
  // Of the size of the unknowns. Smaller ones take the noise of a run for a touch, larger ones miss
  // touches of small indicators.
  constexpr double kNoise = 1e-9;
  Direction sizes{.time = 0.0,
                  .unknowns = std::vector<double>(watch_.y.size()),
                  .numbers = std::vector<double>(model_.variables().size(), 0.0)};
  for (std::size_t i = 0; i < watch_.y.size(); ++i) {
    const double weight = 0.75 + 0.5 * std::fmod(0.618034 * static_cast<double>(i + 1), 1.0);
    sizes.unknowns[i] = weight * std::max(nominals_[i], std::fabs(watch_.y[i]));
  }
  std::vector<double> rates(watch_.z.size());
  if (exact(model_)->indicators_along(watch_.time, watch_.y, sizes, rates) == Eval::discard)
    return kNever;
  return kNoise * std::fabs(rates[indicator]);
}

// A point a little before (t, y) and how long before, on a motion that leads back to y; where the
// equations are too stiff for that, the last step's end.
std::pair<double, std::vector<double>> TouchWatch::point_before(double t, ConstVec y,
                                                                ConstVec slope) {
  double fastest = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    fastest = std::max(fastest, std::fabs(slope[i]) / std::max(nominals_[i], std::fabs(y[i])));
  }
  // Of the time in which something changes by its size: the difference over it loses four digits
  // and has an error of the same size.
  constexpr double kPart = 1e-4;
  const double back = std::min(fastest > 0.0 ? kPart / fastest : kPart, 0.5 * (t - watch_.begin));
  std::vector<double> before(y.begin(), y.end());
  if (follow(t, -back, before)) {
    std::vector<double> again = before;
    bool leads_back = follow(t - back, back, again);
    for (std::size_t i = 0; leads_back && i < y.size(); ++i) {
      // Stiff equations are off by whole parts of the way, others by rounding.
      constexpr double kWay = 1e-3;
      constexpr double kRoundings = 1e-13;
      leads_back = std::fabs(again[i] - y[i]) <=
                   kWay * std::fabs(back * slope[i]) + kRoundings * std::fabs(y[i]);
    }
    if (leads_back) return {back, std::move(before)};
  }
  return {t - watch_.time, watch_.y};
}

// Whether an indicator is met so flatly that it might as well turn back: where its second
// derivative goes on as it is, it gets no farther beyond zero than the run knows it.
bool TouchWatch::is_flat(double t, ConstVec y, std::size_t indicator, ConstVec slope) {
  if (exact(model_) == nullptr || indicator >= watch_.sizes.size() || !(t > watch_.begin))
    return false;
  const auto [back, before] = point_before(t, y, slope);
  const std::size_t count = watch_.z.size();
  std::vector<double> z(count), now(count), earlier(count);
  if (!(back > 0.0) || look(t, y, z, now) == Eval::discard ||
      look(t - back, before, z, earlier) == Eval::discard) {
    return false;
  }
  const double rate = now[indicator];
  const double bend = std::fabs(rate - earlier[indicator]) / back;
  // It has to turn back for that.
  const bool slows = std::fabs(earlier[indicator]) > std::fabs(rate);
  const double beyond = 0.5 * rate * rate / bend;
  return slows && beyond <= tolerance_ * watch_.sizes[indicator];
}

void TouchWatch::append_to(std::vector<std::byte>& bytes) const {
  append(bytes, std::vector<double>{watch_.begin, watch_.time});
  for (const auto* each : {&watch_.y, &watch_.z, &watch_.rates, &watch_.sizes}) {
    append(bytes, *each);
  }
}

bool TouchWatch::take_from(std::span<const std::byte>& bytes, std::size_t unknowns) {
  const std::vector<double> at = take<double>(bytes);
  for (auto* each : {&watch_.y, &watch_.z, &watch_.rates, &watch_.sizes}) {
    *each = take<double>(bytes);
  }
  const std::size_t watched = watch_.z.size();
  if (at.size() != 2 || (watch_.y.size() != unknowns && watched != 0) ||
      watch_.rates.size() != watched || watch_.sizes.size() != watched) {
    return false;
  }
  watch_.begin = at.front();
  watch_.time = at.back();
  nominals_.resize(unknowns);
  model_.nominals(nominals_);
  return true;
}

}  // namespace saltus::modeling
