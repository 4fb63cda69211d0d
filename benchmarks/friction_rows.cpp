// SPDX-License-Identifier: BSD-2-Clause
#include "friction_rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "belt_peer.hpp"
#include "problems/belt_oscillator.hpp"
#include "problems/relay_feedback.hpp"
#include "problems/stick_slip_pair.hpp"

namespace saltus::benchmarks {
namespace {

using namespace problems;

constexpr double kLoose = 1e-8;   // GESDA's own tolerance
constexpr double kTight = 1e-12;  // where ten digits of an event's time are asked for
constexpr double kBelt = 1e-9;

const RunRow& row_of(const std::vector<RunRow>& rows, const std::string& problem,
                     double tolerance) {
  return *std::find_if(rows.begin(), rows.end(), [&](const RunRow& row) {
    return row.problem.name == problem && row.tolerance == tolerance;
  });
}

Figure at_most(const std::string& problem, const char* metric, double value, double bound) {
  return {.problem = problem,
          .metric = metric,
          .value = value,
          .direction = Figure::Bound::at_most,
          .bound = bound};
}

// A run whose events are its own: only their number is compared.
template <template <class> class M>
Outcome run_with_band(double stop, double tolerance) {
  NativeModel<M> model("band");
  return run(model, {.name = "", .stop = stop, .events = {}, .last = {}}, at_tolerance(tolerance));
}

}  // namespace

std::vector<RunRow> run_friction_problems() {
  std::vector<RunRow> rows;
  const auto add = [&](const Problem& problem, const std::vector<double>& tolerances,
                       const std::function<std::unique_ptr<DescribedModel>()>& make) {
    for (const double tolerance : tolerances) {
      const auto model = make();
      rows.push_back({.problem = problem,
                      .tolerance = tolerance,
                      .outcome = run_sliding(*model, problem, at_tolerance(tolerance)),
                      .published = std::nullopt});
    }
  };
  const std::vector<double> tolerances{1e-4, 1e-6, kLoose, kBelt, 1e-10, kTight};
  add(stick_slip_pair(), tolerances,
      [] { return std::make_unique<NativeModel<reference::StickSlipPair>>("StickSlipPair"); });
  add(gesda_belt(), tolerances, [] { return make_belt(kGesdaBelt); });
  add(dieci_lopez_belt(), tolerances, [] { return make_belt(kDieciLopezBelt); });
  add(resting_belt(), tolerances, [] { return make_belt(kRestingBelt); });
  add(small_start_relay(), tolerances, [] { return make_small_start_relay(); });
  return rows;
}

std::vector<Figure> friction_figures(const std::vector<RunRow>& rows) {
  std::vector<Figure> figures;
  const auto wrong_lists = std::count_if(rows.begin(), rows.end(), [](const RunRow& row) {
    return !row.outcome.is_complete(row.problem);
  });
  figures.push_back(at_most("all with friction or a relay", "runs with a wrong list of events",
                            static_cast<double>(wrong_lists), 0.0));
  const auto time_error = [&](const Problem& problem, double tolerance, double bound) {
    const RunRow& row = row_of(rows, problem.name, tolerance);
    figures.push_back(at_most(problem.name, "worst event-time error in s",
                              row.outcome.time_error(problem), bound));
  };
  const auto steps = [&](const Problem& problem, double published, double bound) {
    Figure figure = at_most(
        problem.name, "steps",
        static_cast<double>(row_of(rows, problem.name, kLoose).outcome.integrator.steps), bound);
    figure.peer = "GESDA";
    figure.peer_value = published;
    figures.push_back(figure);
  };
  time_error(stick_slip_pair(), kLoose, 1e-8);
  steps(stick_slip_pair(), 4737.0, 250.0);
  time_error(gesda_belt(), kLoose, 1e-6);
  steps(gesda_belt(), 9276.0, 500.0);
  time_error(dieci_lopez_belt(), kTight, 1e-10);
  time_error(small_start_relay(), kTight, 1e-10);
  const RunRow& resting = row_of(rows, resting_belt().name, kBelt);
  figures.push_back(at_most(resting_belt().name, "error of the position at the end",
                            resting.outcome.last.empty()
                                ? INFINITY
                                : std::fabs(resting.outcome.last[0] - resting.problem.last[0]),
                            1e-7));
  return figures;
}

std::vector<Figure> hysteresis_figures() {
  const Outcome pair = run_with_band<StickSlipPairWithBand>(10.0, kLoose);
  const Outcome belt = run_with_band<BeltOscillatorWithBand>(15.0, kLoose);
  const double belt_switches = static_cast<double>(belt.events.size());
  Figure exact = at_most(
      "GESDA stick-slip pair, band 0.003", "switches beyond or short of 395",
      std::fabs(static_cast<double>(pair.events.size()) - static_cast<double>(kStickSlipSwitches)),
      0.0);
  exact.peer = "GESDA";
  exact.peer_value = 1.0;
  Figure nearly =
      at_most("GESDA belt oscillator, band 1e-5", "relative error of the number of switches",
              std::fabs(belt_switches / kBeltSwitches - 1.0), 1e-3);
  nearly.peer = "GESDA";
  nearly.peer_value = std::fabs(247709.0 / kBeltSwitches - 1.0);
  const Figure cost{.problem = "GESDA belt oscillator, band 1e-5",
                    .metric = "microseconds per switch",
                    .value = belt.microseconds / belt_switches};
  const Figure steps{.problem = "GESDA belt oscillator, band 1e-5",
                     .metric = "steps per switch",
                     .value = static_cast<double>(belt.integrator.steps) / belt_switches,
                     .peer = "GESDA",
                     .peer_value = 272864.0 / 247709.0};
  return {exact, nearly, cost, steps};
}

std::vector<Figure> peer_figures(int rounds) {
  constexpr double kBand = 1e-4;
  const Problem problem = resting_belt();
  double fastest = INFINITY;
  double peer_fastest = INFINITY;
  BeltPeer peer;
  for (int round = 0; round < rounds; ++round) {
    // Ours is short: a busy moment of the machine could last as long.
    for (int run = 0; run < 20; ++run) {
      const auto model = make_belt(kRestingBelt);
      fastest = std::fmin(fastest, run_sliding(*model, problem, at_tolerance(kBelt)).microseconds);
    }
    peer = run_cvode_belt(kBand, 1e-6, problem.stop);
    peer_fastest = std::fmin(peer_fastest, peer.microseconds);
  }
  const std::string name = "CVODE Adams, band 1e-4" + peer_build();
  return {{.problem = problem.name,
           .metric = "milliseconds for the run",
           .value = 1e-3 * fastest,
           .peer = name,
           .peer_value = 1e-3 * peer_fastest},
          {.problem = problem.name,
           .metric = "events",
           .value = static_cast<double>(problem.events.size()),
           .peer = name,
           .peer_value = static_cast<double>(peer.switches)},
          {.problem = problem.name,
           .metric = "times faster than a peer that switches",
           .value = peer_fastest / fastest,
           .peer = name,
           .peer_value = 1.0,
           .direction = against_peer(Figure::Bound::at_least),
           .bound = 1000.0}};
}

}  // namespace saltus::benchmarks
