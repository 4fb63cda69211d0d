// SPDX-License-Identifier: BSD-2-Clause
// Flows that are linear piece by piece, with exact times of every event, on every road: native with
// every integrator that may serve, Model Exchange, Co-Simulation with and without event mode.
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "piecewise_flow.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/adams.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/integrators/taylor.hpp"
#include "truth.hpp"
#ifdef SALTUS_TRUTH_BDF
#include "saltus/integrators/bdf.hpp"
#endif

namespace saltus::truth {
namespace {

struct Values {
  double x = 0.0;
  int rounds = 0, windows = 0, alarms = 0;
};
using Numbers = std::map<std::string, double>;

struct Flow {
  std::array<double, 5> border{};  // of the regions
  std::array<double, 4> p{}, q{};
  double window = 0.0, width = 0.0, alarm = 0.0, length = 0.0, stop = 0.0;

  std::size_t region(double x) const {
    std::size_t i = 0;
    while (i < 3 && x >= border[i + 1]) {
      ++i;
    }
    return i;
  }
  double speed(std::size_t i, double x) const { return p[i] + q[i] * x; }
  /// From x to y in region i.
  double time(std::size_t i, double x, double y) const {
    const double ratio = q[i] * (y - x) / speed(i, x);
    return ratio == 0.0 ? (y - x) / p[i] : std::log1p(ratio) / q[i];
  }
  double place(std::size_t i, double x, double after) const {
    return q[i] == 0.0 ? x + p[i] * after : x + speed(i, x) / q[i] * std::expm1(q[i] * after);
  }
  double time_to(double y) const {  // from 0
    double sum = 0.0;
    for (std::size_t i = 0; i < region(y); ++i) {
      sum += time(i, border[i], border[i + 1]);
    }
    return sum + time(region(y), border[region(y)], y);
  }
  double period() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      sum += time(i, border[i], border[i + 1]);
    }
    return sum;
  }
  /// The exact solution.
  Values at(double t) const {
    Values result;
    result.rounds = static_cast<int>(std::floor(t / period()));
    double left = t - result.rounds * period();
    result.windows = result.rounds + (left > time_to(window) ? 1 : 0);
    result.alarms = t > alarm ? 1 : 0;
    std::size_t i = 0;
    while (i < 3 && left > time(i, border[i], border[i + 1])) {
      left -= time(i, border[i], border[i + 1]);
      ++i;
    }
    result.x = place(i, border[i], left);
    return result;
  }
  Numbers numbers() const {
    return {{"c1", border[1]},  {"c2", border[2]}, {"c3", border[3]}, {"top", border[4]},
            {"p0", p[0]},       {"p1", p[1]},      {"p2", p[2]},      {"p3", p[3]},
            {"q0", q[0]},       {"q1", q[1]},      {"q2", q[2]},      {"q3", q[3]},
            {"window", window}, {"width", width},  {"alarm", alarm},  {"length", length}};
  }
};

Flow random_flow(Random& random) {
  Flow flow;
  for (std::size_t i = 0; i < 4; ++i) {
    flow.border[i + 1] = flow.border[i] + random.log_uniform(0.1, 3.0);
    const double first = random.log_uniform(0.2, 5.0);
    const double last = random.chance(0.3) ? first : random.log_uniform(0.2, 5.0);
    flow.q[i] = (last - first) / (flow.border[i + 1] - flow.border[i]);
    flow.p[i] = first - flow.q[i] * flow.border[i];
  }
  const auto i = static_cast<std::size_t>(random.integer(0, 3));
  const double room = flow.border[i + 1] - flow.border[i];
  flow.window = flow.border[i] + room * random.uniform(0.05, 0.9);
  flow.width = random.log_uniform(1e-7, 0.05) * room;
  // Where it ends nothing is near: a twentieth of a round after a border, or before.
  const double period = flow.period();
  const double most = period * random.uniform(0.3, 4.0);
  flow.alarm = most * random.uniform(0.1, 0.8);
  flow.length = random.log_uniform(1e-12, 0.01) * most;
  const auto is_clear = [&](double t) {
    const double phase = t - period * std::floor(t / period);
    bool clear = phase > 1e-3 * period && phase < (1.0 - 1e-3) * period;
    for (const double y : {flow.border[1], flow.border[2], flow.border[3], flow.window}) {
      clear = clear && std::fabs(phase - flow.time_to(y)) > 1e-3 * period;
    }
    return clear;
  };
  flow.stop = most;
  while (!is_clear(flow.stop)) {
    flow.stop += 3.1e-3 * period;
  }
  return flow;
}

