// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <string>

#include "dae_figures.hpp"
#include "dae_peer.hpp"
#include "problems/daes/stiff_impact.hpp"
#include "saltus_dae.hpp"

namespace saltus::benchmarks {
namespace {

constexpr std::size_t kImpacts = 500;
constexpr double kTolerance = 1e-6;

class Impacts : public Observer {
 public:
  void sample(double, Moment) override {}
  void event(const EventRecord& record) override {
    ++count;
    const double exact =
        (2.0 * static_cast<double>(count) - 1.0) * problems::impact::quarter_period;
    worst_time_error = std::fmax(worst_time_error, std::fabs(record.time - exact));
  }

  std::size_t count = 0;
  double worst_time_error = 0.0;
};

ImpactRun run_saltus_on_impacts() {
  modeling::NativeModel<problems::StiffImpact> model{"Stiff impacts"};
  SaltusDae solver(model, kTolerance);
  Impacts impacts;
  // Half a flight after the last impact.
  const double stop = 2.0 * static_cast<double>(kImpacts) * problems::impact::quarter_period;
  const DaeRun run = solver.run(stop, kNever, &impacts);
  const auto per_impact = [&](auto total) {
    return static_cast<double>(total) / static_cast<double>(impacts.count);
  };
  const bool complete = !run.failed() && impacts.count == kImpacts;
  return {.microseconds = complete ? per_impact(run.microseconds) : HUGE_VAL,
          .steps = per_impact(run.steps),
          .residuals = per_impact(run.residuals),
          .worst_time_error = complete ? impacts.worst_time_error : HUGE_VAL};
}

}  // namespace

std::vector<Figure> stiff_impact_figures(int rounds) {
  ImpactRun ours = run_saltus_on_impacts();
  ImpactRun peer = run_ida_on_impacts(kTolerance, kImpacts);
  for (int round = 1; round < rounds; ++round) {
    const ImpactRun again = run_saltus_on_impacts();
    ours = again.microseconds < ours.microseconds ? again : ours;
    const ImpactRun peer_again = run_ida_on_impacts(kTolerance, kImpacts);
    peer = peer_again.microseconds < peer.microseconds ? peer_again : peer;
  }
  std::vector<Figure> figures;
  const auto beside = [&](const char* metric, double value, double peer_value) {
    figures.push_back({.problem = "Stiff impacts",
                       .metric = metric,
                       .value = value,
                       .peer = "IDA" + peer_build(),
                       .peer_value = peer_value});
  };
  beside("microseconds per event", ours.microseconds, peer.microseconds);
  beside("steps per event", ours.steps, peer.steps);
  beside("residuals per event", ours.residuals, peer.residuals);
  beside("worst event-time error in s", ours.worst_time_error, peer.worst_time_error);
  beside("time per event, as a fraction of the peer's", ours.microseconds / peer.microseconds, 1.0);
  figures.back().direction = against_peer(Figure::Bound::at_most);
  figures.back().bound = 0.1;
  return figures;
}

}  // namespace saltus::benchmarks
