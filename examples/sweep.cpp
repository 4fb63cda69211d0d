// SPDX-License-Identifier: BSD-2-Clause
// A thousand runs on all cores: simulations share nothing, and each gives the same bits as alone.
//
// Prints:
//   the widest throw is at 45 degrees without drag
//   the widest throw is at 41 degrees with drag
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <saltus/simulation.hpp>
#include <thread>
#include <vector>

using namespace saltus::modeling;

template <class Real>
struct Throw {
  static constexpr ModelInfo info{.stop = 100.0};

  State<Real> x{"x", {.unit = "m"}}, y{"y", {.unit = "m"}};
  State<Real> u{"u", {.unit = "m/s"}}, v{"v", {.unit = "m/s"}};
  Parameter<Real> drag{"drag", {.unit = "1/m", .start = 0.0}};

  void equations(Equations<Real>&) {
    const Real speed = sqrt(u * u + v * v);
    der(x) = u;
    der(y) = v;
    der(u) = -drag * speed * u;
    der(v) = -drag * speed * v - 9.81;
  }
  void events(Events<Real>& ev) {
    if (ev.when(y < 0.0)) ev.terminate();
  }
};

double width(double degrees, double drag) {
  const double angle = degrees * 3.14159265358979 / 180.0;
  const auto run = saltus::simulate<Throw>(
      {.values = {{"u", 30.0 * std::cos(angle)}, {"v", 30.0 * std::sin(angle)}, {"drag", drag}},
       .report_interval = saltus::kNever});
  return run["x"].back();
}

int main() {
  for (const double drag : {0.0, 0.01}) {
    constexpr int kRuns = 500;
    std::vector<double> widths(kRuns);
    std::atomic<int> next = 0;
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
      workers.emplace_back([&] {
        for (int k = next++; k < kRuns; k = next++) {
          widths[static_cast<std::size_t>(k)] = width(20.0 + 0.1 * k, drag);
        }
      });
    }
    for (std::thread& worker : workers) worker.join();
    const auto widest = std::max_element(widths.begin(), widths.end()) - widths.begin();
    std::printf("the widest throw is at %.0f degrees %s drag\n",
                20.0 + 0.1 * static_cast<double>(widest), drag > 0.0 ? "with" : "without");
  }
}
