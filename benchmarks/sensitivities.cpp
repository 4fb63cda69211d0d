// SPDX-License-Identifier: BSD-2-Clause
// What derivatives by parameters cost, in units of the solution alone, and how exact they are.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "figure.hpp"
#include "processor_time.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/simulation.hpp"
#include "sensitivity_problems.hpp"

namespace saltus::benchmarks {
namespace {

struct Case {
  std::string name;
  double stop = 0.0;
  std::vector<std::string> parameters;
  std::vector<std::string> variables;
};

template <template <class> class M>
double microseconds(const SimulationOptions& options) {
  const ProcessorTime time;
  simulate<M>(options);
  return time.microseconds();
}

// Of the derivatives at the end, relative to those of tight central differences.
template <template <class> class M>
double worst_error(const Case& one, const SimulationOptions& options) {
  const auto run = simulate<M>(options);
  double worst = 0.0;
  for (const std::string& parameter : one.parameters) {
    const double value = run[parameter].back(), step = 1e-4 * value;
    const auto end = [&](double moved) {
      return simulate<M>({.stop = one.stop,
                          .tolerance = 1e-12,
                          .values = {{parameter, value + moved}},
                          .report_interval = kNever});
    };
    const auto ahead = end(step), behind = end(-step);
    for (const std::string& variable : one.variables) {
      const double right = (ahead[variable].back() - behind[variable].back()) / (2.0 * step);
      const double got = run["d(" + variable + ")/d(" + parameter + ")"].back();
      worst = std::max(worst, std::fabs(got - right) / std::fabs(right));
    }
  }
  return worst;
}

// Taking turns, so that a busy moment of the machine meets all; of each the fastest run counts.
template <template <class> class M>
void measure_cost(const Case& one, double tolerance, int rounds, std::vector<Figure>& figures) {
  SimulationOptions plain{.stop = one.stop, .tolerance = tolerance, .report_interval = kNever};
  SimulationOptions with = plain;
  with.sensitivities = one.parameters;
  SimulationOptions of_the_steps = with;
  of_the_steps.control_sensitivities = false;
  double alone = kNever, controlled = kNever, uncontrolled = kNever;
  for (int round = 0; round < 4 * rounds; ++round) {
    alone = std::min(alone, microseconds<M>(plain));
    controlled = std::min(controlled, microseconds<M>(with));
    uncontrolled = std::min(uncontrolled, microseconds<M>(of_the_steps));
  }
  const auto count = static_cast<double>(one.parameters.size());
  const auto add = [&](const std::string& what, double time) {
    figures.push_back({.problem = one.name,
                       .metric = "plain solutions a parameter, " + what,
                       .value = (time / alone - 1.0) / count,
                       .direction = Figure::Bound::at_most,
                       .bound = 0.5});
  };
  const std::string at = "at " + number_text(tolerance);
  add(at, controlled);
  add(at + ", not controlled", uncontrolled);
}

template <template <class> class M>
void measure(const Case& one, int rounds, std::vector<Figure>& figures) {
  measure_cost<M>(one, 1e-6, rounds, figures);
  measure_cost<M>(one, 1e-8, rounds, figures);
  figures.push_back({.problem = one.name,
                     .metric = "worst relative error of a derivative, at 1e-10",
                     .value = worst_error<M>(one, {.stop = one.stop,
                                                   .tolerance = 1e-10,
                                                   .report_interval = kNever,
                                                   .sensitivities = one.parameters}),
                     .direction = Figure::Bound::at_most,
                     .bound = 1e-6});
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
  using namespace saltus::benchmarks;
  const Arguments arguments = parse_arguments(argc, argv);
  std::vector<Figure> figures;
  measure<Robertson>({"Robertson", 4e4, {"k1", "k2", "k3"}, {"y1", "y2", "y3"}}, arguments.rounds,
                     figures);
  measure<AkzoNobel>({"Akzo Nobel",
                      180.0,
                      {"k1", "k2", "k3", "k4", "K", "klA"},
                      {"y1", "y2", "y3", "y4", "y5", "y6"}},
                     arguments.rounds, figures);
  measure<IndexThreePendulum>(
      {"pendulum of index 3", 2.0, {"g", "length"}, {"x", "y", "u", "w", "force"}},
      arguments.rounds, figures);
  return report(figures, arguments);
}
