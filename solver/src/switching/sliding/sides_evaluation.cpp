// SPDX-License-Identifier: BSD-2-Clause
#include "sides_evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/same_bits.hpp"

namespace saltus::sliding {
namespace {

// The stride of differences, relative to the size of the unknowns: errors of rounding and of the
// curvature balance for indicators of moderate curvature.
constexpr double kStride = 1e-5;
// With noise the balance lies at its third root. A longer stride sees another curvature.
constexpr double kLongest = 1e-3;
// What differs by less is rounding, not noise.
constexpr double kRounding = 1e-14;
// Looks for noise lie so near to each other, in the size of the unknowns, that nothing else
// changes.
constexpr double kNextTo = 1e-12;
// A stride that has to be shorter than this part of it drowns in rounding.
constexpr double kShortest = 1e-3;

}  // namespace

SidesEvaluation::SidesEvaluation(Model& model, Configurations& sides, SlidingStats& stats)
    : model_(model), sides_(sides), stats_(stats) {
  const Shape shape = model.shape();
  nominals_.resize(shape.unknowns());
  moved_.resize(shape.unknowns());
  direction_.resize(shape.unknowns());
  for (std::vector<double>* z : {&z0_, &z1_, &z2_}) {
    z->resize(shape.indicators);
  }
  forget_noise();
  read_nominals();
}

std::vector<std::size_t> SidesEvaluation::nearest(std::span<const Configurations::Slot> slots,
                                                  double t, ConstVec y) {
  std::vector<std::size_t> found(indicator_count(), 0);
  if (slots.size() < 2 || !sides_.nests_conditions()) return found;
  std::vector<double> z(indicator_count());
  std::vector<double> least(indicator_count(), std::numeric_limits<double>::infinity());
  for (std::size_t v = 0; v < slots.size(); ++v) {
    if (indicators(slots[v], t, y, z) == Eval::discard) continue;
    for (std::size_t i = 0; i < z.size(); ++i) {
      if (std::fabs(z[i]) < least[i]) {
        least[i] = std::fabs(z[i]);
        found[i] = v;
      }
    }
  }
  return found;
}

void SidesEvaluation::forget_noise() { recall_noise(false, std::vector<double>(z0_.size(), 0.0)); }

void SidesEvaluation::recall_noise(bool looked_for, std::vector<double> noises) {
  looked_for_noise_ = looked_for;
  noise_ = std::move(noises);
  largest_noise_ = noise_.empty() ? 0.0 : *std::max_element(noise_.begin(), noise_.end());
}

// Second differences of a smooth function over so little are rounding; of noise between -a and a
// they are up to 4 a, and among eight looks one of about 2 a is the rule.
void SidesEvaluation::look_for_noise(Configurations::Slot slot, double t, ConstVec y) {
  if (looked_for_noise_ || model_.capabilities().indicator_rates != nullptr) {
    return;
  }
  looked_for_noise_ = true;
  // Fewer find noise too small, more cost an evaluation each, once in a run.
  constexpr std::size_t kLooks = 8;
  std::vector<double> looks, moved(y.size());
  for (std::size_t k = 0; k < kLooks; ++k) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      moved[i] = y[i] + static_cast<double>(k) * kNextTo * std::max(reach(i), std::fabs(y[i]));
    }
    if (indicators(slot, t, moved, z0_) == Eval::discard) return;
    looks.insert(looks.end(), z0_.begin(), z0_.end());
  }
  const std::size_t count = z0_.size();
  for (std::size_t i = 0; i < count; ++i) {
    double largest = 0.0;
    for (std::size_t k = 0; k + 2 < kLooks; ++k) {
      const double* const z = &looks[k * count + i];
      largest = std::max(largest, std::fabs(z[0] - 2.0 * z[count] + z[2 * count]));
    }
    noise_[i] = 0.5 * largest;
  }
  recall_noise(true, noise_);
  if (noise() == 0.0) return;
  const std::vector<double> sizes = scales(slot, t, y);
  for (std::size_t i = 0; i < count; ++i) {
    const double relative = noise_[i] / sizes[i];
    noise_[i] = relative > kRounding && std::isfinite(relative) ? relative : 0.0;
  }
  recall_noise(true, noise_);
}

Eval SidesEvaluation::field(Configurations::Slot slot, double t, ConstVec y, Vec yp) {
  sides_.select(slot);
  ++stats_.rhs_evaluations;
  return model_.derivatives(t, y, yp);
}

