// SPDX-License-Identifier: BSD-2-Clause
// What an event costs and how exact its time is, over ten thousand impacts of an elastic ball:
// natively, through the FMU, and beside SUNDIALS on the same model in the same run.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "bouncing_ball/bouncing_ball.hpp"
#include "elastic_ball.hpp"
#include "figure.hpp"
#include "processor_time.hpp"
#include "saltus/dormand_prince.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrated_model.hpp"
#include "saltus/mode_controller.hpp"
#include "saltus/observer.hpp"

namespace saltus::benchmarks {
namespace {

constexpr std::size_t kImpacts = 10000;
constexpr double kTolerance = 1e-9;

class ImpactTimes : public Observer {
 public:
  ImpactTimes() { times.reserve(kImpacts); }
  void sample(double, Moment) override {}
  void event(const EventRecord& record) override { times.push_back(record.time); }
  std::vector<double> times;
};

std::unique_ptr<Model> native_ball() {
  auto ball = std::make_unique<modeling::NativeModel<reference::BouncingBall>>("BouncingBall");
  const auto variables = ball->variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].name == "e") ball->set_number(i, 1.0);
    if (variables[i].name == "v_min") ball->set_number(i, 0.0);
  }
  return ball;
}

// For a peer that knows neither initialisation nor event mode.
std::unique_ptr<Model> ball_in_flight() {
  auto ball = native_ball();
  std::array<double, 2> y{};
  ball->initialize({}, y);
  if (ball->update_discrete_states(0.0, y).states_changed) {
    throw std::runtime_error("the ball starts on the floor");
  }
  ball->enter_continuous_mode(0.0, y);
  return ball;
}

std::unique_ptr<Model> imported_ball() {
  importer::Fmu fmu = importer::Fmu::open(SALTUS_FMU_DIR "/bouncing_ball.fmu");
  return fmu.instantiate_model_exchange("ball", {.start_values = {{"e", "1"}, {"v_min", "0"}}});
}

EventRate run_saltus(const char* name, Model& ball) {
  DormandPrince integrator(ball, {.relative_tolerance = kTolerance});
  IntegratedModel system(ball, integrator);
  ModeController controller(system);
  ImpactTimes impacts;
  controller.add(impacts);
  const double stop =
      0.5 * (ElasticBall::impact_time(kImpacts) + ElasticBall::impact_time(kImpacts + 1));
  const ProcessorTime elapsed;
  controller.run({.stop = stop, .tolerance = kTolerance});
  const double microseconds = elapsed.microseconds();
  const auto per_event = [](double total) { return total / kImpacts; };
  const double fall = stop - ElasticBall::impact_time(kImpacts);
  const double speed = std::sqrt(2.0 * ElasticBall::kGravity * ElasticBall::kHeight);
  if (impacts.times.size() != kImpacts) {
    throw std::runtime_error("expected " + std::to_string(kImpacts) + " impacts, found " +
                             std::to_string(impacts.times.size()));
  }
  return {.solver = name,
          .microseconds = per_event(microseconds),
          .rhs_evaluations = per_event(static_cast<double>(integrator.stats().rhs_evaluations)),
          .indicator_evaluations =
              per_event(static_cast<double>(system.crossing_stats().indicator_evaluations)),
          .steps = per_event(static_cast<double>(integrator.stats().steps)),
          .worst_time_error = worst_error(impacts.times),
          .speed_error =
              std::fabs((system.unknowns()[1] + ElasticBall::kGravity * fall) / speed - 1.0)};
}

void keep_faster(EventRate& best, const EventRate& next) {
  if (best.solver.empty() || next.microseconds < best.microseconds) {
    best = next;
  }
}

// The contestants take turns, so that a busy moment of the machine meets all of them; of each the
// fastest run counts.
struct Contest {
  EventRate native, through_fmu;
  std::array<EventRate, static_cast<std::size_t>(Peer::count)> peers;

  explicit Contest(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      keep_faster(native, run_saltus("Saltus", *native_ball()));
      keep_faster(through_fmu, run_saltus("Saltus, FMU", *imported_ball()));
      for (std::size_t p = 0; p < peers.size(); ++p) {
        keep_faster(peers[p],
                    run_sundials(static_cast<Peer>(p), *ball_in_flight(), kTolerance, kImpacts));
      }
    }
  }
};

std::vector<Figure> measure(int rounds) {
  const Contest contest(rounds);
  const EventRate& native = contest.native;
  const auto best_peer = std::min_element(
      contest.peers.begin(), contest.peers.end(),
      [](const EventRate& a, const EventRate& b) { return a.microseconds < b.microseconds; });
  const std::string problem = "elastic ball";
  std::vector<Figure> figures;
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
                     .value = best_peer->microseconds / native.microseconds,
                     .peer = best_peer->solver + " (Debian's build, not optimised)",
                     .peer_value = 1.0,
                     .direction = Figure::Bound::at_least,
                     .bound = 30.0});
  const auto at_most = [&](const char* metric, double value, double bound) {
    figures.push_back({.problem = problem,
                       .metric = metric,
                       .value = value,
                       .direction = Figure::Bound::at_most,
                       .bound = bound});
  };
  at_most("worst event-time error in s, native", native.worst_time_error, 1e-9);
  at_most("worst event-time error in s, through the FMU", contest.through_fmu.worst_time_error,
          1e-9);
  at_most("cost through the FMU (ME), times native",
          contest.through_fmu.microseconds / native.microseconds, 3.0);
  return figures;
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
  const auto arguments = saltus::benchmarks::parse_arguments(argc, argv);
  return saltus::benchmarks::report(saltus::benchmarks::measure(arguments.rounds), arguments);
}
