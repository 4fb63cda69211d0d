// SPDX-License-Identifier: BSD-2-Clause
// Robertson's reaction: stiff. The method changes by itself, and says when and why.
//
// Prints:
//   dormand-prince
//   radau, because the equations are stiff
//   y(40) = 0.7158
#include <cstdio>
#include <saltus/simulation.hpp>

using namespace saltus::modeling;

template <class Real>
struct Reaction {
  static constexpr ModelInfo info{.stop = 40.0};

  State<Real> y1{"y1", {.start = 1.0}};
  State<Real> y2{"y2", {.nominal = 1e-5}};
  State<Real> y3{"y3"};

  void equations(Equations<Real>&) {
    der(y1) = -0.04 * y1 + 1e4 * y2 * y3;
    der(y3) = 3e7 * y2 * y2;
    der(y2) = -der(y1) - der(y3);
  }
};

int main() {
  const auto run = saltus::simulate<Reaction>();
  for (const auto& choice : run.choices()) {
    std::printf("%s\n", choice.c_str());
  }
  std::printf("y(40) = %.4f in %zu steps\n", run["y1"].back(), run.integration().steps);
}
