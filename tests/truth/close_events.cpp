// SPDX-License-Identifier: BSD-2-Clause
// Conditions that change within 1e-14 to 0.1 of each other, or together: each is executed once, at
// its own time and in its turn; the same where the motion slides on a surface meanwhile and reaches
// another one.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "saltus/core/number_text.hpp"
#include "saltus/simulation.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using namespace modeling;

// Counts how often the sine of something, or its exponential, rises above a level, and when it did.
template <class Real>
struct Threshold {
  Input<Real> clock{"clock"};
  Input<Real> of_others{"of_others"};
  Parameter<Real> w{"w", {.start = 1.0}}, level{"level", {.start = 0.5}};
  Parameter<Real> exponential{"exponential", {.start = 0.0}};
  State<Real> above{"above"};
  Discrete<int> count{"count"};
  Discrete<Real> at{"at"}, seen{"seen"};

  Real rising() const {
    return exponential * exp(w * clock) + (1.0 - exponential) * sin(w * clock);
  }
  void equations(Equations<Real>&) { der(above) = rising() > level ? 1.0 : 0.0; }
  void events(Events<Real>& ev) {
    if (ev.when(rising() > level)) {
      count = count + 1;
      at = clock;
      seen = of_others;
    }
  }
};

template <class Real>
struct CloseEvents {
  State<Real> clock{"clock"};
  Submodels<Threshold<Real>> cells{"cells", 3};

  void equations(Equations<Real>& eq) {
    der(clock) = 1.0;
    for (std::size_t i = 0; i < 3; ++i) {
      cells[i].clock = clock;
      cells[i].of_others = cells[(i + 1) % 3].above;
    }
    cells.equations(eq);
  }
  void events(Events<Real>& ev) { cells.events(ev); }
};

constexpr double kStop = 4.0;

double distance(Random& random) {
  if (random.chance(0.1)) return 0.0;
  return random.log_uniform(1e-14, 0.1);
}

struct Rise {
  double w, at;
  bool exponential;
  double level() const { return exponential ? std::exp(w * at) : std::sin(w * at); }
  double slope() const { return w * (exponential ? std::exp(w * at) : std::cos(w * at)); }
  // How long it is above its level.
  double above() const { return (exponential ? kStop : std::min(kStop, M_PI / w - at)) - at; }
};

Verdict run_free(std::uint64_t seed) {
  Random random(seed);
  SimulationOptions options{.stop = kStop, .tolerance = random.log_uniform(1e-11, 1e-4)};
  constexpr std::array kMethods{Method::automatic, Method::dormand_prince, Method::radau,
                                Method::adams};
  options.method = kMethods[static_cast<std::size_t>(random.integer(0, 3))];
  if (random.chance(0.5)) options.max_step = random.log_uniform(1e-2, 1.0);
  std::array<Rise, 3> rises;
  double at = random.uniform(0.7, 2.5);
  for (Rise& rise : rises) {
    rise = {.w = random.uniform(0.1, 1.2) / at, .at = at, .exponential = random.chance(0.5)};
    at += distance(random);
  }
  std::swap(rises[0], rises[static_cast<std::size_t>(random.integer(0, 2))]);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string cell = "cells[" + std::to_string(i) + "].";
    options.values[cell + "w"] = rises[i].w;
    options.values[cell + "level"] = rises[i].level();
    options.values[cell + "exponential"] = rises[i].exponential ? 1.0 : 0.0;
  }

  const SimulationResult run = simulate<CloseEvents>(options);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string cell = "cells[" + std::to_string(i) + "].";
    const auto expect = [&](const char* name, double known, double margin) {
      const double found = run[cell + name].back();
      if (std::fabs(found - known) <= margin) return right();
      return wrong(cell + name + " = " + number_text(found) + " for " + number_text(known));
    };
    // What rises and its level are rounded, and so is the clock.
    const double margin = 1e-11 + 1e-14 * (1.0 + rises[i].level()) / rises[i].slope();
    // What the next one has gathered until then.
    const double since = std::max(rises[i].at - rises[(i + 1) % 3].at, 0.0);
    for (const Verdict& verdict :
         {expect("count", 1.0, 0.0), expect("at", rises[i].at, margin),
          expect("above", rises[i].above(), 10.0 * margin + *options.tolerance * 1e-3),
          expect("seen", since, 10.0 * margin)}) {
      if (verdict.kind != Verdict::Kind::right) return verdict;
    }
  }
  return right();
}

