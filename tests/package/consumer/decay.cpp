// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <cstdio>
#include <saltus/simulation.hpp>

using namespace saltus::modeling;

template <class Real>
struct Decay {
  State<Real> x{"x", {.start = 1.0}};
  Discrete<Real> halved{"halved"};
  void equations(Equations<Real>&) { der(x) = -x; }
  void events(Events<Real>& ev) {
    if (ev.when(x < 0.5)) halved = halved + 1.0;
  }
};

// Compiled with the flags of pkg-config, by another compiler than the library was.
int main() {
  const auto run = saltus::simulate<Decay>({.stop = 1.0, .tolerance = 1e-9});
  std::printf("x(1) = %.9f, halved %g times\n", run.at(1.0)["x"], run["halved"].back());
  const bool right = std::fabs(run.at(1.0)["x"] - std::exp(-1.0)) < 1e-8;
  return right && run["halved"].back() == 1.0 ? 0 : 1;
}
