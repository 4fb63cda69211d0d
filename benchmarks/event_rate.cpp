// SPDX-License-Identifier: BSD-2-Clause
// What an event costs and how exact its time is, over ten thousand impacts of an elastic ball and
// of a pendulum: natively, through the FMU, and beside SUNDIALS on the same model in the same run.
#include <algorithm>
#include <array>
#include <vector>

#include "dae_figures.hpp"
#include "event_growth.hpp"
#include "figure.hpp"
#include "impact_problem.hpp"
#include "saltus/importer/fmu.hpp"

namespace saltus::benchmarks {
namespace {

constexpr std::size_t kImpacts = 10000;
constexpr double kTolerance = 1e-9;

std::unique_ptr<Model> imported_ball() {
  importer::Fmu fmu = importer::Fmu::open(SALTUS_FMU_DIR "/bouncing_ball.fmu");
  return fmu.instantiate_model_exchange("ball", {.start_values = {{"e", "1"}, {"v_min", "0"}}});
}

// The contestants take turns, so that a busy moment of the machine meets all of them; of each the
// fastest run counts. A peer that took more than twice the time of the best is out of the contest.
struct Contest {
  static constexpr double kOut = 2.0;
  EventRate native;
  std::array<EventRate, static_cast<std::size_t>(Peer::count)> peers;

  void round(const ImpactProblem& problem) {
    keep_faster(native, run_saltus("Saltus", problem, *problem.make_model(), kTolerance, kImpacts));
    const double best = peers.front().solver.empty() ? 0.0 : best_peer().microseconds;
    for (std::size_t p = 0; p < peers.size(); ++p) {
      if (peers[p].microseconds <= kOut * best) {
        keep_faster(peers[p], run_sundials(static_cast<Peer>(p), problem, kTolerance, kImpacts));
      }
    }
  }
  const EventRate& best_peer() const {
    return *std::min_element(
        peers.begin(), peers.end(),
        [](const EventRate& a, const EventRate& b) { return a.microseconds < b.microseconds; });
  }
};

void compare(const std::string& problem, const Contest& contest, double times_faster,
             std::vector<Figure>& figures) {
  const EventRate& native = contest.native;
  for (const EventRate& peer : contest.peers) {
    const auto beside = [&](const char* metric, double value, double peer_value) {
      figures.push_back({.problem = problem,
                         .metric = metric,
                         .value = value,
                         .peer = peer.solver,
                         .peer_value = peer_value});
    };
    beside("microseconds per event", native.microseconds, peer.microseconds);
    beside("right-hand sides per event", native.rhs_evaluations, peer.rhs_evaluations);
    beside("indicator evaluations per event", native.indicator_evaluations,
           peer.indicator_evaluations);
    beside("steps per event", native.steps, peer.steps);
    beside("worst event-time error in s", native.worst_time_error, peer.worst_time_error);
    beside("relative error of the last speed", native.speed_error, peer.speed_error);
  }
  figures.push_back({.problem = problem,
                     .metric = "times faster than the best peer",
                     .value = contest.best_peer().microseconds / native.microseconds,
                     .peer = contest.best_peer().solver + peer_build(),
                     .peer_value = 1.0,
                     .direction = against_peer(Figure::Bound::at_least),
                     .bound = times_faster});
}

Figure at_most(const std::string& problem, const char* metric, double value, double bound) {
  return {.problem = problem,
          .metric = metric,
          .value = value,
          .direction = Figure::Bound::at_most,
          .bound = bound};
}

void measure_ball(int rounds, std::vector<Figure>& figures) {
  const ImpactProblem ball = elastic_ball();
  Contest contest;
  EventRate through_fmu;
  for (int round = 0; round < rounds; ++round) {
    contest.round(ball);
    keep_faster(through_fmu,
                run_saltus("Saltus, FMU", ball, *imported_ball(), kTolerance, kImpacts));
  }
  compare(ball.name, contest, 30.0, figures);
  figures.push_back(at_most(ball.name, "worst event-time error in s, native",
                            contest.native.worst_time_error, 1e-9));
  figures.push_back(at_most(ball.name, "worst event-time error in s, through the FMU",
                            through_fmu.worst_time_error, 1e-9));
  figures.push_back(at_most(ball.name, "cost through the FMU (ME), times native",
                            through_fmu.microseconds / contest.native.microseconds, 3.0));
}

void measure_pendulum(int rounds, std::vector<Figure>& figures) {
  const ImpactProblem pendulum = impact_pendulum();
  Contest contest;
  for (int round = 0; round < rounds; ++round) {
    contest.round(pendulum);
  }
  compare(pendulum.name, contest, 6.0, figures);
  figures.push_back(at_most(pendulum.name, "worst event-time error, times the best peer's",
                            contest.native.worst_time_error / contest.best_peer().worst_time_error,
                            1.0));
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
  using namespace saltus::benchmarks;
  const Arguments arguments = parse_arguments(argc, argv);
  std::vector<Figure> figures;
  measure_ball(arguments.rounds, figures);
  measure_pendulum(arguments.rounds, figures);
  measure_crowds(arguments.rounds, figures);
  measure_growth((arguments.rounds + 3) / 4, figures);
  const std::vector<Figure> stiff = stiff_impact_figures(arguments.rounds);
  figures.insert(figures.end(), stiff.begin(), stiff.end());
  return report(figures, arguments);
}
