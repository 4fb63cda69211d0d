// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "problems/daes/dae_problem.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

namespace tubes {
struct Tube {
  int from, to;
};
/// Between thirteen nodes.
inline constexpr std::array<Tube, 18> net{{{1, 2},
                                           {2, 3},
                                           {2, 6},
                                           {3, 4},
                                           {3, 5},
                                           {4, 5},
                                           {5, 10},
                                           {6, 5},
                                           {7, 4},
                                           {7, 8},
                                           {8, 5},
                                           {8, 10},
                                           {9, 8},
                                           {11, 9},
                                           {11, 12},
                                           {12, 7},
                                           {12, 8},
                                           {13, 11}}};
/// The order in which the unknown pressures are kept: nodes 5 and 8 have a buffer, so that their
/// pressures are states; the others follow.
inline constexpr std::array<int, 13> pressure_order{5, 8, 1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 13};
}  // namespace tubes

/// Water in 18 tubes between 13 nodes over 17 hours, with two inlets and one outlet (Bari set,
/// "Water tube system"). The flow in a tube is laminar or turbulent, with a jump of its resistance
/// where it changes: an event. Index 2: the flows balance at nodes without a buffer.
template <class Real>
struct WaterTube {
  static constexpr modeling::ModelInfo info{.description = "Water tube system", .stop = 61200.0};

  modeling::States<Real> flow{"flow", 18, {.unit = "m3/s", .nominal = 1e-3}};
  modeling::States<Real> buffered{
      "p_buffered", 2, {.unit = "Pa", .start = 1.098e5, .nominal = 1e5}};
  modeling::Algebraics<Real> resistance{
      "resistance", 18, {.start = 0.47519404529185289807e-1, .nominal = 0.05}};
  modeling::Algebraics<Real> pressure{"p", 11, {.unit = "Pa", .start = 1.098e5, .nominal = 1e5}};

  void equations(modeling::Equations<Real>& eq) {
    constexpr double viscosity = 1.31e-6;
    constexpr double density = 1e3;
    constexpr double length = 1e3;
    constexpr double diameter = 1.0;
    constexpr double roughness = 2e-4;
    constexpr double critical = 2.3e3;  // Reynolds number
    constexpr double area = std::numbers::pi * diameter * diameter / 4.0;
    constexpr double buffer = 200.0 / (density * 9.8);

    std::array<Real, 14> p, inflow;
    for (std::size_t i = 0; i < 13; ++i) {
      const auto node = static_cast<std::size_t>(tubes::pressure_order[i]);
      p[node] = i < 2 ? Real(buffered[i]) : Real(pressure[i - 2]);
      inflow[node] = 0.0;
    }
    const Real hours = eq.time / 3600.0;
    const Real opening = 1.0 - cos(exp(-hours) - 1.0);
    inflow[1] = opening / 200.0;
    inflow[13] = opening / 80.0;
    inflow[10] = -hours * hours * (3.0 * hours * hours - 92.0 * hours + 720.0) / 1e6;

    for (std::size_t i = 0; i < 18; ++i) {
      const auto from = static_cast<std::size_t>(tubes::net[i].from);
      const auto to = static_cast<std::size_t>(tubes::net[i].to);
      const Real phi = flow[i];
      inflow[from] -= phi;
      inflow[to] += phi;
      const Real squared = phi * phi * (diameter / (viscosity * area)) *
                           (diameter / (viscosity * area));  // of the Reynolds number
      Real reynolds = critical;
      Real loss = 32.0 * viscosity * density * length / (area * diameter * diameter) * phi;
      if (squared > critical * critical) {
        reynolds = sqrt(squared);
        loss = resistance[i] * density * length / (area * area * diameter) * phi * phi;
      }
      const Real root = sqrt(resistance[i]);
      eq(density * length / area * der(flow[i]), p[from] - p[to] - loss);
      // log10(x) = ln(x) / ln(10)
      eq(1.0 / root - 1.74 +
             2.0 / std::numbers::ln10 * log(2.0 * roughness / diameter + 18.7 / (reynolds * root)),
         0.0);
    }
    eq(buffer * der(buffered[0]), inflow[5]);
    eq(buffer * der(buffered[1]), inflow[8]);
    for (std::size_t i = 2; i < 13; ++i) {
      eq(inflow[static_cast<std::size_t>(tubes::pressure_order[i])], 0.0);
    }
  }
};

/// End values of the Bari set (PSIDE at 1e-14). It measures pressures in 1e6.
inline DaeProblem water_tube() {
  DaeProblem problem{
      .name = "Water tube",
      .index = 2,
      .stop = 61200.0,
      .reference = {0.2298488296477430e-2, 0.1188984650746585e-2, 0.1109503645730845e-2,
                    0.1589620100314825e-3, 0.1030022640715102e-2, 0.8710606306836165e-3,
                    0.3243571480903489e-2, 0.1109503645730845e-2, 0.7120986206521341e-3,
                    0.6414613963833099e-3, 0.9416978549524347e-3, 0.3403428519096511e-2,
                    0.2397639310739395e-2, 0.2397639310739395e-2, 0.3348581430454180e-2,
                    0.1353560017035444e-2, 0.1995021413418736e-2, 0.5746220741193575e-2,
                    0.1111268591478108e+6, 0.1111270045592387e+6, 0.4751940452918529e-1,
                    0.4751940452918529e-1, 0.4751940452918529e-1, 0.4751940452918529e-1,
                    0.4751940452918529e-1, 0.4751940452918529e-1, 0.4311196778792902e-1,
                    0.4751940452918529e-1, 0.4751940452918529e-1, 0.4751940452918529e-1,
                    0.4751940452918529e-1, 0.4249217433601160e-1, 0.4732336439609648e-1,
                    0.4732336439609648e-1, 0.4270002118868241e-1, 0.4751940452918529e-1,
                    0.4751940452918529e-1, 0.3651427026675656e-1, 0.1111271078730254e+6,
                    0.1111269851929858e+6, 0.1111269255355337e+6, 0.1111269322658045e+6,
                    0.1111269221703983e+6, 0.1111270121140691e+6, 0.1111274419515807e+6,
                    0.1111255158881087e+6, 0.1111278793439227e+6, 0.1111270995171642e+6,
                    0.1111298338971779e+6},
      .scale = std::vector<double>(49, 1.0)};
  for (const std::size_t first : {18, 38}) {
    for (std::size_t i = first; i < (first == 18 ? 20U : 49U); ++i) {
      problem.scale[i] = 1e6;
    }
  }
  return problem;
}

}  // namespace saltus::problems
