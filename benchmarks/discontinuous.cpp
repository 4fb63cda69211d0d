// SPDX-License-Identifier: BSD-2-Clause
// Switched equations without sliding: is every event found, in order and once, and what does it
// cost?
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include "figure.hpp"
#include "problems/ball_row.hpp"
#include "problems/closed_form.hpp"
#include "problems/narrow.hpp"
#include "problems/rectifier.hpp"
#include "run_row.hpp"

namespace saltus::benchmarks {
namespace {

using namespace problems;

constexpr std::array kTolerances{1e-4, 1e-6, 1e-9};

using Make = std::function<std::unique_ptr<Model>()>;
template <template <class> class M>
Make make() {
  return [] { return std::make_unique<NativeModel<M>>("model"); };
}

std::vector<RunRow> run_problems() {
  std::vector<RunRow> rows;
  const auto add = [&](const Problem& problem, const Make& make_model) {
    for (const double tolerance : kTolerances) {
      const auto model = make_model();
      rows.push_back({.problem = problem,
                      .tolerance = tolerance,
                      .outcome = run(*model, problem, {.relative_tolerance = tolerance}),
                      .published = std::nullopt});
    }
  };
  for (const double tolerance : kTolerances) {
    NativeModel<Rectifier> model("rectifier");
    rows.push_back({.problem = rectifier(),
                    .tolerance = tolerance,
                    .outcome = run(model, rectifier(), {.relative_tolerance = tolerance},
                                   [&] { return mode_of(model); }),
                    .published = std::nullopt});
  }
  add(lively_ball(), [] { return make_lively_ball(); });
  add(two_speeds(), make<TwoSpeeds>());
  add(sine_top(), make<SineTop>());
  add(cubic_switch(), make<CubicSwitch>());
  add(thermostat(), make<Thermostat>());
  add(circle_switch(), make<CircleSwitch>());
  add(slit(), make<Slit>());
  add(two_surfaces(), make<TwoSurfaces>());
  add(near_miss(), make<NearMiss>());
  add(simultaneous(), make<Simultaneous>());
  return rows;
}

Figure at_most(const std::string& problem, const char* metric, double value, double bound) {
  return {.problem = problem,
          .metric = metric,
          .value = value,
          .direction = Figure::Bound::at_most,
          .bound = bound};
}

std::vector<Figure> figures_of(const std::vector<RunRow>& rows) {
  std::vector<Figure> figures;
  const auto wrong_lists = std::count_if(rows.begin(), rows.end(), [](const RunRow& row) {
    return !row.outcome.is_complete(row.problem);
  });
  figures.push_back(
      at_most("all", "runs with a wrong list of events", static_cast<double>(wrong_lists), 0.0));
  for (const RunRow& row : rows) {
    if (row.problem.name == rectifier().name && row.tolerance == 1e-9) {
      figures.push_back(at_most(row.problem.name, "worst event-time error in s",
                                row.outcome.time_error(row.problem), 1e-7));
    }
  }
  return figures;
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
  using namespace saltus::benchmarks;
  const Arguments arguments = parse_arguments(argc, argv);
  const std::vector<RunRow> rows = run_problems();
  print(rows, arguments);
  return report(figures_of(rows), arguments);
}
