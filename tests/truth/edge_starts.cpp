// SPDX-License-Identifier: BSD-2-Clause
// Runs that begin where several conditions and functions that jump are about to change, some of
// them by states, some by time, in directions of their own. What they look at moves at constant
// rates, so that the integrals of what they yield are known.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "saltus/core/number_text.hpp"
#include "saltus/simulation.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using namespace modeling;

template <class Real>
struct Edges {
  State<Real> x{"x"}, y{"y"}, truncated{"truncated"}, floored{"floored"}, on{"on"},
      rounded{"rounded"}, saw{"saw"};
  Parameter<Real> k{"k", {.start = 1.0}}, l{"l", {.start = -1.0}}, s{"s", {.start = 0.0}},
      p{"p", {.start = 0.0}}, q{"q", {.start = 0.0}}, r{"r", {.start = 0.0}},
      w{"w", {.start = 0.0}}, m{"m", {.start = 1.0}}, g{"g", {.start = 0.0}},
      h{"h", {.start = 1.0}};
  void equations(Equations<Real>& eq) {
    der(x) = k;
    der(y) = l;
    der(truncated) = trunc(s - x);
    der(floored) = floor(p + x - q * eq.time);
    der(on) = x - r * eq.time > w ? 1.0 : 0.0;
    der(rounded) = round(m * y + g);
    der(saw) = mod(x + y, h);
  }
};

/// a + b t.
struct Line {
  double a = 0.0, b = 0.0;
  double operator()(double t) const { return a + b * t; }
};

/// Something made of a line that changes where the line meets offset + n period, and is linear
/// between.
struct Piecewise {
  Line line;
  double period = 1.0, offset = 0.0;
  std::function<double(double)> of;

  /// Whether it is about to change for ever.
  bool is_undetermined() const {
    const double cells = (line.a - offset) / period;
    return std::fabs(line.b) < 1e-9 && std::fabs(cells - std::round(cells)) < 1e-6;
  }
  double integral(double stop) const {
    std::vector<double> ends{0.0, stop};
    const auto cell = [&](double t) { return (line(t) - offset) / period; };
    const double last = std::max(cell(0.0), cell(stop)) + 1.0;
    for (double n = std::floor(std::min(cell(0.0), cell(stop))); n <= last && line.b != 0.0; ++n) {
      ends.push_back(std::clamp((offset + n * period - line.a) / line.b, 0.0, stop));
    }
    std::sort(ends.begin(), ends.end());
    double sum = 0.0;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      const double length = ends[i + 1] - ends[i];
      sum += length * of(line(ends[i] + 0.5 * length));
    }
    return sum;
  }
};

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const auto one_of = [&](std::initializer_list<double> some) {
    const int i = random.integer(0, static_cast<int>(some.size()));
    return i < static_cast<int>(some.size()) ? some.begin()[i] : random.uniform(-2.0, 2.0);
  };
  const double x = one_of({0.0, 0.0, 1.0, -1.0, 0.5, 0.25}), y = one_of({0.0, 0.5, 1.0, -1.0});
  const double k = one_of({1.0, -1.0, 2.0, -2.0, 0.5}), l = one_of({1.0, -1.0, -k, k, 0.5});
  const double s = one_of({0.0, 1.0, x, x + 1.0, x - 1.0}), p = one_of({0.0, -x, 1.0 - x, 0.5});
  const double q = one_of({0.0, k, 2.0 * k, 1.0, 2.0, -1.0}), r = one_of({0.0, k, 2.0 * k, 1.0});
  const double w = one_of({x, x - 0.3, x + 0.3, 0.0}), m = one_of({1.0, -1.0, 2.0});
  const double g = one_of({0.0, 0.5, -m * y, 0.5 - m * y});
  const double h = random.chance(0.7) ? 0.5 * random.integer(1, 4) : random.uniform(0.3, 2.0);
  const double stop = 2.0, tolerance = random.log_uniform(1e-11, 1e-3);

  const std::array<std::pair<const char*, Piecewise>, 5> expected{{
      {"truncated", {{s - x, -k}, 1.0, 0.0, [](double z) { return std::trunc(z); }}},
      {"floored", {{p + x, k - q}, 1.0, 0.0, [](double z) { return std::floor(z); }}},
      {"on", {{x, k - r}, 1.0, w, [&](double z) { return z > w ? 1.0 : 0.0; }}},
      {"rounded", {{m * y + g, m * l}, 1.0, 0.5, [](double z) { return std::round(z); }}},
      {"saw", {{x + y, k + l}, h, 0.0, [&](double z) { return z - h * std::floor(z / h); }}},
  }};
  for (const auto& [name, value] : expected) {
    if (value.is_undetermined()) return right();  // which rounding decides
  }
  SimulationOptions options{.stop = stop, .tolerance = tolerance};
  options.report_interval = kNever;
  options.values = {{"x", x}, {"y", y}, {"k", k}, {"l", l}, {"s", s}, {"p", p},
                    {"q", q}, {"r", r}, {"w", w}, {"m", m}, {"g", g}, {"h", h}};
  Simulation run = Simulation::of<Edges>(options);
  run.start();
  run.advance_to(stop);
  for (const auto& [name, value] : expected) {
    const double found = run.value(name), known = value.integral(stop);
    if (!(std::fabs(found - known) <= 1e-7 + 100.0 * tolerance)) {
      return wrong(std::string(name) + " = " + number_text(found) + " for " + number_text(known));
    }
  }
  return right();
}

const Family kFamily{"edge_starts", "conditions that meet at the start, and part", run};

}  // namespace
}  // namespace saltus::truth
