// SPDX-License-Identifier: BSD-2-Clause
// Inputs with ramps, rests and jumps, in conditions together with states, as FMUs on every road. In
// Model Exchange the input is what the table says; in Co-Simulation it is held between
// communication points, and the exact solution is that of the held input.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "driven_input.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/switching/sliding_model.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using Piece = DrivenInput::Piece;

enum class Road { model_exchange, sliding_outside, event_mode, late_events, no_event_mode };
const char* const kRoads[] = {"ME", "ME, sliding outside", "CS", "CS without early return",
                              "CS without event mode"};
bool is_co_simulation(Road road) { return road >= Road::event_mode; }

struct Drive {
  std::string fmu, input_name;
  DrivenInput input;
  std::map<std::string, std::string> parameters;
  double stop = 4.0, interval = 0.05;
};

struct Rows {
  std::vector<double> times;
  std::map<std::string, std::vector<double>> values;
};

Rows rows_of(const importer::Recorder& recorder) {
  Rows rows{{recorder.times().begin(), recorder.times().end()}, {}};
  for (const auto& column : recorder.columns()) {
    rows.values[column.name] = {column.values.begin(), column.values.end()};
  }
  return rows;
}

Rows run_on(Road road, const Drive& drive) {
  constexpr double kTolerance = 1e-6;
  importer::Fmu fmu = importer::Fmu::open(SALTUS_TEST_FMU_DIR "/" + drive.fmu + ".fmu");
  const auto table =
      importer::InputTable::parse(drive.input.table(drive.input_name), "random input");
  const Experiment experiment{.stop = drive.stop, .tolerance = kTolerance};
  const ControllerOptions reports{.report_interval = drive.interval};
  if (is_co_simulation(road)) {
    auto system = fmu.instantiate_co_simulation("cs", {.start_values = drive.parameters,
                                                       .event_mode = road != Road::no_event_mode,
                                                       .early_return = road == Road::event_mode});
    system->set_inputs(&table);
    importer::Recorder recorder(*system);
    ModeController controller(*system, reports);
    controller.add(recorder);
    controller.run(experiment);
    return rows_of(recorder);
  }
  auto model = fmu.instantiate_model_exchange("me", {.start_values = drive.parameters});
  model->set_inputs(&table);
  SlidingModel around(*model);
  const bool outside = road == Road::sliding_outside;
  Model& equations = outside ? static_cast<Model&>(around) : *model;
  DormandPrince integrator(equations,
                           {.relative_tolerance = kTolerance, .max_step = drive.stop / 100.0});
  IntegratedModel system(equations, integrator);
  importer::Recorder recorder =
      outside ? importer::Recorder(*model, around, system) : importer::Recorder(*model, system);
  ModeController controller(system, reports);
  controller.add(recorder);
  controller.run(experiment);
  return rows_of(recorder);
}

/// A run beside its solution: `wrong` where a value is off by more than `margin`.
Verdict compare(Road road, const Drive& drive, const std::string& name, double margin,
                const std::function<double(double)>& exact) {
  const Rows rows = run_on(road, drive);
  for (std::size_t row = 0; row < rows.times.size(); ++row) {
    const double t = rows.times[row];
    if (drive.input.jumps_near(t) || (row > 0 && t == rows.times[row - 1])) continue;
    const double is = rows.values.at(name)[row], should = exact(t);
    if (!(std::fabs(is - should) <= margin)) {
      return wrong(drive.fmu + " as " + kRoads[static_cast<int>(road)] + ": " + name + "(" +
                   std::to_string(t) + ") = " + std::to_string(is) + " instead of " +
                   std::to_string(should));
    }
  }
  return right();
}

// s = rate t + u(t); what `decide` makes of it is integrated exactly: it is linear between the
// levels at which it bends or jumps.
double integral(const DrivenInput& input, double rate, double t, const std::vector<double>& levels,
                const std::function<double(double)>& decide) {
  double sum = 0.0;
  for (const Piece& piece : input.pieces()) {
    if (piece.from >= t) break;
    const double end = std::min(t, piece.to);
    const double slope = rate + piece.slope();
    const auto s = [&](double at) { return rate * at + piece.at(at); };
    std::vector<double> times{piece.from, end};
    for (const double level : levels) {
      const double at = piece.from + (level - s(piece.from)) / slope;
      if (at > piece.from && at < end) times.push_back(at);
    }
    std::sort(times.begin(), times.end());
    for (std::size_t k = 1; k < times.size(); ++k) {
      sum += (times[k] - times[k - 1]) * decide(s(0.5 * (times[k] + times[k - 1])));
    }
  }
  return sum;
}

Road random_road(Random& random) { return static_cast<Road>(random.integer(0, 4)); }

Verdict run_limits(std::uint64_t seed) {
  Random random(seed);
  const Road road = random_road(random);
  const double rate = random.uniform(-1.0, 1.0);
  Drive drive{.fmu = "driven_limits", .input_name = "u", .input = {}, .parameters = {}};
  drive.interval = random.chance(0.5) ? 0.1 : 0.05;
  drive.input = DrivenInput::random(random, drive.stop, drive.interval, 2.0);
  drive.parameters = {{"rate", std::to_string(rate)}};
  const double given = std::stod(drive.parameters["rate"]);
  const DrivenInput seen = is_co_simulation(road) ? drive.input.held(drive.interval) : drive.input;
  // A step may span a kink of the input, at which the slopes jump.
  const double margin = is_co_simulation(road) ? 1e-5 : 1e-3;
  const int which = random.integer(0, 3);
  if (which == 0) {
    return compare(road, drive, "limited", margin,
                   [&](double t) { return std::min(1.0, given * t + seen.left_of(t)); });
  }
  if (which == 1) {
    return compare(road, drive, "limited_integral", margin, [&](double t) {
      return integral(seen, given, t, {1.0}, [](double s) { return std::min(1.0, s); });
    });
  }
  if (which == 2) {
    return compare(road, drive, "size_integral", margin, [&](double t) {
      return integral(seen, given, t, {0.5}, [](double s) { return std::fabs(s - 0.5); });
    });
  }
  return compare(road, drive, "side_integral", margin, [&](double t) {
    return integral(seen, given, t, {0.75}, [](double s) { return s > 0.75 ? 2.0 : -1.0; });
  });
}

