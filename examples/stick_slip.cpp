// SPDX-License-Identifier: BSD-2-Clause
// Dry friction written as a plain ?: : the block sticks and comes loose by itself (Filippov).
//
// Prints:
//   exit_sliding at 0.729728
//   enter_sliding at 3.323116
//   exit_sliding at 3.871320
//   while it sticks the force is -0.719138
#include <cstdio>
#include <saltus/simulation.hpp>

using namespace saltus::modeling;

template <class Real>
struct Sledge {
  static constexpr ModelInfo info{.stop = 6.0, .tolerance = 1e-8};

  State<Real> v{"v", {.unit = "m/s"}};
  Parameter<Real> friction{"friction", {.unit = "N", .start = 1.0}};
  Output<Real> force{"force", {.unit = "N", .description = "of the ground"}};

  void equations(Equations<Real>& eq) {
    force = v > 0.0 ? -friction : friction;
    der(v) = 1.5 * sin(eq.time) + force;
  }
};

int main() {
  const auto run = saltus::simulate<Sledge>();
  for (const auto& event : run.events()) {
    std::printf("%s at %.6f\n", to_string(event.kind), event.time);
  }
  std::printf("while it sticks the force is %.6f\n", run.at(0.5)["force"]);
}
