// SPDX-License-Identifier: BSD-2-Clause
// A controller outside of the model: the program owns the clock, reads a level every second and
// sets a valve.
//
// Prints:
//   level 0.98 after 60 s
#include <algorithm>
#include <cstdio>
#include <saltus/simulation.hpp>

using namespace saltus::modeling;

template <class Real>
struct Tank {
  static constexpr ModelInfo info{.stop = 60.0};

  State<Real> level{"level", {.unit = "m", .start = 0.2}};
  Input<Real> valve{"valve",
                    {.unit = "1", .description = "how far it is open", .min = 0.0, .max = 1.0}};
  Output<Real> outflow{"outflow", {.unit = "m3/s"}};

  void equations(Equations<Real>&) {
    outflow = 0.05 * sqrt(max(level, 0.0));
    der(level) = 0.2 * valve - outflow;
  }
};

int main() {
  auto tank = saltus::Simulation::of<Tank>();
  tank.start();
  double integral = 0.0;
  for (int second = 0; second < 60; ++second) {
    const double error = 1.0 - tank.value("level");
    integral += 0.05 * error;
    const double wanted = 2.0 * error + integral;
    tank.set("valve", std::clamp(wanted, 0.0, 1.0));
    if (wanted != std::clamp(wanted, 0.0, 1.0)) {
      integral -= 0.05 * error;  // not while the valve is at its limit
    }
    tank.advance_to(second + 1.0);
  }
  std::printf("level %.2f after 60 s\n", tank.value("level"));
}
