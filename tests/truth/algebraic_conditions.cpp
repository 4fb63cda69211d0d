// SPDX-License-Identifier: BSD-2-Clause
// Conditions on algebraic unknowns, of index 1 and 2: how often they come true, and when, is known.
#include "algebraic_conditions.hpp"

#include <cmath>
#include <numbers>

#include "implicit_roads.hpp"

namespace saltus::truth {
namespace {

// z = f(p), and its inverse.
double wave_at(int kind, double z, double offset) {
  switch (kind) {
    case 0:
      return std::exp(z) - offset;
    case 1:
      return z + z * z * z;
    case 2:
      return 1.25 * std::sinh(z);
    default:
      return -z;
  }
}
double solve(int kind, double p, double offset) {
  double low = -50.0, high = 50.0;
  const double sign = kind == 3 ? -1.0 : 1.0;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (sign * (wave_at(kind, middle, offset) - p) < 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

struct Crossings {
  int count = 0;
  double last = 0.0;
};
// Of A sin(w t + phase) with a level, upwards or downwards, in (0, stop].
Crossings crossings(double amplitude, double w, double phase, double level, bool upwards,
                    double stop) {
  const double angle = std::asin(level / amplitude);
  const double first = upwards ? angle : std::numbers::pi - angle;
  Crossings found;
  double t = (first - phase) / w;
  const double period = 2.0 * std::numbers::pi / w;
  t -= period * std::floor(t / period);
  for (; t <= stop; t += period) {
    ++found.count;
    found.last = t;
  }
  return found;
}
// How near the end of the run is to one of them, in periods.
double nearness(double amplitude, double w, double phase, double level, double stop) {
  double nearest = 1.0;
  for (const bool upwards : {true, false}) {
    const double angle = std::asin(level / amplitude);
    const double at = ((upwards ? angle : std::numbers::pi - angle) - phase - w * stop) /
                      (2.0 * std::numbers::pi);
    nearest = std::fmin(nearest, std::fabs(at - std::round(at)));
  }
  return nearest;
}

template <template <class> class M>
std::unique_ptr<modeling::DescribedModel> make() {
  return std::make_unique<modeling::NativeModel<M>>("model");
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const int kind = random.integer(0, 3);
  const double amplitude = random.uniform(0.5, 2.0);
  const double w = random.log_uniform(0.3, 10.0);
  const double offset = amplitude * random.uniform(1.2, 3.0);
  // Beyond the start value on both sides.
  const double start = amplitude * random.uniform(-0.4, 0.4);
  const double above = amplitude * random.uniform(0.5, 0.9);
  const double below = -amplitude * random.uniform(0.5, 0.9);
  const double phase = std::asin(start / amplitude);
  double stop = random.uniform(0.5, 4.0) * 2.0 * std::numbers::pi / w;
  while (nearness(amplitude, w, phase, above, stop) < 0.02 ||
         nearness(amplitude, w, phase, below, stop) < 0.02) {
    stop *= 1.01;
  }
  const bool falling = kind == 3;  // z = -p
  ImplicitRun run{.native = make<test::AlgebraicWaves>, .fmu = "algebraic_waves"};
  run.values = {{"p", start},
                {"q", amplitude * std::cos(phase)},
                {"u", falling ? amplitude * std::cos(phase) / w : 1.0},
                {"w", w},
                {"offset", offset},
                {"kind", kind},
                {"high", solve(kind, falling ? below : above, offset)},
                {"low", solve(kind, falling ? above : below, offset)}};
  run.stop = stop;
  run.tolerance = random.log_uniform(1e-11, 1e-3);
  run.report_interval = stop / random.uniform(3.0, 60.0);
  run.recorded = {"p", "rises", "falls", "rose", "fell"};
  for (const char* name : {"z", "r", "der(p)", "u"}) {
    if (random.chance(0.5)) run.recorded.emplace_back(name);
  }
  const bool natively = random.chance(0.4);
  const Road road = natively ? kNativeRoads[random.integer(0, 3)] : kFmuRoads[random.integer(0, 3)];

  const auto end = end_of(run, road);
  const Crossings up = crossings(amplitude, w, phase, falling ? below : above, !falling, stop);
  const Crossings down = crossings(amplitude, w, phase, falling ? above : below, falling, stop);
  const std::string told = std::string(" (kind ") + std::to_string(kind) + ", " + to_string(road) +
                           ", tolerance " + std::to_string(std::log10(run.tolerance)) + ")";
  const auto check = [&](const char* count, const char* time, const Crossings& exact) {
    if (end.at(count) != exact.count) {
      return wrong(std::string(count) + " is " + std::to_string(end.at(count)) + " instead of " +
                   std::to_string(exact.count) + told);
    }
    // Errors grow with the number of periods; a loose tolerance is far from its asymptotics.
    const double allowed = 1e3 * run.tolerance * (1.0 + stop * w) / w + 1e-8;
    if (exact.count > 0 && std::fabs(end.at(time) - exact.last) > allowed) {
      return wrong(std::string(time) + " is off by " + std::to_string(end.at(time) - exact.last) +
                   told);
    }
    return right();
  };
  const Verdict rises = check("rises", "rose", up);
  return rises.kind == Verdict::Kind::right ? check("falls", "fell", down) : rises;
}

const Family kFamily{"algebraic_conditions",
                     "conditions on algebraic unknowns, on every road of an implicit model", run};

}  // namespace
}  // namespace saltus::truth
