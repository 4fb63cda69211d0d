// SPDX-License-Identifier: BSD-2-Clause
// Masses on springs and dampers, tied to each other or to something that moves, as systems of
// second order: M q'' + C q' + K q + G(t)^T lambda = f, G(t) q = g, in random order and units. Some
// coordinates have no mass of their own. Forces are those of a motion chosen before.
#include <cmath>
#include <numeric>
#include <vector>

#include "linear_roads.hpp"
#include "saltus/dae/second_order_model.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

struct Motion {
  std::vector<double> size, rate, phase;
  double start = 0.0;

  /// The k-th derivative of coordinate j.
  template <class Real>
  Real at(std::size_t j, int k, const Real& t) const {
    using std::sin;
    return size[j] * std::pow(rate[j], k) *
           sin(rate[j] * (t - start) + (phase[j] + k * 1.5707963267948966));
  }
};

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const double length = random.log_uniform(1e-4, 1e3);
  const double rate = random.log_uniform(0.5, 50.0) / length;
  const auto q = static_cast<std::size_t>(random.integer(1, 5));
  const auto ties = static_cast<std::size_t>(random.integer(0, static_cast<int>(q) - 1));
  const std::size_t n = q + ties;
  const bool moves = random.chance(0.4);
  const bool massless = random.chance(0.3);

  Motion motion;
  motion.start = random.uniform(-3.0, 3.0) * length;
  for (std::size_t j = 0; j < n; ++j) {
    motion.size.push_back(random.uniform(0.5, 2.0));
    motion.rate.push_back(rate * random.uniform(0.2, 1.5));
    motion.phase.push_back(random.uniform(0.0, 6.0));
  }
  // Time in units of 1 / rate, forces in units of a mass of 1.
  std::vector<std::vector<double>> M(n, std::vector<double>(n, 0.0));
  auto C = M, K = M, turn = M;
  for (std::size_t i = 0; i < q; ++i) {
    const bool light = massless && i == 0;
    M[i][i] = light ? 0.0 : random.uniform(0.5, 2.0);
    C[i][i] = random.uniform(0.2, 1.0) * rate;
    K[i][i] = random.uniform(0.5, 3.0) * rate * rate;
    for (std::size_t j = 0; j < i; ++j) {
      const double spring = random.uniform(0.0, 1.0) * rate * rate;
      K[i][i] += spring;
      K[j][j] += spring;
      K[i][j] -= spring;
      K[j][i] -= spring;
    }
  }
  // Each tie holds a combination of its own of the coordinates, the leading one always; none hangs
  // on a coordinate by a thread, for then the force in it is badly conditioned.
  for (std::size_t i = 0; i < ties; ++i) {
    for (std::size_t j = 0; j < q; ++j) {
      const double part =
          j == q - 1 - i ? 2.0 : random.uniform(0.2, 0.5) * (random.chance(0.5) ? 1.0 : -1.0);
      K[q + i][j] = part;
      K[j][q + i] = part;
      turn[q + i][j] = turn[j][q + i] = moves ? random.uniform(-0.15, 0.15) : 0.0;
    }
  }
  std::vector<std::size_t> place(n), equation(n);
  std::iota(place.begin(), place.end(), 0);
  std::iota(equation.begin(), equation.end(), 0);
  for (std::size_t i = n; i > 1; --i) {
    std::swap(place[i - 1],
              place[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
    std::swap(equation[i - 1],
              equation[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
  }
  std::vector<double> unit(n), measure(n);
  const bool scaled = random.chance(0.3);
  for (std::size_t j = 0; j < n; ++j) {
    unit[j] = scaled ? random.log_uniform(1e-3, 1e3) : 1.0;
    measure[j] = scaled ? random.log_uniform(1e-3, 1e3) : 1.0;
  }
  // The multipliers are forces.
  for (std::size_t j = q; j < n; ++j) {
    motion.size[j] *= rate * rate;
    unit[j] *= rate * rate;
  }

  SecondOrderSystem system{.equations = n, .unknowns = n};
  system.terms = [&](SecondOrderTerms& s) {
    for (std::size_t i = 0; i < n; ++i) {
      Coefficient& f = s.f(equation[i]);
      for (std::size_t j = 0; j < n; ++j) {
        Coefficient k = K[i][j];
        if (turn[i][j] != 0.0) {
          k += turn[i][j] * sin(rate * s.time);
        }
        f += measure[i] * (M[i][j] * motion.at<Coefficient>(j, 2, s.time) +
                           C[i][j] * motion.at<Coefficient>(j, 1, s.time) +
                           k * motion.at<Coefficient>(j, 0, s.time));
        const double by = measure[i] * unit[j];
        if (M[i][j] != 0.0) s.M(equation[i], place[j]) = by * M[i][j];
        if (C[i][j] != 0.0) s.C(equation[i], place[j]) = by * C[i][j];
        if (K[i][j] != 0.0 || turn[i][j] != 0.0) s.K(equation[i], place[j]) = by * k;
      }
    }
  };
  system.start.resize(n);
  system.start_velocity.resize(n);
  std::vector<double> exact(n), one(n, 1.0);
  for (std::size_t j = 0; j < n; ++j) {
    system.start[place[j]] = motion.at(j, 0, motion.start) / unit[j];
    system.start_velocity[place[j]] = motion.at(j, 1, motion.start) / unit[j];
    exact[place[j]] = motion.at(j, 0, motion.start + length) / unit[j];
    one[place[j]] = (j < q ? 1.0 : rate * rate) / unit[j];
  }
  system.nominal = one;
  SecondOrderModel model{std::move(system)};
  return compare(model, {.start = motion.start, .stop = motion.start + length}, random, exact, one);
}

const Family kFamily{"constrained_vibrations",
                     "masses, springs and moving ties as systems of second order", run};

}  // namespace
}  // namespace saltus::truth
