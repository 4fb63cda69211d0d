// SPDX-License-Identifier: BSD-2-Clause
// A pendulum in Cartesian coordinates: a constraint of index 3, and nobody states an index.
//
// Prints:
//   implicit equations (mu = 2, d = 2, a = 3, u = 0, v = 0), reduced to index 1 at most
//   the rod keeps its length
//   it hangs straight at 0.5920
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <saltus/simulation.hpp>

using namespace saltus::modeling;

template <class Real>
struct Pendulum {
  static constexpr ModelInfo info{.stop = 10.0, .tolerance = 1e-8};

  State<Real> x{"x", {.unit = "m", .start = 1.0}}, y{"y", {.unit = "m"}};
  State<Real> u{"u", {.unit = "m/s"}}, v{"v", {.unit = "m/s"}};
  Algebraic<Real> force{"force", {.description = "in the rod, per mass and length"}};

  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = v;
    der(u) = -force * x;
    der(v) = -force * y - 9.81;
    eq(x * x + y * y, 1.0);
  }
  void events(Events<Real>& ev) { ev.when(x < 0.0); }
};

int main() {
  const auto run = saltus::simulate<Pendulum>();
  std::printf("%s\n", run.choices()[0].c_str());
  double off = 0.0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    off = std::max(off, std::fabs(std::hypot(run["x"][i], run["y"][i]) - 1.0));
  }
  std::printf("the rod %s its length\n", off < 1e-10 ? "keeps" : "loses");
  std::printf("it hangs straight at %.4f\n", run.events()[0].time);
}