const Family kFree{"close_events", "conditions that change close to each other", run_free};

// y slides on its surface throughout; z reaches its own, to slide on it, too, or to cross it.
template <class Real>
struct CloseWhileSliding {
  Parameter<Real> pull{"pull", {.start = 0.5}}, w{"w", {.start = 1.0}},
      of_z{"of_z", {.start = 0.0}};
  Parameter<Real> speed{"speed", {.start = 1.0}}, growth{"growth", {.start = 0.0}},
      beyond{"beyond", {.start = 1.0}};
  Parameter<Real> first{"first", {.start = 1.0}}, second{"second", {.start = 1.0}};
  State<Real> clock{"clock"}, x{"x"}, y{"y"}, z{"z", {.start = -1.0}};
  Discrete<int> n{"n"}, m{"m"}, r{"r"};
  Discrete<Real> at{"at"};

  void equations(Equations<Real>&) {
    der(clock) = 1.0;
    der(x) = y;
    der(y) = pull * sin(w * clock) + of_z * z + (y > 0.0 ? -1.0 : Real(1.0));
    der(z) = z > 0.0 ? beyond : Real(speed + growth * clock);
  }
  void events(Events<Real>& ev) {
    if (ev.when(clock > first)) {
      n = n + 1;
      at = clock;
    }
    if (ev.when(sin(0.3 * clock) > sin(0.3 * second))) m = m + 1;
    if (ev.when(z > 0.0)) r = r + 1;
  }
};

Verdict run_sliding(std::uint64_t seed) {
  Random random(seed);
  const double tolerance = random.log_uniform(1e-10, 1e-3);
  const double speed = random.uniform(0.2, 2.0), growth = random.uniform(-0.2, 0.5) * speed;
  const double reached = random.uniform(0.5, 3.0);
  const double start = -(speed + 0.5 * growth * reached) * reached;
  const bool crosses = random.chance(0.5);
  const double beyond = random.uniform(0.1, 2.0) * (crosses ? 1.0 : -1.0);
  const double first = reached + distance(random) * (random.chance(0.5) ? 1.0 : -1.0);
  const double second = reached + distance(random) * (random.chance(0.5) ? 1.0 : -1.0);
  // So that y stays where it is.
  const double largest = std::max(-start, kStop * std::fabs(beyond));
  const double of_z = random.chance(0.5) ? 0.0 : random.uniform(-0.4, 0.4) / largest;
  SimulationOptions options{.stop = kStop,
                            .tolerance = tolerance,
                            .values = {{"pull", random.uniform(-0.5, 0.5)},
                                       {"w", random.uniform(0.2, 5.0)},
                                       {"of_z", of_z},
                                       {"speed", speed},
                                       {"growth", growth},
                                       {"beyond", beyond},
                                       {"first", first},
                                       {"second", second},
                                       {"z", start}}};
  if (random.chance(0.3)) options.max_step = random.log_uniform(1e-2, 1.0);

  const SimulationResult run = simulate<CloseWhileSliding>(options);
  const double end = crosses ? beyond * (kStop - reached) : 0.0;
  for (const auto& [name, known, margin] : {std::tuple{"n", 1.0, 0.0},
                                            {"m", 1.0, 0.0},
                                            {"r", crosses ? 1.0 : 0.0, 0.0},
                                            {"y", 0.0, tolerance},
                                            {"z", end, 100.0 * tolerance + 1e-9},
                                            {"at", first, 1e-11}}) {
    const double found = run[name].back();
    if (std::fabs(found - known) > margin) {
      return wrong(std::string(name) + " = " + number_text(found) + " for " + number_text(known) +
                   " (first " + number_text(first - reached) + ", second " +
                   number_text(second - reached) + " after the surface is reached)");
    }
  }
  for (const char* counter : {"n", "m", "r"}) {
    const auto counts = run[counter];
    if (!std::is_sorted(counts.begin(), counts.end()))
      return wrong(std::string(counter) + " falls");
  }
  return right();
}

const Family kSliding{"close_while_sliding", "the same where the motion slides", run_sliding};

}  // namespace
}  // namespace saltus::truth
