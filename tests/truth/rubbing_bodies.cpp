// SPDX-License-Identifier: BSD-2-Clause
// Bodies that rub on each other: conditions on what is zero where they stick, on one of several
// surfaces, on sums of them and on curved ones. What is counted is compared with the velocities
// that the run records: those of bodies that stick are roundings, those of others are not.
#include "rubbing_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "counted_rows.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/simulation.hpp"
#include "truth.hpp"
#ifdef SALTUS_TRUTH_BDF
#include "saltus/integrators/bdf.hpp"
#endif

namespace saltus::truth {
namespace {

// Of the run: so close are the rows from which it is seen who moves.
constexpr double kRow = 1.0 / 16000.0;

struct Problem {
  SimulationOptions options;
  double turn = 0.0;
};

Problem make(Random& random) {
  Problem given;
  given.options = {.tolerance = random.log_uniform(1e-9, 1e-4),
                   .report_interval = kRubbingStop * kRow};
  given.turn = random.chance(0.5) ? 0.0 : random.uniform(0.0, 0.8);
  auto& values = given.options.values;
  values["turn"] = given.turn;
  values["pull1"] = random.uniform(0.3, 3.0);
  for (const char* other : {"pull2", "pull3"}) {
    values[other] = random.chance(0.4) ? 0.0 : random.uniform(-1.0, 2.0);
  }
  values["w1"] = random.uniform(0.5, 3.0);
  values["w2"] = random.chance(0.5) ? values["w1"] : random.uniform(0.5, 4.0);
  for (const char* friction : {"upper", "lower", "ground"}) {
    values[friction] = random.uniform(0.1, 1.2);
  }
  return given;
}

// How often a function of the row comes to be more than a rounding.
template <class Function>
int rises(std::size_t rows, Function value, double rounding) {
  int count = 0;
  for (std::size_t i = 1; i < rows; ++i) {
    count += value(i) > rounding && !(value(i - 1) > rounding) ? 1 : 0;
  }
  return count;
}

// `run`: whose counts are judged, by what moves in `rows`. Whoever moves by less than the tolerance
// or `coarse` need not be seen to move, as an integrator is off by that; and what moves by more
// than `fine` for a moment may be.
Verdict judge(const Problem& given, const SimulationResult& run, const SimulationResult& rows,
              double fine, double coarse) {
  const auto x = rows["x"], v1 = rows["v1"], v2 = rows["v2"], v3 = rows["v3"];
  const auto upper = [&](std::size_t i) { return (1.0 + given.turn * std::sin(x[i])) * v1[i]; };
  const std::vector<std::pair<std::string, std::function<double(std::size_t)>>> counted{
      {"first", upper},
      {"back", [&](std::size_t i) { return -upper(i); }},
      {"second", [&](std::size_t i) { return v2[i]; }},
      {"third", [&](std::size_t i) { return v3[i]; }},
      {"slower", [&](std::size_t i) { return v3[i] - upper(i); }},
      {"sum", [&](std::size_t i) { return upper(i) + v3[i]; }}};
  coarse = std::max(coarse, *given.options.tolerance);
  const int unseen = close_events(rows, *given.options.report_interval);
  for (const auto& [name, value] : counted) {
    int least = rises(x.size(), value, coarse), most = least;
    for (double rounding = fine; rounding < coarse; rounding *= 10.0) {
      const int count = rises(x.size(), value, rounding);
      least = std::min(least, count);
      most = std::max(most, count);
    }
    if (const double found = run[name].back(); found < least || found > most + unseen) {
      return wrong(name + " = " + number_text(found) + " for " + number_text(least) + " to " +
                   number_text(most));
    }
  }
  return right();
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  Problem given = make(random);
#ifdef SALTUS_TRUTH_BDF
  given.options.make_bdf = [](Model& model, const IntegratorOptions& options) {
    return std::unique_ptr<Integrator>(std::make_unique<Bdf>(model, options));
  };
  constexpr int kMethods = 5;
#else
  constexpr int kMethods = 4;
#endif
  constexpr Method kMethod[] = {Method::automatic, Method::dormand_prince, Method::radau,
                                Method::adams, Method::bdf};
  given.options.method = kMethod[random.integer(0, kMethods - 1)];
  const SimulationResult found = simulate<RubbingBodies>(given.options);
  return judge(given, found, found, 1e-9, 1e-8);
}

const Family kFamily{"rubbing_bodies", "counts of who moves where bodies stick and slip", run};

Verdict run_fmu(std::uint64_t seed) {
  Random random(seed);
  const Problem given = make(random);
  using Interface = importer::FmuSimulationOptions::Interface;
  const Interface interface =
      random.chance(0.5) ? Interface::model_exchange : Interface::co_simulation;
  const SimulationResult found = importer::simulate(SALTUS_TRUTH_FMU_DIR "/rubbing_bodies.fmu",
                                                    given.options, {.interface = interface});
  const Verdict verdict = judge(given, found, found, 1e-9, 1e-6);
  if (verdict.kind != Verdict::Kind::wrong) {
    return verdict;
  }
  // Nobody projects the states of an FMU in Model Exchange: over many steps they drift off a curved
  // surface by more than the tolerance of one, and that looks like a motion. A native run shows who
  // moves.
  Problem tight = given;
  tight.options.tolerance = 1e-10;
  return judge(tight, found, simulate<RubbingBodies>(tight.options), 1e-9, 1e-8);
}

const Family kFmuFamily{"rubbing_bodies_fmu", "the same, as an FMU", run_fmu};

}  // namespace
}  // namespace saltus::truth
