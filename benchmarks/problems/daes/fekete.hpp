// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "problems/daes/dae_problem.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

namespace fekete_points {
inline constexpr std::size_t count = 20;
using Points = std::vector<double>;

/// Four rings of points: how many, shifted by a fraction of pi, at which latitude.
inline Points start() {
  struct Ring {
    int points, first;
    double shift, latitude;
  };
  constexpr double pi = std::numbers::pi;
  constexpr std::array<Ring, 4> rings{{{3, 1, pi / 13.0, 3.0 * pi / 8.0},
                                       {7, 1, pi / 29.0, pi / 8.0},
                                       {6, 1, pi / 7.0, -2.0 * pi / 15.0},
                                       {4, 0, pi / 17.0, -3.0 * pi / 10.0}}};
  Points points(3 * count);
  std::size_t at = 0;
  for (const Ring& ring : rings) {
    for (int i = ring.first; i < ring.first + ring.points; ++i) {
      const double longitude = 2.0 * pi * i / ring.points + ring.shift;
      points[at++] = std::cos(longitude) * std::cos(ring.latitude);
      points[at++] = std::sin(longitude) * std::cos(ring.latitude);
      points[at++] = std::sin(ring.latitude);
    }
  }
  return points;
}

/// With all points at rest, the multiplier cancels the radial part of the repulsion.
inline std::vector<double> start_lambda() {
  const Points p = start();
  std::vector<double> lambda(count);
  for (std::size_t i = 0; i < count; ++i) {
    double outwards = 0.0;
    for (std::size_t j = 0; j < count; ++j) {
      double distance = 0.0, radial = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double gap = p[3 * i + k] - p[3 * j + k];
        distance += gap * gap;
        radial += p[3 * i + k] * gap;
      }
      outwards += i == j ? 0.0 : radial / distance;
    }
    lambda[i] = -0.5 * outwards;
  }
  return lambda;
}
}  // namespace fekete_points

/// Twenty points on the unit sphere repel each other, with friction, until the product of their
/// distances is as large as it can be (Bari set, "Fekete problem"; Shub and Smale's elliptic Fekete
/// points). In the stabilised form both the positions p and the velocities q obey their
/// constraints: index 2.
template <class Real>
struct Fekete {
  static constexpr modeling::ModelInfo info{.description = "Fekete points", .stop = 1000.0};
  static constexpr std::size_t count = fekete_points::count;

  modeling::States<Real> p{"p", fekete_points::start()};
  modeling::States<Real> q{"q", 3 * count};
  modeling::Algebraics<Real> lambda{"lambda", fekete_points::start_lambda()};
  modeling::Algebraics<Real> mu{"mu", count};

  void equations(modeling::Equations<Real>& eq) {
    std::array<Real, 3 * count> force;
    for (std::size_t i = 0; i < 3 * count; ++i) {
      force[i] = -0.5 * q[i];
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Real dx = p[3 * i] - p[3 * j];
        const Real dy = p[3 * i + 1] - p[3 * j + 1];
        const Real dz = p[3 * i + 2] - p[3 * j + 2];
        const Real inverse = 1.0 / (dx * dx + dy * dy + dz * dz);
        const std::array<Real, 3> push{dx * inverse, dy * inverse, dz * inverse};
        for (std::size_t k = 0; k < 3; ++k) {
          force[3 * i + k] += push[k];
          force[3 * j + k] -= push[k];
        }
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      Real length = 0.0, outwards = 0.0;
      for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
        der(p[k]) = q[k] + 2.0 * mu[i] * p[k];
        der(q[k]) = force[k] + 2.0 * lambda[i] * p[k];
        length += p[k] * p[k];
        outwards += p[k] * q[k];
      }
      eq(length, 1.0);
      eq(2.0 * outwards, 0.0);
    }
  }
};

/// End values of the Bari set (RADAU5 at 1e-12). The points are at rest in the end, and every
/// multiplier is -4.75; positions count.
inline DaeProblem fekete() {
  DaeProblem problem{
      .name = "Fekete",
      .index = 2,
      .stop = 1000.0,
      .reference = {-0.4070263380333202,     0.3463758772791802,  0.8451942450030429,
                    0.7752934752521549e-01,  -0.2628662719972299, 0.9617122871829146,
                    0.7100577833343567,      0.1212948055586120,  0.6936177005172217,
                    0.2348267744557627,      0.7449277976923311,  0.6244509285956391,
                    -0.4341114738782885,     0.8785430442262876,  0.1992720444237660,
                    -0.9515059600312596,     0.2203508762787005,  0.2146669498274008,
                    -0.6385191643609878,     -0.4310833259390688, 0.6375425027722121,
                    -0.1464175087914336,     -0.9380871635228862, 0.3139337298744690,
                    0.5666974065069942,      -0.6739221885076542, 0.4740073135462156,
                    0.9843259538440293,      -0.1696995357819996, -0.4800504290609090e-01,
                    0.1464175087914331,      0.9380871635228875,  -0.3139337298744656,
                    -0.7092757549979014,     0.5264062637139616,  -0.4688542938854929,
                    -0.8665731819284478,     -0.4813878059756024, -0.1315929352982178,
                    -0.2347897778700538,     -0.8594340408013130, -0.4541441287957579,
                    0.5530976940074118,      -0.7674370265615124, -0.3242273140037833,
                    0.7711050969896927,      0.6357041816577034,  0.3573685519777001e-01,
                    0.7103951209379591,      0.2403570431280519,  -0.6614886725910596,
                    -0.3038208738735660e-01, 0.4501923293640461,  -0.8924145871442046,
                    -0.5772996158107093,     -0.1766763414971813, -0.7971892020969544,
                    0.2414481766969039,      -0.3416456818373135, -0.9082846503446250}};
  problem.reference.resize(120, 0.0);
  problem.reference.resize(140, -4.75);
  problem.reference.resize(160, 0.0);
  problem.scored = range(0, 59);
  return problem;
}

}  // namespace saltus::problems
