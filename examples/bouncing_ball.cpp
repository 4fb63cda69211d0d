// SPDX-License-Identifier: BSD-2-Clause
// A ball on a floor: state events, results by name and at any time.
//
// Prints:
//   bounce 1 at 0.451524
//   bounce 4 at 1.835895
//   the highest row after the first bounce: 0.48
//   h(1.2) = 0.186122
#include <algorithm>
#include <cstdio>
#include <saltus/simulation.hpp>

using namespace saltus::modeling;

template <class Real>
struct Ball {
  static constexpr ModelInfo info{.stop = 2.0, .tolerance = 1e-8};

  State<Real> h{"h", {.unit = "m", .start = 1.0, .description = "height"}};
  State<Real> v{"v", {.unit = "m/s"}};
  Parameter<Real> g{"g", {.unit = "m/s2", .start = 9.81}};
  Parameter<Real> e{"e", {.unit = "1", .start = 0.7, .description = "restitution"}};

  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -g;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h < 0.0)) {
      h = 0.0;
      v = -e * v;
    }
  }
};

int main() {
  const auto run = saltus::simulate<Ball>();
  for (std::size_t i = 0; i < run.events().size(); ++i) {
    std::printf("bounce %zu at %.6f\n", i + 1, run.events()[i].time);
  }
  double highest = 0.0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    if (run.time()[i] > run.events()[0].time) {
      highest = std::max(highest, run["h"][i]);
    }
  }
  std::printf("the highest row after the first bounce: %.6f\n", highest);
  std::printf("h(1.2) = %.6f\n", run.at(1.2)["h"]);
}
