// SPDX-License-Identifier: BSD-2-Clause
// Linear automata with resets, a held sample and a clock, all of random parameters: the solution is
// known piece by piece, and differentiated by numbers that carry their derivatives.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "riser.hpp"
#include "saltus/gradient.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/simulation.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

constexpr std::array kNames{"a0", "a1", "a2", "b0", "b1",     "b2", "c0",
                            "c1", "c2", "r",  "k",  "period", "w",  "start(x)"};
constexpr std::size_t kCount = kNames.size();

/// A number with its derivatives.
struct Dual {
  double value = 0.0;
  std::array<double, kCount> slope{};
  Dual(double v = 0.0) : value(v) {}  // NOLINT(google-explicit-constructor)

  Dual mapped(double v, double factor) const {
    Dual result(v);
    for (std::size_t i = 0; i < kCount; ++i) result.slope[i] = factor * slope[i];
    return result;
  }
  friend Dual operator+(Dual a, const Dual& b) {
    a.value += b.value;
    for (std::size_t i = 0; i < kCount; ++i) a.slope[i] += b.slope[i];
    return a;
  }
  friend Dual operator-(const Dual& a, const Dual& b) { return a + b.mapped(-b.value, -1.0); }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual result(a.value * b.value);
    for (std::size_t i = 0; i < kCount; ++i) {
      result.slope[i] = a.slope[i] * b.value + a.value * b.slope[i];
    }
    return result;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    return a * b.mapped(1.0 / b.value, -1.0 / (b.value * b.value));
  }
  friend Dual exp(const Dual& a) { return a.mapped(std::exp(a.value), std::exp(a.value)); }
  friend Dual log(const Dual& a) { return a.mapped(std::log(a.value), 1.0 / a.value); }
};

struct Truth {
  Dual x, y, held;
  std::vector<Dual> events;
};

Truth solve(const std::array<Dual, kCount>& p, double stop) {
  Truth now;
  now.x = p[13];
  Dual t;
  std::size_t mode = 0;
  int ticks = 1;
  const auto reset = [&] {
    now.held = now.x * now.x;
    now.x = p[9] * now.x + Dual(0.05) * p[10];
    mode = (mode + 1) % 3;
  };
  for (;;) {
    while (now.x.value > p[6 + mode].value) reset();  // in the same instant
    const Dual a = p[mode], b = p[3 + mode], c = p[6 + mode], level = a / b;
    const Dual crossing = t + log((level - now.x) / (level - c)) / b;
    const Dual tick = Dual(ticks) * p[11];
    const bool is_tick = tick.value < crossing.value;
    const Dual next = std::min(tick.value, crossing.value) > stop ? Dual(stop)
                      : is_tick                                   ? tick
                                                                  : crossing;
    const Dual length = next - t, decay = exp(Dual(0.0) - b * length);
    now.y = now.y + level * length + (now.x - level) * (Dual(1.0) - decay) / b +
            p[10] * now.held * length;
    now.x = level + (now.x - level) * decay;
    t = next;
    if (t.value >= stop) return now;
    now.events.push_back(t);
    if (is_tick) {
      now.y = now.y + p[12] * now.x;
      ++ticks;
    } else {
      reset();
    }
  }
}

using Road = SimulationResult (*)(const SimulationOptions& options);

struct Problem {
  std::array<Dual, kCount> p;
  SimulationOptions options;
};

Problem make(std::uint64_t seed) {
  Random random(seed);
  std::array<Dual, kCount> p;
  SimulationOptions options{
      .stop = random.uniform(2.0, 8.0), .tolerance = 1e-10, .report_interval = kNever};
  for (std::size_t i = 0; i < kCount; ++i) {
    const double value = i < 3    ? random.uniform(1.0, 3.0)
                         : i < 6  ? random.uniform(0.3, 1.2)
                         : i < 9  ? p[i - 6].value / p[i - 3].value * random.uniform(0.3, 0.8)
                         : i == 9 ? random.uniform(0.0, 0.2)
                         : i < 13 ? random.uniform(0.2, 1.0)
                                  : random.uniform(0.0, 0.1);
    p[i].value = value;
    p[i].slope[i] = 1.0;
    options.values[i == 13 ? "x" : kNames[i]] = value;
  }
  return {p, options};
}

bool differs(double got, double right) {
  return !(std::fabs(got - right) <= 1e-6 * (1.0 + std::fabs(right)));
}

Verdict run(std::uint64_t seed, Road road) {
  auto [p, options] = make(seed);
  options.sensitivities.assign(kNames.begin(), kNames.end());
  const Truth truth = solve(p, *options.stop);
  const SimulationResult result = road(options);
  if (!result.warnings().empty()) return refused(result.warnings().front().message);

  for (std::size_t i = 0; i < kCount; ++i) {
    for (const auto& [name, value] :
         {std::pair{"x", truth.x}, {"y", truth.y}, {"held", truth.held}}) {
      const std::string slope = std::string("d(") + name + ")/d(" + kNames[i] + ")";
      if (const double got = result[slope].back(); differs(got, value.slope[i])) {
        return wrong(slope + " = " + std::to_string(got) + " for " +
                     std::to_string(value.slope[i]));
      }
    }
  }
  // A condition that turns false where the reset has put x is an event of its own.
  std::size_t n = 0;
  for (const auto& event : result.events()) {
    if (n == truth.events.size() || differs(event.time, truth.events[n].value)) {
      if (n > 0 && !differs(event.time, truth.events[n - 1].value)) continue;
      return wrong("an event at " + std::to_string(event.time));
    }
    for (std::size_t i = 0; i < kCount; ++i) {
      if (differs(event.time_sensitivities[i], truth.events[n].slope[i])) {
        return wrong("event " + std::to_string(n) + " moves by " + kNames[i]);
      }
    }
    ++n;
  }
  return n == truth.events.size() ? right() : wrong(std::to_string(n) + " events");
}

// Backwards, one number after the other.
Verdict run_back(std::uint64_t seed) {
  const auto [p, options] = make(seed);
  const Truth truth = solve(p, *options.stop);
  for (const auto& [name, value] :
       {std::pair{"x", truth.x}, {"y", truth.y}, {"held", truth.held}}) {
    const Gradient found = gradient<Riser>(name, {kNames.begin(), kNames.end()}, options);
    for (std::size_t i = 0; i < kCount; ++i) {
      if (differs(found.by()[i], value.slope[i])) {
        return wrong(std::string(name) + " by " + kNames[i] + ": " + std::to_string(found.by()[i]) +
                     " for " + std::to_string(value.slope[i]));
      }
    }
  }
  return right();
}

const Family kGradientFamily{"hybrid_gradients", "the same, backwards", run_back};

const Family kFamily{
    "hybrid_sensitivities", "derivatives of linear automata with resets and clocks",
    [](std::uint64_t seed) {
      return run(seed, [](const SimulationOptions& options) { return simulate<Riser>(options); });
    }};

// The same by an FMU that is looked at from outside, of FMI 3.0 and 2.0 in turn.
const Family kFmuFamily{
    "fmu_sensitivities", "the same, as FMUs", [](std::uint64_t seed) {
      return run(seed, seed % 2 == 0 ? Road([](const SimulationOptions& options) {
                   return importer::simulate(SALTUS_TRUTH_FMU_DIR "/riser.fmu", options);
                 })
                                     : Road([](const SimulationOptions& options) {
                                         return importer::simulate(
                                             SALTUS_TRUTH_FMU_DIR "/fmi2/riser.fmu", options);
                                       }));
    }};

}  // namespace
}  // namespace saltus::truth