// By the method of Runge and Kutta in steps that end at the knots of the input. The equations have
// kinks, so that it is of second order there.
std::vector<std::pair<double, double>> controlled(const DrivenInput& input, double gain,
                                                  double reset) {
  double T = 0.0, I = 0.0;
  const auto slopes = [&](double temperature, double integral, double wanted) {
    const double error = wanted - temperature;
    const double asked = gain * error + integral;
    const double power = std::max(0.02, std::min(0.98, asked));
    return std::pair{power - 0.5 * temperature, reset * error + 2.0 * (power - asked)};
  };
  std::vector<std::pair<double, double>> curve{{0.0, T}};
  for (const Piece& piece : input.pieces()) {
    const int steps = 1 + static_cast<int>((piece.to - piece.from) / 1e-3);
    const double h = (piece.to - piece.from) / steps;
    for (int k = 0; k < steps; ++k) {
      const double t = piece.from + k * h;
      const double u0 = piece.at(t), u1 = piece.at(t + 0.5 * h), u2 = piece.at(t + h);
      const auto a = slopes(T, I, u0);
      const auto b = slopes(T + 0.5 * h * a.first, I + 0.5 * h * a.second, u1);
      const auto c = slopes(T + 0.5 * h * b.first, I + 0.5 * h * b.second, u1);
      const auto d = slopes(T + h * c.first, I + h * c.second, u2);
      T += h / 6.0 * (a.first + 2.0 * b.first + 2.0 * c.first + d.first);
      I += h / 6.0 * (a.second + 2.0 * b.second + 2.0 * c.second + d.second);
      curve.emplace_back(t + h, T);
    }
  }
  return curve;
}

// A relay runs after its leader at constant speed, and stays with one that is slower.
std::vector<std::pair<double, double>> followed(const DrivenInput& input, double speed) {
  double x = 0.0;
  std::vector<std::pair<double, double>> curve{{0.0, x}};
  for (const Piece& piece : input.pieces()) {
    double t = piece.from;
    const double slope = piece.slope();
    while (t < piece.to) {
      const double gap = piece.at(t) - x;
      if (std::fabs(gap) <= 1e-12) {
        const double velocity = std::fabs(slope) <= speed ? slope : std::copysign(speed, slope);
        x += velocity * (piece.to - t);
        t = piece.to;
      } else {
        const double velocity = std::copysign(speed, gap);
        const double closing = (slope - velocity) * (gap > 0.0 ? 1.0 : -1.0);
        const double meets = closing < 0.0 ? t - std::fabs(gap) / closing : kNever;
        const double until = std::min(meets, piece.to);
        x = meets <= piece.to ? piece.at(meets) : x + velocity * (until - t);
        t = until;
      }
      curve.emplace_back(t, x);
    }
  }
  return curve;
}

double on_curve(const std::vector<std::pair<double, double>>& curve, double t) {
  std::size_t k = 1;
  while (k + 1 < curve.size() && curve[k].first < t) ++k;
  const auto& [t0, x0] = curve[k - 1];
  const auto& [t1, x1] = curve[k];
  return t1 > t0 ? x0 + (x1 - x0) * (t - t0) / (t1 - t0) : x1;
}

Verdict run_controller(std::uint64_t seed) {
  Random random(seed);
  const Road road = random_road(random);
  Drive drive{.fmu = "driven_controller", .input_name = "wanted", .input = {}, .parameters = {}};
  drive.stop = 12.0;
  drive.interval = 0.1;
  drive.input = DrivenInput::random(random, drive.stop, drive.interval, 2.0);
  drive.parameters = {{"gain", std::to_string(random.uniform(0.5, 4.0))},
                      {"reset", std::to_string(random.uniform(0.1, 1.0))}};
  const DrivenInput seen = is_co_simulation(road) ? drive.input.held(drive.interval) : drive.input;
  const auto curve =
      controlled(seen, std::stod(drive.parameters["gain"]), std::stod(drive.parameters["reset"]));
  return compare(road, drive, "temperature", is_co_simulation(road) ? 1e-4 : 1e-3,
                 [&](double t) { return on_curve(curve, t); });
}

Verdict run_follower(std::uint64_t seed) {
  Random random(seed);
  const Road road = random_road(random);
  Drive drive{.fmu = "driven_follower", .input_name = "leader", .input = {}, .parameters = {}};
  drive.input = DrivenInput::random(random, drive.stop, drive.interval, 1.0);
  drive.parameters = {{"speed", std::to_string(random.uniform(0.5, 3.0))}};
  const DrivenInput seen = is_co_simulation(road) ? drive.input.held(drive.interval) : drive.input;
  const auto curve = followed(seen, std::stod(drive.parameters["speed"]));
  return compare(road, drive, "x", is_co_simulation(road) ? 1e-5 : 2e-3,
                 [&](double t) { return on_curve(curve, t); });
}

const Family kLimits{"driven_limits", "min, abs and ?: of a state plus an input", run_limits};
const Family kController{"driven_controller", "a PI controller with limits", run_controller};
const Family kFollower{"driven_follower", "a relay that follows an input", run_follower};

}  // namespace
}  // namespace saltus::truth
