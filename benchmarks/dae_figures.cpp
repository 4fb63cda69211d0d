// SPDX-License-Identifier: BSD-2-Clause
#include "dae_figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "dae_peer.hpp"
#include "problems/daes/cartesian_pendulum.hpp"
#include "problems/daes/charge_pump.hpp"
#include "problems/daes/robertson.hpp"
#include "saltus_dae.hpp"

namespace saltus::benchmarks {
namespace {

// Calls back at reports and at both sides of events, and keeps the times of state events.
class Looking : public Observer {
 public:
  explicit Looking(std::function<void()> look) : look_(std::move(look)) {}
  void sample(double, Moment) override { look_(); }
  void event(const EventRecord& record) override {
    if (record.kind == EventKind::state) {
      times.push_back(record.time);
    }
  }

  std::vector<double> times;

 private:
  std::function<void()> look_;
};

void at_least_as_large(double& largest, double value) {
  largest = std::isnan(value) ? value : std::fmax(largest, std::fabs(value));
}

Figure at_most(const std::string& problem, const char* metric, double value, double bound) {
  return {.problem = problem,
          .metric = metric,
          .value = value,
          .direction = Figure::Bound::at_most,
          .bound = bound};
}

}  // namespace

std::vector<Figure> pump_figures() {
  const problems::DaeProblem problem = problems::charge_pump();
  modeling::NativeModel<problems::ChargePump> model{problem.name};
  SaltusDae solver(model, 1e-11);  // as for the digits at the end
  const double expected = problems::pump::source_voltage(20.0);
  double charge = 0.0, voltage_error = 0.0;
  Looking looking([&] {
    const ConstVec y = solver.unknowns();
    at_least_as_large(charge, y[1] + y[2]);
    at_least_as_large(charge, y[3] + y[4]);
    if (std::fabs(y[5] - 20.0) < 1e-9) {
      at_least_as_large(voltage_error, y[6] - expected);
    }
  });
  const DaeRun run = solver.run(problem.stop, 5e-9, &looking);
  // Twice in each of ten periods; a run that stops early has fewer.
  return {at_most(problem.name, "largest sum of charges that cancel, in C", charge, 1e-18),
          at_most(problem.name, "error of the source's voltage at 20 V", voltage_error, 1e-6),
          at_most(problem.name, "located events, off by",
                  std::fabs(static_cast<double>(looking.times.size()) - 20.0), 0.0)};
}

std::vector<Figure> pendulum_figures() {
  const problems::DaeProblem problem = problems::cartesian_pendulum(1000);
  modeling::NativeModel<problems::CartesianPendulum> model{problem.name};
  SaltusDae solver(model, 1e-8);
  double length = 0.0, velocity = 0.0;
  Looking looking([&] {
    const ConstVec y = solver.unknowns();
    at_least_as_large(length, y[0] * y[0] + y[1] * y[1] - 1.0);
    at_least_as_large(velocity, y[0] * y[2] + y[1] * y[3]);
  });
  const DaeRun run = solver.run(problem.stop, problems::pendulum_period() / 7.0, &looking);
  std::vector<Figure> figures{
      at_most(problem.name, "length constraint, 1000 periods at 1e-8", length, 1e-12),
      at_most(problem.name, "velocity constraint", velocity, 1e-12)};
  if (!run.failed()) {
    // It is let go again at the end: its speed there is gravity times the time it is late.
    figures.push_back({.problem = problem.name,
                       .metric = "phase error in s after 7416 s",
                       .value = std::fabs(run.last[3])});
    figures.push_back({.problem = problem.name,
                       .metric = "change of the energy",
                       .value = std::fabs(run.last[1] + 0.5 * (run.last[2] * run.last[2] +
                                                               run.last[3] * run.last[3]))});
  }
  return figures;
}

std::vector<Figure> robertson_figures() {
  const problems::DaeProblem problem = problems::robertson();
  modeling::NativeModel<problems::Robertson> model{problem.name};
  SaltusDae solver(model, 1e-10);
  Looking looking([] {});
  const DaeRun run = solver.run(problem.stop, kNever, &looking);
  PlainDae plain = plain_dae<problems::Robertson>();
  plain.root_functions = 2;
  plain.roots = [](const double* y, double* g) {
    g[0] = y[2] - 0.01;
    g[1] = y[0] - 1e-4;
  };
  const DaeRun peer = run_ida(std::move(plain), problem, {.tolerance = 1e-10});
  const auto relative = [](const std::vector<double>& times, std::size_t i, double exact) {
    return times.size() == 2 ? std::fabs(times[i] / exact - 1.0) : HUGE_VAL;
  };
  std::vector<Figure> figures;
  const auto beside = [&](const char* metric, std::size_t i, double exact) {
    figures.push_back({.problem = problem.name,
                       .metric = metric,
                       .value = relative(looking.times, i, exact),
                       .peer = peer.solver,
                       .peer_value = relative(peer.roots, i, exact),
                       .direction = Figure::Bound::at_most,
                       .bound = 1e-9});
  };
  beside("relative error of the time of y3 = 0.01, at 1e-10", 0, problems::robertson_y3_time);
  beside("relative error of the time of y1 = 1e-4", 1, problems::robertson_y1_time);
  figures.push_back({.problem = problem.name,
                     .metric = "milliseconds",
                     .value = run.microseconds / 1e3,
                     .peer = peer.solver,
                     .peer_value = peer.microseconds / 1e3});
  return figures;
}

}  // namespace saltus::benchmarks
