// SPDX-License-Identifier: BSD-2-Clause
#include "spectral_radius.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {
namespace {

// Of the power method, from a direction without a pattern and from the result of the last call.
// Each is an evaluation of f; fewer give a smaller estimate, so that stiffness is noticed later.
constexpr int kFirstIterations = 12;
constexpr int kIterations = 4;
// How far from the point f is asked, as part of the unknowns' sizes: half the digits of a double.
constexpr double kDistance = 0x1p-26;

}  // namespace

double SpectralRadius::norm(const std::vector<double>& v, ConstVec sizes) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double part = v[i] / sizes[i];
    sum += part * part;
  }
  return std::sqrt(sum / static_cast<double>(v.size()));
}

double SpectralRadius::estimate(Model& model, double t, ConstVec y, ConstVec sizes,
                                std::size_t& evaluations) {
  const std::size_t n = y.size();
  if (n == 0) return 0.0;
  int iterations = kIterations;
  if (direction_.size() != n) {
    iterations = kFirstIterations;
    // Signs and lengths without a pattern, so that no direction is missing: multiples of the
    // golden section.
    direction_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double turn = 0.61803398874989485 * static_cast<double>(i + 1);
      direction_[i] = sizes[i] * (1.5 - (turn - std::floor(turn))) * (i % 2 == 0 ? 1.0 : -1.0);
    }
  }
  slope_.resize(n);
  point_.resize(n);
  shifted_.resize(n);
  ++evaluations;
  if (model.derivatives(t, y, slope_) == Eval::discard) return kNever;
  double radius = 0.0;
  for (int k = 0; k < iterations; ++k) {
    const double length = norm(direction_, sizes);
    if (!(length > 0.0) || !std::isfinite(length)) break;
    for (std::size_t i = 0; i < n; ++i) {
      point_[i] = y[i] + kDistance / length * direction_[i];
    }
    ++evaluations;
    if (model.derivatives(t, point_, shifted_) == Eval::discard) return kNever;
    for (std::size_t i = 0; i < n; ++i) {
      shifted_[i] = (shifted_[i] - slope_[i]) / kDistance;
    }
    const double growth = norm(shifted_, sizes);
    if (!std::isfinite(growth)) return kNever;
    // A pair of complex eigenvalues makes the growth go up and down.
    radius = k + 2 < iterations ? growth : std::max(radius, growth);
    if (growth == 0.0) {
      direction_.clear();
      break;
    }
    std::swap(direction_, shifted_);
  }
  return radius;
}

}  // namespace saltus
