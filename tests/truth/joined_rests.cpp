// SPDX-License-Identifier: BSD-2-Clause
// Conditions that join what is zero while bodies stick with other comparisons. What is counted is
// compared with the velocities that the run records: those of bodies that stick are roundings.
#include "joined_rests.hpp"

#include <algorithm>
#include <cmath>

#include "counted_rows.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/simulation.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

// Of the run: so close are the rows from which it is seen who moves.
constexpr double kRow = 1.0 / 16000.0;

SimulationOptions make(Random& random) {
  SimulationOptions given{.tolerance = random.log_uniform(1e-9, 1e-4),
                          .report_interval = kRestsStop * kRow};
  auto& values = given.values;
  values["pull"] = random.uniform(0.3, 3.0);
  values["w"] = random.uniform(0.5, 3.0);
  values["phase"] = random.chance(0.5) ? 0.0 : random.uniform(0.0, 6.0);
  values["friction"] = random.uniform(0.1, 1.5);
  values["ratio"] = random.chance(0.3) ? 1.0 : random.uniform(0.2, 3.0);
  values["belt"] = random.chance(0.6) ? 0.0 : random.uniform(-0.5, 0.5);
  values["place"] = random.uniform(0.1, 2.5);
  values["late"] = random.uniform(0.5, 9.0);
  const double start = random.chance(0.5) ? values["belt"] : random.uniform(-1.0, 1.5);
  values["v1"] = start;
  values["v2"] = values["ratio"] * start;
  return given;
}

Verdict judge(const SimulationOptions& given, const SimulationResult& run, double coarse) {
  const auto v1 = run["v1"], v2 = run["v2"], x = run["x"];
  const auto t = run.time();
  const double belt = given.values.at("belt"), ratio = given.values.at("ratio");
  const double place = given.values.at("place"), late = given.values.at("late");
  const auto one = [&](std::size_t i, double r) { return v1[i] - belt > r; };
  const auto two = [&](std::size_t i, double r) { return v2[i] - ratio * belt > r; };
  const auto armed = [&](std::size_t i) {
    return std::fmod(std::floor(t[i] / 1.7 + 1e-9), 2.0) == 1.0;
  };
  // A body that begins at the belt's velocity and moves at once holds its conditions for an
  // instant.
  const int at_start = given.values.at("v1") == belt ? 1 : 0;
  return judge_counts(
      run,
      {{"up", one},
       {"both", [&](std::size_t i, double r) { return one(i, r) && two(i, r); }},
       {"any", [&](std::size_t i, double r) { return one(i, r) || two(i, r); }},
       {"none", [&](std::size_t i, double r) { return !one(i, r) && !two(i, r); }},
       {"there", [&](std::size_t i, double r) { return !one(i, r) && x[i] > place; }},
       {"gone", [&](std::size_t i, double r) { return one(i, r) || x[i] > place; }},
       {"slow", [&](std::size_t i, double r) { return !one(i, r) && t[i] > late; }},
       {"ready", [&](std::size_t i, double r) { return armed(i) && !one(i, r); }}},
      {.fine = 1e-9, .coarse = std::max(coarse, *given.tolerance)},
      close_events(run, *given.report_interval) + at_start);
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  SimulationOptions given = make(random);
  constexpr Method kMethod[] = {Method::automatic, Method::dormand_prince, Method::radau,
                                Method::adams};
  given.method = kMethod[random.integer(0, 3)];
  return judge(given, simulate<JoinedRests>(given), 1e-8);
}

const Family kFamily{"joined_rests", "conditions joined of what is zero while bodies stick", run};

Verdict run_fmu(std::uint64_t seed) {
  Random random(seed);
  const SimulationOptions given = make(random);
  using Interface = importer::FmuSimulationOptions::Interface;
  const Interface interface =
      random.chance(0.5) ? Interface::model_exchange : Interface::co_simulation;
  return judge(
      given,
      importer::simulate(SALTUS_TRUTH_FMU_DIR "/joined_rests.fmu", given, {.interface = interface}),
      1e-6);
}

const Family kFmuFamily{"joined_rests_fmu", "the same, as an FMU", run_fmu};

}  // namespace
}  // namespace saltus::truth
