// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <string>

#include "dae_figures.hpp"
#include "dae_peer.hpp"
#include "problems/daes/ladder.hpp"
#include "saltus_dae.hpp"

namespace saltus::benchmarks {
namespace {

constexpr double kTolerance = 1e-6;

// Nanoseconds for a step and equation. Writing the model down and its start are not part of it.
struct Costs {
  double ours, peer;
};

double per_step_and_equation(const DaeRun& run, std::size_t sections) {
  return run.failed() ? HUGE_VAL
                      : 1e3 * (run.microseconds - run.start_microseconds) /
                            (static_cast<double>(run.steps) * 2.0 * static_cast<double>(sections));
}

template <std::size_t Sections>
DaeRun run_saltus_on_ladder() {
  modeling::NativeModel<problems::Ladder<Sections>::template Model> model{"Ladder"};
  SaltusDae solver(model, kTolerance);
  return solver.run(problems::ladder::stop);
}

template <std::size_t Sections>
Costs cost(std::vector<Figure>& figures) {
  const int rounds = Sections > 10000 ? 1 : 3;
  const DaeRun ours = fastest(rounds, run_saltus_on_ladder<Sections>);
  const DaeRun peer = fastest(rounds, [] { return run_ida_on_ladder(Sections, kTolerance); });
  const Costs costs{per_step_and_equation(ours, Sections), per_step_and_equation(peer, Sections)};
  figures.push_back({.problem = "Ladder of " + std::to_string(2 * Sections) + " unknowns",
                     .metric = "nanoseconds per step and equation",
                     .value = costs.ours,
                     .peer = peer.solver,
                     .peer_value = costs.peer});
  return costs;
}

}  // namespace

std::vector<Figure> ladder_figures() {
  std::vector<Figure> figures;
  const std::vector<Costs> costs{cost<50>(figures), cost<500>(figures), cost<5000>(figures),
                                 cost<50000>(figures)};
  const auto spread = [&](double Costs::*of) {
    const auto [least, most] = std::minmax_element(
        costs.begin(), costs.end(), [of](const Costs& a, const Costs& b) { return a.*of < b.*of; });
    return (*most).*of / (*least).*of;
  };
  figures.push_back({.problem = "Ladder",
                     .metric = "cost per step and equation, largest over smallest",
                     .value = spread(&Costs::ours),
                     .peer = "IDA with KLU",
                     .peer_value = spread(&Costs::peer),
                     .direction = Figure::Bound::at_most,
                     .bound = 1.5});
  const DaeRun end = run_saltus_on_ladder<50>();
  if (!end.failed()) {
    using namespace problems::ladder;
    figures.push_back(
        {.problem = "Ladder of 100 unknowns",
         .metric = "largest error at the end, tolerance 1e-6",
         .value = std::max({std::fabs(end.last[0] - end_1), std::fabs(end.last[9] - end_10),
                            std::fabs(end.last[49] - end_50)})});
  }
  return figures;
}

}  // namespace saltus::benchmarks
