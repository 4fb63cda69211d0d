// SPDX-License-Identifier: BSD-2-Clause
#include "time_scale.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace saltus::index {
namespace {

// Each sweep halves the error of the fit where everything occurs everywhere; a factor two in the
// scale decides nothing.
constexpr int kTimeSweeps = 30;
// Sweeps that bring the largest entries near one, see `equilibrate`.
constexpr int kEquilibratingSweeps = 6;
// The exponent of two beyond which a fit is no time anybody means.
constexpr double kLargest = 100.0;

struct Coefficient {
  std::size_t row, unknown;
  int order;
  double size;
  double logarithm = 0.0;
  double weight = 0.0;
};
using Coefficients = std::vector<Coefficient>;

Coefficients coefficients_of(DerivativeArray& array, double t, ConstVec c) {
  const auto entries = array.entries();
  const std::size_t needed = (array.order() + 1) * array.unknowns();
  std::vector<double> point(c.begin(), c.end());
  point.resize(std::max(needed, point.size()), 0.0);
  std::vector<double> a(entries.size());
  Coefficients result;
  if (array.linearize(t, 1.0, 0, ConstVec(point).first(needed), a) == Eval::discard) {
    return result;
  }
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto& [row, unknown, order] = entries[e];
    if (a[e] != 0.0 && std::isfinite(a[e])) {
      result.push_back({static_cast<std::size_t>(row), static_cast<std::size_t>(unknown), order,
                        std::fabs(a[e]), std::log2(std::fabs(a[e]))});
    }
  }
  return result;
}

/// The larger a coefficient is beside those of its equation, of its unknown and then of its order,
/// the more it says about sizes. The rounding of a zero says nothing.
void weigh(Coefficients& coefficients, std::size_t rows, std::size_t unknowns, std::size_t orders) {
  std::vector<double> largest;
  const auto shrink = [&](std::size_t count, std::size_t Coefficient::*of) {
    largest.assign(count, 0.0);
    for (const Coefficient& a : coefficients) {
      largest[a.*of] = std::max(largest[a.*of], a.size);
    }
    for (Coefficient& a : coefficients) {
      a.size /= std::sqrt(largest[a.*of]);
    }
  };
  for (int sweep = 0; sweep < kEquilibratingSweeps; ++sweep) {
    shrink(rows, &Coefficient::row);
    shrink(unknowns, &Coefficient::unknown);
  }
  largest.assign(orders, 0.0);
  for (const Coefficient& a : coefficients) {
    double& of_order = largest[static_cast<std::size_t>(a.order)];
    of_order = std::max(of_order, a.size);
  }
  for (Coefficient& a : coefficients) {
    a.weight = std::sqrt(a.size / largest[static_cast<std::size_t>(a.order)]);
  }
}

}  // namespace

double time_scale(DerivativeArray& array, double t, ConstVec c) {
  Coefficients coefficients = coefficients_of(array, t, c);
  weigh(coefficients, array.equations(), array.unknowns(), array.order() + 1);
  std::vector<double> of_row(array.equations(), 0.0), of_unknown(array.unknowns(), 0.0);
  double of_time = 0.0;
  const auto rest = [&](const Coefficient& a) {
    return a.logarithm + of_row[a.row] + of_unknown[a.unknown] - a.order * of_time;
  };
  std::vector<double> sum, weight;
  const auto centre = [&](std::vector<double>& scales, std::size_t Coefficient::*of) {
    sum.assign(scales.size(), 0.0);
    weight.assign(scales.size(), 0.0);
    for (const Coefficient& a : coefficients) {
      sum[a.*of] += a.weight * rest(a);
      weight[a.*of] += a.weight;
    }
    for (std::size_t i = 0; i < scales.size(); ++i) {
      scales[i] -= weight[i] > 0.0 ? sum[i] / weight[i] : 0.0;
    }
  };
  for (int sweep = 0; sweep < kTimeSweeps; ++sweep) {
    centre(of_row, &Coefficient::row);
    centre(of_unknown, &Coefficient::unknown);
    double moment = 0.0;
    double weights = 0.0;
    for (const Coefficient& a : coefficients) {
      moment += a.weight * a.order * rest(a);
      weights += a.weight * a.order * a.order;
    }
    of_time += weights > 0.0 ? moment / weights : 0.0;
  }
  return std::isfinite(of_time) ? std::exp2(std::round(std::clamp(of_time, -kLargest, kLargest)))
                                : 1.0;
}

}  // namespace saltus::index
