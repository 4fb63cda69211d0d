// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <string>

#include "dae_figures.hpp"
#include "problems/daes/large_starts.hpp"
#include "saltus_dae.hpp"

namespace saltus::benchmarks {
namespace {

constexpr double kTolerance = 1e-6;

// Writing the model down is not part of it.
template <template <class> class Model>
DaeRun shortest(double stop) {
  return fastest(3, [stop] {
    modeling::NativeModel<Model> model{"Model"};
    SaltusDae solver(model, kTolerance);
    return solver.run(stop);
  });
}

template <template <class> class Model>
double start_seconds() {
  const DaeRun run = shortest<Model>(1e-6);
  return run.failed() ? HUGE_VAL : 1e-6 * run.start_microseconds;
}

template <std::size_t Links>
double chain_seconds(double length, std::vector<Figure>& figures) {
  problems::CartesianChain<Links>::length = length;
  const double seconds = start_seconds<problems::CartesianChain<Links>::template Model>();
  figures.push_back({.problem = "Chain of " + std::to_string(Links) + " links of length " +
                                (length == 1.0 ? "1" : "1/" + std::to_string(Links)),
                     .metric = "seconds to a consistent start",
                     .value = seconds});
  return seconds;
}

void chains(bool unit, std::vector<Figure>& figures) {
  chain_seconds<10>(unit ? 1.0 : 1.0 / 10, figures);
  const double few = chain_seconds<100>(unit ? 1.0 : 1.0 / 100, figures);
  const double many = chain_seconds<1000>(unit ? 1.0 : 1.0 / 1000, figures);
  figures.back().direction = Figure::Bound::at_most;
  figures.back().bound = 5.0;
  figures.push_back({.problem = std::string("Chain of links of length ") + (unit ? "1" : "1/n"),
                     .metric = "growth of the start: exponent from 100 to 1000 links",
                     .value = std::log10(many / few),
                     .direction = Figure::Bound::at_most,
                     .bound = 1.3});
}

}  // namespace

std::vector<Figure> start_figures() {
  std::vector<Figure> figures;
  chains(true, figures);
  chains(false, figures);
  figures.push_back({.problem = "Circuit of index 2 with 10002 unknowns",
                     .metric = "seconds to a consistent start",
                     .value = start_seconds<problems::CapacitorLoops<1667>::Model>(),
                     .direction = Figure::Bound::at_most,
                     .bound = 5.0});
  const DaeRun switched = shortest<problems::SwitchedCapacitors<247>::Model>(1.0);
  figures.push_back({.problem = "Switched circuit with 741 unknowns",
                     .metric = "seconds for a run through both events",
                     .value = switched.failed() ? HUGE_VAL : 1e-6 * switched.microseconds,
                     .direction = Figure::Bound::at_most,
                     .bound = 1.0});
  return figures;
}

}  // namespace saltus::benchmarks