Eval SidesEvaluation::remembered_field(Configurations::Slot slot, double t, ConstVec y, Vec yp) {
  for (const Remembered& known : remembered_) {
    if (known.slot == slot && same_bits(known.t, t) &&
        std::equal(y.begin(), y.end(), known.y.begin(), same_bits)) {
      std::copy(known.yp.begin(), known.yp.end(), yp.begin());
      return Eval::ok;
    }
  }
  if (field(slot, t, y, yp) == Eval::discard) return Eval::discard;
  remember_field(slot, t, y, yp);
  return Eval::ok;
}

void SidesEvaluation::remember_field(Configurations::Slot slot, double t, ConstVec y, ConstVec yp) {
  remembered_.push_back({slot, t, {y.begin(), y.end()}, {yp.begin(), yp.end()}});
}

void SidesEvaluation::forget_fields(Configurations::Slot slot) {
  std::erase_if(remembered_, [&](const Remembered& known) { return known.slot == slot; });
  std::erase_if(gradients_, [&](const Gradients& known) { return known.slot == slot; });
}

void SidesEvaluation::drop(Configurations::Slot slot) {
  forget_fields(slot);
  sides_.drop(slot);
}

void SidesEvaluation::drop_others(const std::vector<Configurations::Slot>& slots,
                                  const std::vector<Configurations::Slot>& kept) {
  for (auto one = slots.begin(); one != slots.end(); ++one) {
    if (std::find(kept.begin(), kept.end(), *one) == kept.end() &&
        std::find(slots.begin(), one, *one) == one) {
      drop(*one);
    }
  }
}

Eval SidesEvaluation::indicators(Configurations::Slot slot, double t, ConstVec y, Vec z) {
  sides_.select(slot);
  ++stats_.indicator_evaluations;
  return model_.indicators(t, y, z);
}

Eval SidesEvaluation::rates(Configurations::Slot slot, double t, ConstVec y, ConstVec v,
                            Vec rates) {
  sides_.select(slot);
  Eval answer = Eval::ok;
  if (IndicatorRates* const exact = model_.capabilities().indicator_rates; exact != nullptr) {
    ++stats_.rate_evaluations;
    answer = exact->indicator_rates(t, y, v, rates);
  } else {
    answer = differences(t, y, v, rates);
  }
  return answer == Eval::ok && inputs != nullptr ? add_input_rates(t, y, rates) : answer;
}

Eval SidesEvaluation::add_input_rates(double t, ConstVec y, Vec rates) {
  const double d = inputs->stride();
  if (d == 0.0) return Eval::ok;
  stats_.indicator_evaluations += 2;
  inputs->move(d);
  const Eval ahead = model_.indicators(t, y, z1_);
  inputs->move(-d);
  const Eval behind = model_.indicators(t, y, z2_);
  inputs->move(0.0);
  if (ahead == Eval::discard || behind == Eval::discard) return Eval::discard;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    rates[i] += (z1_[i] - z2_[i]) / (2.0 * d);
  }
  return Eval::ok;
}

// Forward in time where possible: an FMU need not look back beyond its last event, nor ahead beyond
// the end of the run or an announced event (FMI 3.0, 3.2.1).
double SidesEvaluation::stride(double t, double wanted) const {
  if (t + 2.0 * wanted <= times.latest) return wanted;
  if (t - 2.0 * wanted >= times.earliest) return -wanted;
  const double ahead = 0.5 * (times.latest - t), behind = 0.5 * (t - times.earliest);
  return ahead >= behind ? ahead : -behind;
}

// Second order, three looks. In no time at all the surfaces stand still.
Eval SidesEvaluation::differences(double t, ConstVec y, ConstVec v, Vec rates) {
  double fastest = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    fastest = std::max(fastest, std::fabs(v[i]) / std::max(nominals_[i], std::fabs(y[i])));
  }
  const double part = std::clamp(std::cbrt(noise()), kStride, kLongest);
  const double wanted = fastest > 0.0 ? part / fastest : part;
  const double possible = stride(t, wanted);
  const bool stands_still = std::fabs(possible) < kShortest * wanted;
  const double d = stands_still ? wanted : possible;
  const auto look = [&](double s, std::vector<double>& z) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      moved_[i] = y[i] + s * v[i];
    }
    ++stats_.indicator_evaluations;
    return model_.indicators(stands_still ? t : t + s, moved_, z);
  };
  if (look(0.0, z0_) == Eval::discard || look(d, z1_) == Eval::discard ||
      look(2.0 * d, z2_) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t i = 0; i < rates.size(); ++i) {
    rates[i] = (-3.0 * z0_[i] + 4.0 * z1_[i] - z2_[i]) / (2.0 * d);
  }
  return Eval::ok;
}

