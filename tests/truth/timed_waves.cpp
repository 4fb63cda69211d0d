// SPDX-License-Identifier: BSD-2-Clause
// Square waves of time alone, on every road of an implicit model: natively with every integrator,
// and as an FMU through both interfaces.
#include "timed_waves.hpp"

#include <cmath>

#include "implicit_roads.hpp"
#include "saltus/core/number_text.hpp"
#include "wave.hpp"

namespace saltus::truth {
namespace {

std::unique_ptr<modeling::DescribedModel> make() {
  return std::make_unique<modeling::NativeModel<test::TimedWaves>>("model");
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const double stop = random.log_uniform(0.1, 100.0);
  const Wave wave = random_wave(random, stop);
  ImplicitRun run{.native = make, .fmu = "timed_waves"};
  run.values = {{"frequency", wave.frequency}, {"shift", wave.shift}, {"level", wave.level}};
  run.stop = stop;
  run.tolerance = random.log_uniform(1e-9, 1e-3);
  run.report_interval = stop / random.uniform(3.0, 60.0);
  run.recorded = {"a", "rises", "falls"};
  const Road road =
      random.chance(0.5) ? kNativeRoads[random.integer(0, 3)] : kFmuRoads[random.integer(0, 3)];
  if (wave.is_doubtful(stop)) return right();

  const auto end = end_of(run, road);
  // At the very start z is -1 where the wave comes to be on a rounding later.
  const bool begins = !wave.is_on(0.0) && wave.is_on(1e-9 * stop);
  const std::pair<const char*, double> expected[] = {
      {"rises", wave.beginnings(stop, true)},
      {"falls", wave.beginnings(stop, false) + (begins ? 1 : 0)},
      {"a", wave.integral(stop)}};
  for (const auto& [name, known] : expected) {
    if (!(std::fabs(end.at(name) - known) <= (1e-7 + 100.0 * run.tolerance) * stop)) {
      return wrong(std::string(name) + " = " + number_text(end.at(name)) + " for " +
                   number_text(known) + " (" + to_string(road) + ", frequency " +
                   number_text(wave.frequency) + ", shift " + number_text(wave.shift) + ", level " +
                   number_text(wave.level) + ", stop " + number_text(stop) + ")");
    }
  }
  return right();
}

const Family kFamily{"timed_waves", "square waves of time, on every road of an implicit model",
                     run};

}  // namespace
}  // namespace saltus::truth
