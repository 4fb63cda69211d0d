// SPDX-License-Identifier: BSD-2-Clause
// A body under dry friction that is pulled to and fro, and conditions on the very velocity that is
// zero while it sticks: they count how often it starts to move, and how often it stops. When it
// does follows from closed forms.
#include <array>
#include <cmath>
#include <string>

#include "saltus/core/number_text.hpp"
#include "saltus/simulation.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using namespace modeling;

template <class Real>
struct CountedStarts {
  Parameter<Real> pull{"pull", {.start = 1.5}}, w{"w", {.start = 1.0}},
      belt{"belt", {.start = 0.0}};
  State<Real> x{"x"}, v{"v"};
  Discrete<int> ups{"ups"}, downs{"downs"}, not_ups{"not_ups"}, not_downs{"not_downs"},
      far_ups{"far_ups"};
  void equations(Equations<Real>& eq) {
    der(x) = v;
    der(v) = pull * sin(w * eq.time) + (v > belt ? -1.0 : Real(1.0));
  }
  void events(Events<Real>& ev) {
    if (ev.when(v > belt)) ups = ups + 1;
    if (ev.when(v < belt)) downs = downs + 1;
    if (ev.when(v <= belt)) not_ups = not_ups + 1;
    if (ev.when(belt <= v)) not_downs = not_downs + 1;
    if (ev.when(v > belt && x > -1e3)) far_ups = far_ups + 1;
  }
};

struct Counts {
  int ups = 0, downs = 0;
  int not_ups = 1, not_downs = 1;  // it begins at rest, and so does each of the two
  bool is_doubtful = false;
};

// The velocity beside the belt after it began to move at `from`, with friction against `way`.
struct Flight {
  double pull, w, from, way;
  double velocity(double t) const {
    return pull / w * (std::cos(w * from) - std::cos(w * t)) - way * (t - from);
  }
  // When it is zero again, before `stop`.
  double end(double stop) const {
    const double stride = 1e-3 / w;
    for (double t = from + stride; t < stop; t += stride) {
      if (velocity(t) * way > 0.0) continue;
      double low = t - stride, high = t;
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (velocity(middle) * way > 0.0 ? low : high) = middle;
      }
      return high;
    }
    return kNever;
  }
};

Counts count(double pull, double w, double stop) {
  Counts counts;
  const double angle = std::asin(1.0 / pull);  // beyond which the pull is stronger than friction
  double t = 0.0;
  while (t < stop) {
    const double force = pull * std::sin(w * t);
    const double way = force > 0.0 ? 1.0 : -1.0;
    if (std::fabs(force) <= 1.0) {  // it sticks until the pull is stronger
      const double turns = std::floor(w * t / M_PI);
      double next = (turns * M_PI + angle) / w;
      if (next < t) next += M_PI / w;
      counts.is_doubtful = counts.is_doubtful || std::fabs(next - stop) < 1e-3;
      t = next * (1.0 + 1e-13);
      continue;
    }
    ++(way > 0.0 ? counts.ups : counts.downs);
    const double end = Flight{pull, w, t, way}.end(stop + 1e-3);
    counts.is_doubtful = counts.is_doubtful || std::fabs(end - stop) < 1e-3 ||
                         std::fabs(std::fabs(pull * std::sin(w * end)) - 1.0) < 1e-3;
    t = end;
    (way > 0.0 ? counts.not_ups : counts.not_downs) += t < stop ? 1 : 0;
  }
  return counts;
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const double pull = random.uniform(1.05, 3.0), w = random.log_uniform(0.3, 3.0);
  const double stop = random.uniform(1.0, 4.0) * 2.0 * M_PI / w;
  const double tolerance = random.log_uniform(1e-10, 1e-4);
  const double belt = random.chance(0.5) ? 0.0 : random.uniform(-1.0, 1.0);
  const Counts known = count(pull, w, stop);
  if (known.is_doubtful) return right();

  Simulation run = Simulation::of<CountedStarts>(
      {.stop = stop,
       .tolerance = tolerance,
       .values = {{"pull", pull}, {"w", w}, {"belt", belt}, {"v", belt}}});
  run.start();
  run.advance_to(stop);
  const std::array<std::pair<const char*, double>, 5> expected{{{"ups", known.ups},
                                                                {"far_ups", known.ups},
                                                                {"downs", known.downs},
                                                                {"not_ups", known.not_ups},
                                                                {"not_downs", known.not_downs}}};
  for (const auto& [name, value] : expected) {
    if (const double found = run.value(name); found != value) {
      return wrong(std::string(name) + " = " + number_text(found) + " for " + number_text(value) +
                   " (pull " + number_text(pull) + ", w " + number_text(w) + ", belt " +
                   number_text(belt) + ", stop " + number_text(stop) + ")");
    }
  }
  return right();
}

const Family kFamily{"counted_starts", "conditions on what is zero while the motion slides", run};

}  // namespace
}  // namespace saltus::truth
