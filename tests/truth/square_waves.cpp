// SPDX-License-Identifier: BSD-2-Clause
// Square waves: conditions on sines of time, or of a state that grows steadily. What they drive is
// linear between events, so that steps have no error however long they are, and the instants at
// which the waves change are known.
#include <array>
#include <cmath>
#include <string>

#include "saltus/core/number_text.hpp"
#include "saltus/simulation.hpp"
#include "truth.hpp"
#include "wave.hpp"

namespace saltus::truth {
namespace {

using namespace modeling;

template <class Real>
struct Waves {
  State<Real> x{"x"}, a{"a"}, b{"b"}, slow{"slow", {.start = 1.0}};
  Parameter<Real> rate{"rate", {.start = 1.0}};
  Parameter<Real> of_a{"of_a", {.start = 1.0}}, shift_a{"shift_a", {.start = 0.0}},
      level_a{"level_a", {.start = 0.0}};
  Parameter<Real> of_b{"of_b", {.start = 1.0}}, shift_b{"shift_b", {.start = 0.0}},
      level_b{"level_b", {.start = 0.0}};
  Discrete<int> rises{"rises"};
  void equations(Equations<Real>& eq) {
    der(x) = rate;
    der(slow) = -slow;
    der(a) = sin(of_a * eq.time + shift_a) > level_a ? 1.0 : -1.0;
    der(b) = sin(of_b * x / rate + shift_b) > level_b ? 1.0 : -1.0;
  }
  void events(Events<Real>& ev) {
    if (ev.when(sin(of_a * x / rate + shift_a) > level_a)) rises = rises + 1;
  }
};

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const double stop = random.log_uniform(0.1, 100.0);
  const Wave a = random_wave(random, stop), b = random_wave(random, stop);
  const double tolerance = random.log_uniform(1e-9, 1e-3);
  const double reports = random.chance(0.5) ? kNever : stop * random.uniform(0.001, 0.5);
  const double rate = random.log_uniform(1e-3, 1e3);
  if (a.is_doubtful(stop) || b.is_doubtful(stop)) return right();

  SimulationOptions options{.stop = stop, .tolerance = tolerance};
  options.report_interval = reports;
  options.values = {{"rate", rate},       {"of_a", a.frequency}, {"shift_a", a.shift},
                    {"level_a", a.level}, {"of_b", b.frequency}, {"shift_b", b.shift},
                    {"level_b", b.level}};
  Simulation run = Simulation::of<Waves>(options);
  run.start();
  run.advance_to(stop);
  const std::array<std::pair<const char*, double>, 3> expected{
      {{"a", a.integral(stop)}, {"b", b.integral(stop)}, {"rises", a.beginnings(stop, true)}}};
  for (const auto& [name, known] : expected) {
    if (const double found = run.value(name);
        !(std::fabs(found - known) <= (1e-7 + 100.0 * tolerance) * stop)) {
      return wrong(std::string(name) + " = " + number_text(found) + " for " + number_text(known));
    }
  }
  return right();
}

const Family kFamily{"square_waves", "conditions on sines that change faster than the states", run};

}  // namespace
}  // namespace saltus::truth
