// SPDX-License-Identifier: BSD-2-Clause
// A heated room: discrete variables, two thresholds, a clock.
//
// Prints:
//   the heater was switched
//   kept between 16 and 21 degrees: yes
#include <algorithm>
#include <cstdio>
#include <saltus/simulation.hpp>

using namespace saltus::modeling;

template <class Real>
struct Thermostat {
  static constexpr ModelInfo info{.description = "A heated room", .stop = 86400.0};

  State<Real> T{"T", {.unit = "degC", .start = 20.0, .nominal = 20.0}};
  Parameter<Real> outside{"outside", {.unit = "degC", .start = 5.0}};
  Discrete<bool> on{"on"};
  Discrete<Real> target{"target", {.unit = "degC", .start = 20.0}};
  Discrete<int> switched{"switched"};

  void equations(Equations<Real>&) { der(T) = ((on ? 4000.0 : 0.0) - 150.0 * (T - outside)) / 1e6; }
  void events(Events<Real>& ev) {
    if (ev.when(T < target - 1.0)) {
      on = true;
      switched = switched + 1;
    }
    if (ev.when(T > target + 1.0)) on = false;
    if (ev.at(8.0 * 3600.0)) target = 17.0;  // at night
    if (ev.at(16.0 * 3600.0)) target = 20.0;
  }
};

int main() {
  const auto run = saltus::simulate<Thermostat>();
  const auto T = run["T"];
  const auto [low, high] = std::minmax_element(T.begin(), T.end());
  std::printf("the heater was switched on %.0f times\n", run["switched"].back());
  std::printf("kept between 16 and 21 degrees: %s\n",
              *low > 16.0 - 1e-3 && *high < 21.0 + 1e-3 ? "yes" : "no");
}
