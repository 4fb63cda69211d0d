// SPDX-License-Identifier: BSD-2-Clause
// Conditions on one surface, x = c + d t, written in different ways: each is rounded in its own,
// and an event leaves the motion within a rounding of all of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "saltus/core/number_text.hpp"
#include "saltus/simulation.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using namespace modeling;

template <class Real>
struct Spelled {
  Parameter<Real> w{"w", {.start = 1.0}}, c{"c", {.start = 0.1}}, d{"d", {.start = 0.1}};
  State<Real> x{"x"}, y{"y", {.start = 1.0}}, r{"r"}, away{"away"};
  Discrete<int> up{"up"}, down{"down"}, above{"above"}, below{"below"};
  void equations(Equations<Real>&) {
    der(x) = w * y;
    der(y) = -w * x;
    der(r) = d;
    der(away) = abs(x - c - r);
  }
  void events(Events<Real>& ev) {
    if (ev.when(x > c + r)) up = up + 1;
    if (ev.when(x < c + r)) down = down + 1;
    if (ev.when(x - r >= c)) above = above + 1;
    if (ev.when(!(c - x + r <= 0.0))) below = below + 1;
  }
};

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const double w = random.uniform(0.5, 3.0), c = random.uniform(-0.6, 0.6);
  const double d = random.uniform(-0.1, 0.1), stop = 20.0;
  const double tolerance = random.log_uniform(1e-11, 1e-4);
  // Changes of sign of sin(w t) - c - d t, which has at most one extremum in a sample.
  const auto margin = [&](double t) { return std::sin(w * t) - c - d * t; };
  const int samples = 4000;
  int rises = 0, falls = 0;
  double nearest = 1.0;
  for (int k = 0; k < samples; ++k) {
    const double from = margin(stop * k / samples), to = margin(stop * (k + 1) / samples);
    rises += from <= 0.0 && to > 0.0 ? 1 : 0;
    falls += from > 0.0 && to <= 0.0 ? 1 : 0;
    const double t = stop * k / samples, slope = w * std::cos(w * t) - d;
    if (std::fabs(slope) < 0.05) nearest = std::min(nearest, std::fabs(from));
  }
  if (nearest < 0.01 || std::fabs(c) < 0.01 || std::fabs(margin(stop)) < 0.01) return right();

  Simulation run = Simulation::of<Spelled>(
      {.stop = stop, .tolerance = tolerance, .values = {{"w", w}, {"c", c}, {"d", d}}});
  run.start();
  run.advance_to(stop);
  const bool starts_above =
      margin(0.0) > 0.0;  // a condition that holds at the start comes true there
  const double ups = rises + (starts_above ? 1 : 0), downs = falls + (starts_above ? 0 : 1);
  const std::array<std::pair<const char*, double>, 4> expected{
      {{"up", ups}, {"above", ups}, {"down", downs}, {"below", downs}}};
  for (const auto& [name, known] : expected) {
    if (const double found = run.value(name); found != known) {
      return wrong(std::string(name) + " = " + number_text(found) + " for " + number_text(known));
    }
  }
  return right();
}

const Family kFamily{"spelled_surfaces", "conditions on one surface, written in different ways",
                     run};

}  // namespace
}  // namespace saltus::truth