const SidesEvaluation::Gradients* SidesEvaluation::gradients(Configurations::Slot slot, double t,
                                                             ConstVec y) {
  // Of so many configurations, or points, at a time: more are asked again.
  constexpr std::size_t kMostRemembered = 16;
  for (const Gradients& known : gradients_) {
    if (known.slot == slot && same_bits(known.t, t) &&
        std::equal(y.begin(), y.end(), known.y.begin(), known.y.end(), same_bits)) {
      return &known;
    }
  }
  Gradients made{.slot = slot, .t = t, .y = {y.begin(), y.end()}, .rows = {}};
  made.rows.resize(z0_.size());
  std::vector<double> found(z0_.size()), by_time(z0_.size());
  std::fill(direction_.begin(), direction_.end(), 0.0);
  if (rates(slot, t, y, direction_, by_time) == Eval::discard) return nullptr;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (reach(i) == 0.0) continue;
    direction_[i] = nominals_[i];
    if (rates(slot, t, y, direction_, found) == Eval::discard) return nullptr;
    direction_[i] = 0.0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double slope = (found[k] - by_time[k]) / nominals_[i];
      if (slope != 0.0) made.rows[k].emplace_back(i, slope);
    }
  }
  if (gradients_.size() == kMostRemembered) gradients_.erase(gradients_.begin());
  gradients_.push_back(std::move(made));
  return &gradients_.back();
}

Eval SidesEvaluation::gradient(Configurations::Slot slot, double t, ConstVec y,
                               std::size_t indicator, Vec gradient) {
  const Gradients* const known = gradients(slot, t, y);
  if (known == nullptr) return Eval::discard;
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (const auto& [i, slope] : known->rows[indicator]) gradient[i] = slope;
  return Eval::ok;
}

// A direction that no plausible surface contains: every component in its own size, with signs and
// factors that follow no rule.
double SidesEvaluation::scale(Configurations::Slot slot, double t, ConstVec y,
                              std::size_t indicator) {
  return quick_scales(slot, t, y)[indicator];
}

std::vector<double> SidesEvaluation::quick_scales(Configurations::Slot slot, double t, ConstVec y) {
  std::vector<double> found(z0_.size()), at_rest(z0_.size()), sizes(z0_.size(), 1.0);
  std::fill(direction_.begin(), direction_.end(), 0.0);
  if (rates(slot, t, y, direction_, at_rest) == Eval::discard) return sizes;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double factor = std::sin(12.9898 * static_cast<double>(i + 1));
    const double size = reach(i) > 0.0 ? std::max(nominals_[i], std::fabs(y[i])) : 0.0;
    direction_[i] = size * (factor + (factor < 0.0 ? -0.5 : 0.5));
  }
  if (rates(slot, t, y, direction_, found) == Eval::discard) return sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double size = std::fabs(found[i] - at_rest[i]);
    sizes[i] = size > 0.0 && std::isfinite(size) ? size : 1.0;
  }
  return sizes;
}

std::vector<double> SidesEvaluation::scales(Configurations::Slot slot, double t, ConstVec y) {
  std::vector<double> found(z0_.size()), at_rest(z0_.size()), sizes(z0_.size(), 0.0);
  std::vector<double> along(y.size(), 0.0);
  bool answered = rates(slot, t, y, along, at_rest) == Eval::ok;
  for (std::size_t k = 0; answered && k < y.size(); ++k) {
    if (reach(k) == 0.0) continue;
    along[k] = std::max(nominals_[k], std::fabs(y[k]));
    answered = rates(slot, t, y, along, found) == Eval::ok;
    along[k] = 0.0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      sizes[i] += std::fabs(found[i] - at_rest[i]);
    }
  }
  for (double& size : sizes) {
    size = answered && size > 0.0 && std::isfinite(size) ? size : 1.0;
  }
  return sizes;
}

}  // namespace saltus::sliding
