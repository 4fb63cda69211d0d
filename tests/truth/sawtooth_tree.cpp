// SPDX-License-Identifier: BSD-2-Clause
// Sawtooths as submodels of submodels, each the gain of the next: where floor makes its events, and
// which value goes where, shows in the areas below them. Between events these are polynomials.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "saltus/simulation.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using namespace saltus::modeling;

template <class Real>
struct Saw {
  State<Real> x{"x"}, area{"area"};
  Parameter<Real> rate{"rate", {.start = 1.0}};
  Input<Real> gain{"gain", {.start = 1.0}};
  Discrete<int> n{"n"};
  Output<Real> y{"y"};
  void equations(Equations<Real>&) {
    n = floor(x);
    y = gain * (x - n);
    der(x) = rate;
    der(area) = y;
  }
};

template <class Real>
struct SawPair {
  Submodel<Saw<Real>> first{"first"}, second{"second"};
  void equations(Equations<Real>& eq) {
    first.equations(eq);
    second.gain = 1.0 + first.y;
    second.equations(eq);
  }
};

template <class Real>
struct SawTree {
  static constexpr ModelInfo info{.stop = 2.0};
  Submodel<SawPair<Real>> pair{"pair"};
  Submodels<Saw<Real>> more{"more", 2};
  void equations(Equations<Real>& eq) {
    pair.equations(eq);
    more[0].gain = pair.second.y;
    more.equations(eq);
  }
};

constexpr std::size_t kSaws = 4;
constexpr std::array<const char*, kSaws> kNames{"pair.first", "pair.second", "more[0]", "more[1]"};
struct Saws {
  std::array<double, kSaws> start{}, rate{};
  double gain = 1.0;  // of the last one, from outside
  double stop = 2.0;

  // The teeth at a time, with the whole numbers of another one that nothing lies between.
  std::array<double, kSaws> y(double t, double inside) const {
    std::array<double, kSaws> teeth{};
    for (std::size_t i = 0; i < kSaws; ++i) {
      teeth[i] = start[i] + rate[i] * t - std::floor(start[i] + rate[i] * inside);
    }
    const double second = (1.0 + gain * teeth[0]) * teeth[1];
    return {gain * teeth[0], second, second * teeth[2], gain * teeth[3]};
  }
  // Simpson's rule is exact for polynomials of degree 3.
  std::array<double, kSaws> areas() const {
    std::vector<double> times{0.0, stop};
    for (std::size_t i = 0; i < kSaws; ++i) {
      const double end = start[i] + rate[i] * stop;
      for (double k = std::ceil(std::min(start[i], end)); k < std::max(start[i], end); k += 1.0) {
        times.push_back((k - start[i]) / rate[i]);
      }
    }
    std::sort(times.begin(), times.end());
    std::array<double, kSaws> sum{};
    for (std::size_t k = 0; k + 1 < times.size(); ++k) {
      const double a = times[k], b = times[k + 1], middle = 0.5 * (a + b);
      const auto left = y(a, middle), inside = y(middle, middle), right = y(b, middle);
      for (std::size_t i = 0; i < kSaws; ++i) {
        sum[i] += (b - a) / 6.0 * (left[i] + 4.0 * inside[i] + right[i]);
      }
    }
    return sum;
  }
};

Verdict run(std::uint64_t seed) {
  Random random(seed);
  Saws saws;
  SimulationOptions options{.stop = saws.stop, .tolerance = random.log_uniform(1e-10, 1e-5)};
  options.method = random.chance(0.5) ? Method::dormand_prince : Method::radau;
  saws.gain = random.uniform(-2.0, 2.0);
  for (std::size_t i = 0; i < kSaws; ++i) {
    saws.start[i] = random.uniform(-3.0, 3.0);
    saws.rate[i] = random.log_uniform(0.1, 5.0) * (random.chance(0.5) ? 1.0 : -1.0);
    options.values[std::string(kNames[i]) + ".x"] = saws.start[i];
    options.values[std::string(kNames[i]) + ".rate"] = saws.rate[i];
  }
  options.values["pair.first.gain"] = options.values["more[1].gain"] = saws.gain;
  const SimulationResult result = simulate<SawTree>(options);
  // A hundred times the tolerance, for each event.
  const double most = 100.0 * *options.tolerance * (1.0 + double(result.events().size()));
  const std::array<double, kSaws> areas = saws.areas();
  for (std::size_t i = 0; i < kSaws; ++i) {
    const double off = result[std::string(kNames[i]) + ".area"].back() - areas[i];
    if (!(std::fabs(off) <= most)) {
      return wrong(std::string(kNames[i]) + ".area is off by " + std::to_string(off));
    }
  }
  return right();
}

const Family kFamily{"sawtooth_tree", "submodels of submodels, with floor as their events", run};

}  // namespace
}  // namespace saltus::truth
