// SPDX-License-Identifier: BSD-2-Clause
#include "crossing.hpp"

#include <algorithm>
#include <cmath>

#include "sampled_polynomial.hpp"

namespace saltus {
namespace {

// A bracket this narrow is left to the tangent: its square is below rounding.
constexpr double kTangentWidth = 1e-9;
// A quartic that comes nearer to zero than this part of its range is looked at once more.
constexpr double kNearMiss = 0.05;
constexpr int kMostRefinements = 200;
constexpr int kPolishRounds = 3;

}  // namespace

CrossingLocator::CrossingLocator(Model& model, const Integrator& integrator)
    : model_(model), integrator_(integrator) {}

Eval CrossingLocator::evaluate(double t, ConstVec y, std::vector<double>& z) {
  ++stats.indicator_evaluations;
  return model_.indicators(t, y, z);
}

Eval CrossingLocator::sample(Sample& at) {
  integrator_.interpolate(at.fraction, y_);
  return evaluate(integrator_.time_at(at.fraction), y_, at.z);
}

Eval CrossingLocator::begin(double t, ConstVec y) {
  const Shape shape = model_.shape();
  for (Sample* each : {&left_, &right_, &middle_}) {
    each->z.resize(shape.indicators);
  }
  for (std::size_t k = 0; k < kNodes; ++k) {
    nodes_[k].fraction = static_cast<double>(k) / (kNodes - 1);
    nodes_[k].z.resize(shape.indicators);
  }
  y_.resize(shape.unknowns());
  slope_.resize(shape.unknowns());
  event_y_.resize(shape.unknowns());
  positive_.resize(shape.indicators);
  if (shape.indicators == 0) {
    return Eval::ok;
  }
  std::vector<double>& z = nodes_.back().z;
  if (evaluate(t, y, z) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t i = 0; i < z.size(); ++i) {
    positive_[i] = z[i] > 0.0;
  }
  return Eval::ok;
}

bool CrossingLocator::any_leaves(const std::vector<double>& z) const {
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (leaves(i, z[i])) {
      return true;
    }
  }
  return false;
}

bool CrossingLocator::differs(double t, ConstVec y) {
  changed_.clear();
  if (positive_.empty() || evaluate(t, y, middle_.z) == Eval::discard) {
    return false;
  }
  for (std::size_t i = 0; i < positive_.size(); ++i) {
    if (leaves(i, middle_.z[i])) {
      changed_.push_back(i);
    }
  }
  return !changed_.empty();
}

CrossingLocator::Found CrossingLocator::search() {
  if (positive_.empty()) {
    return Found::nothing;
  }
  nodes_.front().z.swap(nodes_.back().z);  // the end of the step before
  std::size_t last = 0;
  bool crossed = false;
  while (last + 1 < kNodes && !crossed) {
    if (sample(nodes_[last + 1]) == Eval::discard) {
      good_fraction_ = nodes_[last].fraction;
      nodes_.back().z = nodes_[last].z;
      return Found::not_evaluable;
    }
    ++last;
    crossed = any_leaves(nodes_[last].z);
  }
  if (dips(last, right_)) {
    const auto after = std::find_if(nodes_.begin(), nodes_.end(), [&](const Sample& node) {
      return node.fraction >= right_.fraction;
    });
    left_ = *(after - 1);
    close(0.5 * (left_.fraction + right_.fraction));
    return Found::crossing;
  }
  if (!crossed) {
    return Found::nothing;
  }
  left_ = nodes_[last - 1];
  right_ = nodes_[last];
  close(quartic_estimate(last));
  return Found::crossing;
}

// Looks between the nodes that show no change, where a polynomial through them comes near to zero.
// On success `probe` lies beyond the surface.
bool CrossingLocator::dips(std::size_t last, Sample& probe) {
  double best = 2.0;
  for (std::size_t i = 0; i < positive_.size(); ++i) {
    std::array<double, kNodes> w{};
    for (std::size_t k = 0; k <= last; ++k) {
      w[k] = positive_[i] ? nodes_[k].z[i] : -nodes_[k].z[i];
    }
    const std::size_t inside = leaves(i, nodes_[last].z[i]) ? last - 1 : last;
    const double lowest = lowest_between_samples(std::span(w).first(last + 1), inside, kNearMiss);
    if (lowest < 0.0) {
      continue;
    }
    const double fraction = lowest / (kNodes - 1);
    if (fraction >= best) {
      continue;
    }
    middle_.fraction = fraction;
    if (sample(middle_) == Eval::ok && any_leaves(middle_.z)) {
      best = fraction;
      std::swap(probe, middle_);
    }
  }
  return best <= 1.0;
}

