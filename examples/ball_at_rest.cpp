// SPDX-License-Identifier: BSD-2-Clause
// Bounces that accumulate (Zeno): without .rest the run stops and says where, with it it goes on.
//
// Prints:
//   Zeno: events of "h < 0" accumulate at t = 1.35
//   at rest from 1.35
//   h(5) = 0.000000
#include <cstdio>
#include <saltus/core/error.hpp>
#include <saltus/simulation.hpp>

using namespace saltus::modeling;

template <class Real>
struct Ball {
  static constexpr ModelInfo info{.stop = 5.0};

  State<Real> h{"h", {.unit = "m", .start = 1.0}}, v{"v", {.unit = "m/s"}};

  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -9.81;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h < 0.0)) {
      h = 0.0;
      v = -0.5 * v;
    }
  }
};

int main() {
  try {
    saltus::simulate<Ball>();
  } catch (const saltus::EventError& error) {
    std::printf("%s\n", error.what());
  }
  const auto run = saltus::simulate<Ball>({.rest = true});
  for (const auto& event : run.events()) {
    if (event.kind == saltus::EventKind::zeno) {
      std::printf("at rest from %.6f\n", event.time);
    }
  }
  std::printf("h(5) = %.6f\n", run["h"].back());
}
