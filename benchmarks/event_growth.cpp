// SPDX-License-Identifier: BSD-2-Clause
#include "event_growth.hpp"

#include <array>
#include <string>

#include "impact_problem.hpp"

namespace saltus::benchmarks {
namespace {

constexpr double kTolerance = 1e-9;
constexpr std::size_t kCrowd = 10000;
constexpr std::size_t kFewImpacts = 20;
// What a linear law leaves to the mood of the machine.
constexpr double kMood = 1.25;

EventRate run(const ImpactProblem& problem, std::size_t impacts) {
  return run_saltus("Saltus", problem, *problem.make_model(), kTolerance, impacts);
}

}  // namespace

void measure_crowds(int rounds, std::vector<Figure>& figures) {
  const ImpactProblem problem = crowded_pendulum(kCrowd);
  EventRate native, bdf, adams;
  for (int round = 0; round < rounds; ++round) {
    keep_faster(native, run(problem, kFewImpacts));
    keep_faster(bdf, run_sundials(Peer::cvode_bdf, problem, kTolerance, kFewImpacts));
    keep_faster(adams, run_sundials(Peer::cvode_adams, problem, kTolerance, kFewImpacts));
  }
  const std::string name = "1 of 10^4 indicators";
  for (const EventRate& peer : {bdf, adams}) {
    const auto beside = [&](const char* metric, double value, double peer_value) {
      figures.push_back({.problem = name,
                         .metric = metric,
                         .value = value,
                         .peer = peer.solver,
                         .peer_value = peer_value});
    };
    beside("microseconds per step", native.microseconds_per_step(), peer.microseconds_per_step());
    beside("microseconds per event", native.microseconds, peer.microseconds);
    beside("indicator evaluations per event", native.indicator_evaluations,
           peer.indicator_evaluations);
    beside("steps per event", native.steps, peer.steps);
  }
  const EventRate& faster =
      bdf.microseconds_per_step() < adams.microseconds_per_step() ? bdf : adams;
  figures.push_back({.problem = name,
                     .metric = "time per step, times shorter",
                     .value = faster.microseconds_per_step() / native.microseconds_per_step(),
                     .peer = faster.solver + peer_build(),
                     .peer_value = 1.0,
                     .direction = against_peer(Figure::Bound::at_least),
                     .bound = 5.0});
}

void measure_growth(int rounds, std::vector<Figure>& figures) {
  const auto figure = [&](const std::string& metric, double value) {
    figures.push_back({.problem = "growth", .metric = metric, .value = value});
  };
  const auto bounded = [&](const std::string& metric, double value, double bound) {
    figures.push_back({.problem = "growth",
                       .metric = metric,
                       .value = value,
                       .direction = Figure::Bound::at_most,
                       .bound = bound});
  };
  constexpr std::array<std::size_t, 3> kEvents{1000, 10000, 100000};
  constexpr std::array<std::size_t, 5> kIndicators{1, 10, 100, 1000, 10000};
  std::array<EventRate, kEvents.size()> by_events;
  std::array<EventRate, kIndicators.size()> by_indicators;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < kEvents.size(); ++k) {
      keep_faster(by_events[k], run(impact_pendulum(), kEvents[k]));
    }
    for (std::size_t k = 0; k < kIndicators.size(); ++k) {
      keep_faster(by_indicators[k], run(crowded_pendulum(kIndicators[k]), 100));
    }
  }
  for (std::size_t k = 0; k < kEvents.size(); ++k) {
    figure("microseconds per event, " + std::to_string(kEvents[k]) + " events",
           by_events[k].microseconds);
  }
  bounded("cost of 10^5 events, times 100 that of 10^3",
          by_events.back().microseconds / by_events.front().microseconds, kMood);
  for (std::size_t k = 0; k < kIndicators.size(); ++k) {
    figure("microseconds per step, " + std::to_string(kIndicators[k]) + " indicators",
           by_indicators[k].microseconds_per_step());
  }
  for (std::size_t k = 1; k < kIndicators.size(); ++k) {
    bounded("cost of " + std::to_string(kIndicators[k]) + " indicators, times 10 that of " +
                std::to_string(kIndicators[k - 1]),
            by_indicators[k].microseconds_per_step() /
                (10.0 * by_indicators[k - 1].microseconds_per_step()),
            kMood);
  }
}

}  // namespace saltus::benchmarks
