// SPDX-License-Identifier: BSD-2-Clause
// A clutch that closes: another equation, another index, and an impulse that conserves momentum.
//
// Prints:
//   before 4.000, 1.000; after 3.250, 3.250
//   momentum 13.000, 13.000
#include <cstdio>
#include <saltus/simulation.hpp>

using namespace saltus::modeling;

template <class Real>
struct Clutch {
  static constexpr ModelInfo info{.stop = 2.0};

  State<Real> w1{"w1", {.unit = "rad/s", .start = 4.0}}, w2{"w2", {.unit = "rad/s", .start = 1.0}};
  Parameter<Real> inertia{"inertia", {.unit = "kg.m2", .start = 3.0}};
  Algebraic<Real> torque{"torque", {.unit = "N.m"}};
  Output<Real> momentum{"momentum", {.unit = "N.m.s"}};
  Discrete<bool> closed{"closed"};

  void equations(Equations<Real>& eq) {
    eq(inertia * der(w1), -torque);
    eq(der(w2), torque);
    if (closed) {
      eq(w1, w2);
    } else {
      eq(torque, 0.0);
    }
    momentum = inertia * w1 + w2;
  }
  void events(Events<Real>& ev) {
    if (ev.at(1.0)) {
      closed = true;
    }
  }
};

int main() {
  const auto run = saltus::simulate<Clutch>();
  std::printf("before %.3f, %.3f; after %.3f, %.3f\n", run.at(0.5)["w1"], run.at(0.5)["w2"],
              run.at(1.5)["w1"], run.at(1.5)["w2"]);
  std::printf("momentum %.3f, %.3f\n", run["momentum"].front(), run["momentum"].back());
}
