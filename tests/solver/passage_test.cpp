// SPDX-License-Identifier: BSD-2-Clause
// Unknowns that only bent equations determine: their way through configurations, at a start and
// after jumps.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "saltus/modeling/tables.hpp"
#include "saltus/simulation.hpp"

namespace saltus {
namespace {

using namespace modeling;
using Points = std::vector<Table::Point>;

Points rising(std::mt19937& random) {
  std::uniform_real_distribution<double> step(0.05, 1.0);
  Points points;
  double x = -1.0, y = -0.5;
  for (std::size_t i = 3 + random() % 8; i > 0; --i) {
    points.emplace_back(x, y);
    x += step(random);
    y += step(random);
  }
  return points;
}

double value(const Points& points, double x) {
  std::size_t i = 0;
  while (i + 2 < points.size() && x >= points[i + 1].first) ++i;
  const double slope =
      (points[i + 1].second - points[i].second) / (points[i + 1].first - points[i].first);
  return points[i].second + slope * (x - points[i].first);
}

struct Setting {
  Points points;
  double guess = 0.0, jump = 0.0, low = 0.0, high = 0.0;
} setting;

// z is where the table gives x, which goes up evenly and jumps once. It never leaves its limits.
template <class Real>
struct Inverse {
  State<Real> x{"x"};
  Algebraic<Real> z{"z", {.start = setting.guess}};
  Discrete<int> left{"left"};
  Table table{setting.points};
  void equations(Equations<Real>& eq) {
    der(x) = 1.0;
    eq(table(z), x);
  }
  void events(Events<Real>& ev) {
    if (ev.at(Real(0.5))) x = x + setting.jump;
    if (ev.when(z < setting.low)) left++;
    if (ev.when(z > setting.high)) left++;
  }
};

TEST_CASE("bent equations are solved at starts and after jumps, and conditions wait for that") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> some(0.05, 1.0);
  for (int round = 0; round < 300; ++round) {
    setting.points = rising(random);
    Points turned;
    for (const auto& [x, y] : setting.points) turned.emplace_back(y, x);
    setting.guess = -2.0 + 5.0 * some(random);
    setting.jump = -1.5 + 3.0 * some(random);
    const double x = -0.4 + 1.5 * some(random);
    setting.low = value(turned, std::min(x, x + 0.5 + setting.jump)) - 0.02;
    setting.high = value(turned, std::max(x + 0.5, x + 1.5 + setting.jump)) + 0.02;
    INFO("round " << round);
    const auto run = simulate<Inverse>({.stop = 1.5, .tolerance = 1e-8, .values = {{"x", x}}});
    CHECK(run["x"].back() == Approx(x + 1.5 + setting.jump).margin(1e-9));
    double worst = 0.0;
    for (std::size_t i = 0; i < run["x"].size(); ++i) {
      worst = std::max(worst, std::fabs(run["z"][i] - value(turned, run["x"][i])));
    }
    CHECK(worst < 1e-7);
    CHECK(run["left"].back() == 0.0);
  }
}

constexpr std::size_t kNodes = 4;
struct Resistors {
  Points of[kNodes];
  double between = 0.0, source[kNodes] = {};
} resistors;

// A ring of nodes, joined by equal resistors, each with a bent one to ground and a diode.
template <class Real>
struct Network {
  State<Real> x{"x"};
  Algebraics<Real> u{"u", kNodes};
  std::vector<Table> tables{Table{resistors.of[0]}, Table{resistors.of[1]}, Table{resistors.of[2]},
                            Table{resistors.of[3]}};
  void equations(Equations<Real>& eq) {
    der(x) = 1.0;
    for (std::size_t i = 0; i < kNodes; ++i) {
      const Real next = u[(i + 1) % kNodes], before = u[(i + kNodes - 1) % kNodes];
      const Real diode = u[i] > 0.3 ? 20.0 * (u[i] - 0.3) : Real(0.0);
      eq(tables[i](u[i]) + diode + resistors.between * (2.0 * u[i] - next - before),
         resistors.source[i] * sin(3.0 * x));
    }
  }
};

TEST_CASE("networks of bent resistors and diodes are solved wherever their sources drive them") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> some(0.1, 2.0);
  for (int round = 0; round < 40; ++round) {
    for (std::size_t i = 0; i < kNodes; ++i) {
      resistors.of[i] = rising(random);
      resistors.source[i] = 6.0 * some(random) - 6.0;
    }
    resistors.between = some(random);
    INFO("round " << round);
    const auto run =
        simulate<Network>({.stop = 2.0, .tolerance = 1e-8, .values = {{"x", some(random)}}});
    double worst = 0.0;
    for (std::size_t row = 0; row < run["x"].size(); ++row) {
      const auto u = [&](std::size_t i) {
        return run["u[" + std::to_string(i % kNodes) + "]"][row];
      };
      for (std::size_t i = 0; i < kNodes; ++i) {
        const double diode = u(i) > 0.3 ? 20.0 * (u(i) - 0.3) : 0.0;
        worst = std::max(worst, std::fabs(value(resistors.of[i], u(i)) + diode +
                                          resistors.between * (2.0 * u(i) - u(i + 1) - u(i + 3)) -
                                          resistors.source[i] * std::sin(3.0 * run["x"][row])));
      }
    }
    CHECK(worst < 1e-6);
  }
}

}  // namespace
}  // namespace saltus