// Where the earliest changed indicator vanishes, by Chandrupatla's rule (Adv. Eng. Software 28
// (1997) 145-149): inverse quadratic interpolation through the newest point, the other end of the
// bracket and the end it replaced, where that is safe, else the middle.
double CrossingLocator::next_guess(const Sample& newest, const Sample& other,
                                   const Sample& former) const {
  const double xi = (newest.fraction - other.fraction) / (former.fraction - other.fraction);
  double earliest = right_.fraction;
  for (std::size_t i = 0; i < positive_.size(); ++i) {
    if (!leaves(i, right_.z[i])) {
      continue;
    }
    const double fa = newest.z[i], fb = other.z[i], fc = former.z[i];
    const double phi = (fa - fb) / (fc - fb);
    double part = 0.5;
    if (phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi) {
      part = fa / (fb - fa) * (fc / (fb - fc)) + (former.fraction - newest.fraction) /
                                                     (other.fraction - newest.fraction) *
                                                     (fa / (fc - fa)) * (fb / (fc - fb));
    }
    earliest = std::fmin(earliest, newest.fraction + part * (other.fraction - newest.fraction));
  }
  return earliest;
}

// The same on the polynomial through all nodes so far: for a smooth indicator nearly exact at once.
double CrossingLocator::quartic_estimate(std::size_t last) const {
  double earliest = nodes_[last].fraction;
  for (std::size_t i = 0; i < positive_.size(); ++i) {
    if (!leaves(i, nodes_[last].z[i])) {
      continue;
    }
    std::array<double, kNodes> z{};
    for (std::size_t k = 0; k <= last; ++k) {
      z[k] = nodes_[k].z[i];
    }
    const double root = root_in_last_interval(std::span(z).first(last + 1)) / (kNodes - 1);
    earliest = std::fmin(earliest, root);
  }
  return earliest;
}

// Narrows [left, right] until the tangent can take over. A guess keeps a quarter of the final width
// from both ends, so that once one end has reached the root the other follows in one evaluation.
void CrossingLocator::close(double guess) {
  const double margin = 0.25 * kTangentWidth;
  for (int round = 0; round < kMostRefinements; ++round) {
    if (right_.fraction - left_.fraction <= kTangentWidth) {
      break;
    }
    middle_.fraction = std::clamp(guess, left_.fraction + margin, right_.fraction - margin);
    if (sample(middle_) == Eval::discard) {
      // Not evaluable between two points that are: look nearer to the left one.
      guess = left_.fraction + 0.5 * (middle_.fraction - left_.fraction);
      continue;
    }
    if (any_leaves(middle_.z)) {
      std::swap(right_, middle_);
      guess = next_guess(right_, left_, middle_);
    } else {
      std::swap(left_, middle_);
      guess = next_guess(left_, right_, middle_);
    }
  }
  polish();
}

// On the tangent at the right end, offsets from it keep their own precision. Each round aims a
// ten-thousandth of the way beyond the estimate, so that the point kept lies on the far side by a
// hair's hair.
void CrossingLocator::polish() {
  constexpr double kBeyond = 1e-4;
  const double fraction = right_.fraction;
  integrator_.interpolate(fraction, y_);
  integrator_.slope(fraction, slope_);
  left_.fraction -= fraction;
  right_.fraction = 0.0;
  for (int round = 0; round < kPolishRounds; ++round) {
    double root = right_.fraction;
    for (std::size_t i = 0; i < positive_.size(); ++i) {
      if (leaves(i, right_.z[i])) {
        const double part = left_.z[i] / (left_.z[i] - right_.z[i]);
        root = std::fmin(root, left_.fraction + part * (right_.fraction - left_.fraction));
      }
    }
    const double offset = root + kBeyond * (right_.fraction - root);
    if (!(offset > left_.fraction && offset < right_.fraction)) {
      break;
    }
    middle_.fraction = offset;
    if (evaluate(move_to(fraction, offset).time, event_y_, middle_.z) == Eval::discard) {
      break;
    }
    std::swap(any_leaves(middle_.z) ? right_ : left_, middle_);
  }
  event_time_ = move_to(fraction, right_.fraction);
  changed_.clear();
  for (std::size_t i = 0; i < positive_.size(); ++i) {
    if (leaves(i, right_.z[i])) {
      changed_.push_back(i);
    }
  }
  ++stats.located;
}

Instant CrossingLocator::move_to(double fraction, double offset) {
  for (std::size_t i = 0; i < y_.size(); ++i) {
    event_y_[i] = y_[i] + offset * slope_[i];
  }
  return integrator_.instant_at(fraction, offset);
}

}  // namespace saltus