std::unique_ptr<Integrator> integrator(int which, Model& model, const IntegratorOptions& options) {
  switch (which) {
    case 0:
      return std::make_unique<DormandPrince>(model, options);
    case 1:
      return std::make_unique<Radau>(model, options);
#ifdef SALTUS_TRUTH_BDF
    case 2:
      return std::make_unique<Bdf>(model, options);
#endif
    case 3:
      return std::make_unique<Adams>(model, options);
    default:
      return std::make_unique<Taylor>(model, options);
  }
}

Values run_native(const Flow& flow, int method, const Experiment& experiment) {
  modeling::NativeModel<PiecewiseFlow> model{"PiecewiseFlow"};
  std::map<std::string, std::size_t> variable;
  for (std::size_t i = 0; i < model.variables().size(); ++i) {
    variable[model.variables()[i].name] = i;
  }
  for (const auto& [name, value] : flow.numbers()) {
    model.set_number(variable.at(name), value);
  }
  const auto method_of = integrator(method, model, {.relative_tolerance = experiment.tolerance});
  IntegratedModel system{model, *method_of};
  ModeController controller{system};
  (void)controller.run(experiment);
  return {system.unknowns()[0], static_cast<int>(model.whole(variable.at("rounds"))),
          static_cast<int>(model.whole(variable.at("windows"))),
          static_cast<int>(model.whole(variable.at("alarms")))};
}

Values read(const importer::VariableAccess& variables) {
  const auto value = [&](const char* name) {
    return importer::to_number(variables.read(variables.variable(name)).at(0));
  };
  return {value("x"), static_cast<int>(value("rounds")), static_cast<int>(value("windows")),
          static_cast<int>(value("alarms"))};
}

enum class Road { model_exchange, with_event_mode, without_event_mode };

Values run_fmu(const Flow& flow, Road road, const Experiment& experiment, double report) {
  importer::Fmu fmu = importer::Fmu::open(SALTUS_TRUTH_FMU_DIR "/piecewise_flow.fmu");
  importer::InstanceOptions options;
  for (const auto& [name, value] : flow.numbers()) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.17g", value);
    options.start_values[name] = text.data();
  }
  if (road == Road::model_exchange) {
    auto model = fmu.instantiate_model_exchange("me", options);
    DormandPrince method(*model, {.relative_tolerance = experiment.tolerance});
    IntegratedModel system{*model, method};
    ModeController controller{system, {.report_interval = report}};
    (void)controller.run(experiment);
    Values values = read(model->variables());
    values.x = system.unknowns()[0];
    return values;
  }
  options.event_mode = road == Road::with_event_mode;
  auto system = fmu.instantiate_co_simulation("cs", options);
  ModeController controller{*system, {.report_interval = report}};
  controller.start(experiment);
  (void)controller.advance_to(experiment.stop);
  return read(system->variables());
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const Flow flow = random_flow(random);
  const Experiment experiment{.stop = flow.stop, .tolerance = random.log_uniform(1e-9, 1e-4)};
  const double report = flow.stop * random.uniform(0.01, 0.5);
  const int road = random.integer(0, 7);
  const Values found = road < 5 ? run_native(flow, road, experiment)
                                : run_fmu(flow, static_cast<Road>(road - 5), experiment, report);
  const Values exact = flow.at(flow.stop);
  const auto told = [&](const std::string& what, double value, double expected) {
    return wrong("road " + std::to_string(road) + ": " + what + " = " + std::to_string(value) +
                 " for " + std::to_string(expected));
  };
  if (found.rounds != exact.rounds) return told("rounds", found.rounds, exact.rounds);
  if (found.windows != exact.windows) return told("windows", found.windows, exact.windows);
  if (found.alarms != exact.alarms) return told("alarms", found.alarms, exact.alarms);
  // An error in x grows by the ratio of two speeds, 25 at most, between two borders and back. Those
  // of the steps add up: Bdf takes about fifty from one border to the next, each as far off as the
  // tolerance allows.
  const double multiple = road == 2 ? 25.0 * 50.0 : 200.0;
  const double allowed = multiple * experiment.tolerance * (1.0 + exact.rounds) * flow.border[4];
  if (!(std::fabs(found.x - exact.x) <= allowed)) return told("x", found.x, exact.x);
  return right();
}

const Family kFamily{"piecewise_linear", "piecewise linear flows with exact event times, all roads",
                     run};

}  // namespace
}  // namespace saltus::truth
