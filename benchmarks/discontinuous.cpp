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
                      .outcome = run(*model, problem, at_tolerance(tolerance)),
                      .published = std::nullopt});
    }
  };
  for (const double tolerance : kTolerances) {
    NativeModel<Rectifier> model("rectifier");
    RunOptions options = at_tolerance(tolerance);
    options.mode = [&] { return mode_of(model); };
    rows.push_back({.problem = rectifier(),
                    .tolerance = tolerance,
                    .outcome = run(model, rectifier(), options),
                    .published = std::nullopt});
  }
  add(lively_ball(), [] { return make_lively_ball(); });
  add(two_speeds(), make<TwoSpeeds>());
  add(sine_top(), make<SineTop>());
  add(missed_top(), [] { return make_missed_top(1.001); });
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

// Six evaluations a step, three where one is abandoned; where an event needs a better curve two,
// one to check it, and six where the step is taken again; one at the start of each stretch and one
// for the very first step size.
double unexplained(const Outcome& o) {
  const IntegratorStats& n = o.integrator;
  const std::size_t explained = 6 * (n.steps + n.rejected + n.repeated) + 3 * n.abandoned +
                                2 * n.refined + n.checked + n.restarts + 1;
  return std::fabs(static_cast<double>(o.rhs_evaluations) - static_cast<double>(explained));
}

std::vector<Figure> figures_of(const std::vector<RunRow>& rows) {
  double wrong_lists = 0.0;
  double most_unexplained = 0.0;
  std::vector<Figure> figures;
  for (const RunRow& row : rows) {
    wrong_lists += row.outcome.is_complete(row.problem) ? 0.0 : 1.0;
    most_unexplained = std::fmax(most_unexplained, unexplained(row.outcome));
    const auto time_error = [&](const Problem& problem, double bound) {
      if (row.problem.name == problem.name && row.tolerance == 1e-6) {
        figures.push_back(at_most(problem.name, "worst event-time error in s",
                                  row.outcome.time_error(problem), bound));
      }
    };
    time_error(rectifier(), 1e-7);
    // Motions that the method follows exactly: what is left is the location itself.
    time_error(lively_ball(), 1e-14);
    time_error(two_speeds(), 1e-14);
    time_error(slit(), 1e-14);
    time_error(two_surfaces(), 1e-14);
    time_error(simultaneous(), 1e-14);
  }
  figures.push_back(at_most("all", "runs with a wrong list of events", wrong_lists, 0.0));
  figures.push_back(
      at_most("all", "right-hand sides not explained by the cost identity", most_unexplained, 0.0));
  return figures;
}

struct RowOfBalls {
  Outcome one_by_one, together;
  double missed = 0.0;  // contacts and releases

  explicit RowOfBalls(const Ground& ground) {
    const Problem anything{.name = "", .stop = ground.stop, .events = {}, .last = {}};
    BallRow alone(ground), grouped(ground);
    one_by_one = run(alone, anything, {.integrator = BallRow::kTolerance});
    together =
        run(grouped, anything, {.integrator = BallRow::kTolerance, .events = BallRow::kRegion});
    for (const BallRow* row : {&alone, &grouped}) {
      missed += std::fabs(1200.0 - static_cast<double>(row->changes()));
    }
  }
  double saving() const {
    return static_cast<double>(one_by_one.rhs_evaluations) /
           static_cast<double>(together.rhs_evaluations);
  }
};

// A hundred balls land within 2.3e-8 s, six times, and leave the ground as often.
std::vector<Figure> ball_figures() {
  std::vector<Figure> figures;
  const auto add = [&](const char* problem, const Ground& ground, double least_saving) {
    const RowOfBalls row(ground);
    const auto beside = [&](const char* metric, double value, double published) {
      figures.push_back({.problem = problem,
                         .metric = metric,
                         .value = value,
                         .peer = "Compere",
                         .peer_value = published});
    };
    figures.push_back(at_most(problem, "contacts and releases missed", row.missed, 0.0));
    beside("located events, in the region of concurrency",
           static_cast<double>(row.together.events.size()), BallRowPublished::events_together);
    figures.back().direction = Figure::Bound::at_most;
    figures.back().bound = 20.0;
    beside("times fewer right-hand sides than one by one", row.saving(),
           BallRowPublished::rhs_one_by_one / BallRowPublished::rhs_together);
    if (least_saving > 0.0) {
      figures.back().direction = Figure::Bound::at_least;
      figures.back().bound = least_saving;
    }
    beside("right-hand sides, one by one", static_cast<double>(row.one_by_one.rhs_evaluations),
           BallRowPublished::rhs_one_by_one);
    beside("right-hand sides, in the region", static_cast<double>(row.together.rhs_evaluations),
           BallRowPublished::rhs_together);
  };
  add("100 balls", BallRow::kDull, 40.0);
  add("100 balls, lively", BallRow::kLively, 0.0);
  return figures;
}

// With its four conditions on one footing the rectifier has events that change nothing; the region
// of concurrency takes those together that happen together.
std::vector<Figure> rectifier_figures() {
  NativeModel<Rectifier> alone("rectifier"), together("rectifier");
  const Outcome single = run(alone, rectifier(), at_tolerance(1e-5));
  RunOptions options = at_tolerance(1e-5);
  options.events.concurrency_time = 1e-6;
  options.events.concurrency_amplitude = 0.01;
  const Outcome grouped = run(together, rectifier(), options);
  const auto events = [](const char* metric, const Outcome& outcome, double published) {
    return Figure{.problem = rectifier().name,
                  .metric = metric,
                  .value = static_cast<double>(outcome.events.size()),
                  .peer = "Compere",
                  .peer_value = published};
  };
  return {events("events", single, 22.0), events("events, in the region", grouped, 16.0),
          at_most(rectifier().name, "error at the end, in the region",
                  grouped.last_error(rectifier()), 1e-4)};
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
  using namespace saltus::benchmarks;
  const Arguments arguments = parse_arguments(argc, argv);
  const std::vector<RunRow> rows = run_problems();
  print(rows, arguments);
  std::vector<Figure> figures = figures_of(rows);
  for (const auto& more : {rectifier_figures(), ball_figures()}) {
    figures.insert(figures.end(), more.begin(), more.end());
  }
  return report(figures, arguments);
}
