// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "saltus/modeling/native_model.hpp"

/// A rod of as many cells as one likes, with known temperatures.
namespace saltus::test {

using namespace saltus::modeling;

/// The first mode of a rod whose ends are held at zero: it keeps its form and decays.
inline std::vector<double> first_mode(std::size_t n) {
  std::vector<double> mode(n);
  for (std::size_t i = 0; i < n; ++i) {
    mode[i] = std::sin(M_PI * static_cast<double>(i + 1) / static_cast<double>(n + 1));
  }
  return mode;
}

/// How fast, of the equations with that many cells.
inline double decay_of_first_mode(std::size_t n, double k) {
  const double cells = static_cast<double>(n + 1);
  return 2.0 * k * cells * cells * (1.0 - std::cos(M_PI / cells));
}

inline double mean_of_first_mode(std::size_t n) {
  double sum = 0.0;
  for (const double one : first_mode(n)) sum += one;
  return sum / static_cast<double>(n);
}

template <class Real>
struct HeatRod {
  static constexpr ModelInfo info{
      .description = "A rod of n cells", .stop = 0.2, .tolerance = 1e-8, .step_size = 0.01};
  Parameter<Real> k{"k", {.start = 1.0}};
  Size n{"n", 10, {.description = "cells", .min = 2, .max = 100}};
  States<Real> T{"T", first_mode(n), {.unit = "K"}};
  Parameters<Real> loss{"loss", n, {.tunable = true}};
  Parameters<Real> weights{"weights", {1.0, 2.0}};
  Inputs<Real> heat{"heat", n, {.unit = "K/s"}};
  Outputs<Real> flow{"flow", n, {.unit = "K"}};
  Output<Real> mean{"mean", {.unit = "K"}};
  Discrete<Real> level{"level", {.start = 0.5}};
  Discrete<int> halvings{"halvings", {.causality = Variable::Causality::output}};
  State<Real> weighted{"weighted"};

  void equations(Equations<Real>&) {
    const Real cells = n + 1.0;
    Real sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const Real left = i > 0 ? Real(T[i - 1]) : Real(0.0);
      const Real right = i + 1 < n ? Real(T[i + 1]) : Real(0.0);
      der(T[i]) = k * cells * cells * (left - 2.0 * T[i] + right) + heat[i] - loss[i] * T[i];
      flow[i] = k * cells * (T[i] - right);
      sum += T[i];
    }
    mean = sum / n;
    der(weighted) = weights[0] * T[0] + weights[1] * T[n - 1];
  }
  void events(Events<Real>& ev) {
    if (ev.when(mean < level)) {
      level = 0.5 * level;
      halvings = halvings + 1;
    }
  }
};

}  // namespace saltus::test
