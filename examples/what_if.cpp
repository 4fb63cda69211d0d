// SPDX-License-Identifier: BSD-2-Clause
// One past, several futures: a run is saved, and goes on from there under different inputs.
//
// Prints:
//   brake 0.2: still at 10.0 m/s
//   brake 0.6: stands
//   brake 1.0: stands
//   the least that stops it in time: 0.4000
#include <cstdio>
#include <saltus/simulation.hpp>

using namespace saltus::modeling;

template <class Real>
struct Train {
  static constexpr ModelInfo info{.stop = 100.0, .tolerance = 1e-9};

  State<Real> v{"v", {.unit = "m/s", .start = 20.0}};
  Input<Real> brake{"brake", {.unit = "m/s2"}};
  Discrete<bool> stands{"stands"};

  void equations(Equations<Real>&) { der(v) = stands ? Real(0.0) : -brake; }
  void events(Events<Real>& ev) {
    if (ev.when(v <= 0.0)) stands = true;
  }
};

int main() {
  auto train = saltus::Simulation::of<Train>();
  train.start();
  train.advance_to(10.0);
  const auto here = train.save();
  const auto stands_after = [&](double brake) {
    train.restore(here);
    train.set("brake", brake);
    train.advance_to(60.0);
    return train.value("stands") == 1.0;
  };
  for (const double brake : {0.2, 0.6, 1.0}) {
    if (stands_after(brake)) {
      std::printf("brake %.1f: stands\n", brake);
    } else {
      std::printf("brake %.1f: still at %.1f m/s\n", brake, train.value("v"));
    }
  }
  double enough = 1.0, too_little = 0.2;
  while (enough - too_little > 1e-9) {
    const double middle = 0.5 * (enough + too_little);
    (stands_after(middle) ? enough : too_little) = middle;
  }
  std::printf("the least that stops it in time: %.4f\n", enough);
}
