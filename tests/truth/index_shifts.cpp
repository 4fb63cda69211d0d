// SPDX-License-Identifier: BSD-2-Clause
// A mass and a resistance that are zero for a time: discrete values or inputs decide which
// equations determine what, back and forth.
#include "index_shifts.hpp"

#include <cmath>
#include <sstream>

#include "implicit_roads.hpp"

namespace saltus::truth {
namespace {

template <template <class> class M>
std::unique_ptr<modeling::DescribedModel> make() {
  return std::make_unique<modeling::NativeModel<M>>("model");
}

struct Exact {
  double a, b, c;
  double s = 0.0, v = 0.0, u = 0.0, i = 0.0;

  // From t to t + h with a constant mass; the speed of a body without one follows at once.
  void move(double m, double t, double h) {
    const auto steady = [&](double time) { return (a + b * time) / c - b * m / (c * c); };
    if (m == 0.0) {
      v = steady(t + h);
      s += h * (steady(t) + steady(t + h)) / 2.0;
      return;
    }
    const double rest = v - steady(t), decay = std::exp(-c * h / m);
    s += h * (steady(t) + steady(t + h)) / 2.0 + rest * m / c * (1.0 - decay);
    v = steady(t + h) + rest * decay;
  }
  void charge(double R, double t, double h) {
    if (R == 0.0) {
      u = b * (t + h);
      i = b;
      return;
    }
    const auto steady = [&](double time) { return b * (time - R); };
    u = steady(t + h) + (u - steady(t)) * std::exp(-h / R);
    i = (b * (t + h) - u) / R;
  }
};

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const double length = random.log_uniform(0.1, 3.0);  // of a phase, roughly
  double times[6] = {0.0};
  for (int k = 1; k < 6; ++k) {
    times[k] = times[k - 1] + length * random.uniform(0.5, 1.5);
  }
  const double m1 = random.log_uniform(0.2, 5.0), R1 = random.log_uniform(0.2, 5.0);
  const double masses[] = {0.0, m1, m1, 0.0, 0.0}, resistances[] = {1.0, 1.0, 0.0, 0.0, R1};
  Exact exact{.a = random.uniform(-2.0, 2.0),
              .b = random.uniform(-2.0, 2.0),
              .c = random.log_uniform(0.3, 3.0)};
  exact.u = random.uniform(-1.0, 1.0);

  const bool by_input = random.chance(0.5);
  ImplicitRun run{.native = make<test::ShiftsByEvent>,
                  .fmu = by_input ? "shifts_by_input" : "shifts_by_event"};
  run.values = {{"a", exact.a}, {"b", exact.b}, {"c", exact.c}, {"u", exact.u}};
  if (by_input) {
    std::ostringstream table;
    table.precision(17);
    table << "time,m,R\n";
    for (int k = 0; k < 5; ++k) {
      for (const int end : {0, 1}) {
        table << times[k + end] << "," << masses[k] << "," << resistances[k] << "\n";
      }
    }
    run.inputs = table.str();
  } else {
    const char* const names[] = {"t1", "t2", "t3", "t4"};
    for (int k = 0; k < 4; ++k) {
      run.values[names[k]] = times[k + 1];
    }
    run.values["m1"] = m1;
    run.values["R1"] = R1;
  }
  run.stop = times[5];
  run.tolerance = random.log_uniform(1e-10, 1e-4);
  run.report_interval = run.stop / random.uniform(3.0, 40.0);
  run.recorded = {"s", "v", "u", "i"};
  const bool natively = !by_input && random.chance(0.5);
  // Without Taylor, who needs what the pattern of the equations says.
  const Road road = natively ? kNativeRoads[random.integer(0, 2)] : kFmuRoads[random.integer(0, 3)];

  for (int k = 0; k < 5; ++k) {
    exact.move(masses[k], times[k], times[k + 1] - times[k]);
    exact.charge(resistances[k], times[k], times[k + 1] - times[k]);
  }
  const auto end = end_of(run, road);
  const std::pair<const char*, double> expected[] = {
      {"s", exact.s}, {"v", exact.v}, {"u", exact.u}, {"i", exact.i}};
  for (const auto& [name, value] : expected) {
    if (!(std::fabs(end.at(name) - value) <= 1e3 * run.tolerance * (1.0 + std::fabs(value)))) {
      return wrong(std::string(name) + " ends as " + std::to_string(end.at(name)) + " instead of " +
                   std::to_string(value) + (by_input ? " by inputs" : "") + ", " + to_string(road) +
                   ", tolerance " + std::to_string(std::log10(run.tolerance)));
    }
  }
  return right();
}

const Family kFamily{"index_shifts",
                     "discrete values and inputs that change which equations determine what", run};

}  // namespace
}  // namespace saltus::truth
