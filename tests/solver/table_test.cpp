// SPDX-License-Identifier: BSD-2-Clause
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
using Catch::Matchers::Contains;

Points some_points;  // of the models below
Table::Options some_options;

template <class Real>
struct ByState {
  State<Real> x{"x"};
  Parameter<Real> speed{"speed", {.start = 1.0}};
  Table slope{some_points, some_options};
  void equations(Equations<Real>&) { der(x) = speed * slope(x); }
};
template <class Real>
struct ByTime {
  State<Real> area{"area"};
  Output<Real> height{"height"};
  Table table{some_points, some_options};
  void equations(Equations<Real>& eq) {
    height = table(eq.time);
    der(area) = height;
  }
};
template <class Real>
struct WithoutEvents {
  State<Real> x{"x"};
  Table table{some_points, some_options};
  void equations(Equations<Real>&) { der(x) = table(no_event(x)); }
};

// x' = f(x) with a positive f, straight between the points: exponential functions, one after
// another.
struct Motion {
  double x;
  std::vector<double> reached;  // the points
};
Motion exact_motion(const Points& points, double time) {
  Motion motion{points.front().first, {}};
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const double h = points[i + 1].first - points[i].first;
    if (h == 0.0) continue;
    const double a = points[i].second, b = points[i + 1].second;
    const double s = (b - a) / h;
    const double duration = std::fabs(s) < 1e-9 ? h / a : std::log(b / a) / s;
    if (duration > time || i + 2 == points.size()) {
      motion.x = points[i].first + (std::fabs(s) < 1e-9 ? a * time : a * std::expm1(s * time) / s);
      return motion;
    }
    time -= duration;
    motion.reached.push_back(duration + (motion.reached.empty() ? 0.0 : motion.reached.back()));
  }
  return motion;
}

Points random_points(std::mt19937& random) {
  std::uniform_real_distribution<double> width(0.05, 1.0), value(0.2, 3.0);
  Points points;
  double x = -0.5;
  for (std::size_t i = 3 + random() % 10; i > 0; --i) {
    points.emplace_back(x, value(random));
    if (points.size() > 1 && i > 1 && random() % 4 == 0) points.emplace_back(x, value(random));
    x += width(random);
  }
  return points;
}

TEST_CASE("a table of a state is exact between its points, and its points are events") {
  some_options = {};
  std::mt19937 random(20);
  for (int round = 0; round < 100; ++round) {
    some_points = random_points(random);
    const Motion exact = exact_motion(some_points, 2.0);
    const auto run = simulate<ByState>({.stop = 2.0,
                                        .tolerance = 1e-10,
                                        .values = {{"x", some_points.front().first}},
                                        .sensitivities = {"speed"}});
    INFO("round " << round);
    // Beyond the last point it may have grown far.
    CHECK(run["x"].back() == Approx(exact.x).epsilon(1e-8).margin(1e-8));
    // x depends on the product of speed and time.
    const double rate =
        (exact_motion(some_points, 2.0 + 1e-6).x - exact_motion(some_points, 2.0 - 1e-6).x) / 2e-6;
    CHECK(run["d(x)/d(speed)"].back() == Approx(2.0 * rate).epsilon(1e-6).margin(1e-8));
    REQUIRE(run.events().size() == exact.reached.size());
    for (std::size_t i = 0; i < exact.reached.size(); ++i) {
      CHECK(std::fabs(run.events()[i].time - exact.reached[i]) < 1e-9);
    }
  }
}

TEST_CASE("a table of time is integrated without an error at its points") {
  some_points = {{0.0, 1.0}, {0.3, 4.0}, {0.3, -2.0}, {1.1, 0.5}, {1.7, 0.5}};
  // Trapezia, the last one beyond the points.
  const double linear = 0.3 * 2.5 - 0.8 * 0.75 + 0.9 * 0.5;
  const double constant = 0.3 * 1.0 - 0.8 * 2.0 + 0.9 * 0.5;
  some_options = {};
  auto run = simulate<ByTime>({.stop = 2.0, .tolerance = 1e-3});
  CHECK(std::fabs(run["area"].back() - linear) < 1e-14);
  CHECK(run.at(0.15)["height"] == Approx(2.5).epsilon(1e-14));
  some_options = {.between = Table::Between::constant};
  run = simulate<ByTime>({.stop = 2.0, .tolerance = 1e-3});
  CHECK(std::fabs(run["area"].back() - constant) < 1e-14);
  CHECK(run.events().size() == 3);
  CHECK(run.at(0.31)["height"] == -2.0);
}

TEST_CASE("a table goes on beyond its points, or holds") {
  some_points = {{1.0, 1.0}, {2.0, 3.0}, {3.0, 4.0}};
  some_options = {};
  auto run = simulate<ByTime>({.stop = 4.0});
  CHECK(run["height"].front() == Approx(-1.0));
  CHECK(run["height"].back() == Approx(5.0));
  CHECK(run.events().size() == 1);
  some_options = {.beyond = Table::Beyond::hold};
  run = simulate<ByTime>({.stop = 4.0});
  CHECK(run["height"].front() == 1.0);
  CHECK(run["height"].back() == 4.0);
  CHECK(run["area"].back() == Approx(1.0 + 2.0 + 3.5 + 4.0).epsilon(1e-14));
}

TEST_CASE("a table that jumps at its ends is level beyond them") {
  some_points = {{1.0, 5.0}, {1.0, 1.0}, {2.0, 3.0}, {2.0, -1.0}};
  for (const auto between : {Table::Between::linear, Table::Between::constant}) {
    for (const auto beyond : {Table::Beyond::extend, Table::Beyond::hold}) {
      some_options = {.between = between, .beyond = beyond};
      const auto run = simulate<ByTime>({.stop = 3.0});
      CHECK(run.at(0.5)["height"] == 5.0);
      CHECK(run.at(1.5)["height"] == (between == Table::Between::linear ? 2.0 : 1.0));
      CHECK(run.at(2.5)["height"] == -1.0);
      CHECK(run.events().size() == 2);
    }
  }
}

TEST_CASE("a cubic table is monotone where its points are") {
  some_points = {{0.0, 0.0}, {1.0, 1.0}, {2.0, 4.0}, {3.0, 5.0}};
  some_options = {.between = Table::Between::cubic};
  auto run = simulate<ByTime>({.stop = 4.0, .report_interval = 0.01});
  // Slopes by hand: 0, 1.5, 1.5, 0.
  CHECK(run.at(0.5)["height"] == Approx(0.3125).epsilon(1e-12));
  CHECK(run.at(1.5)["height"] == Approx(2.5).epsilon(1e-12));
  CHECK(run.at(2.0)["height"] == Approx(4.0).epsilon(1e-12));
  const auto height = run["height"];
  CHECK(std::is_sorted(height.begin(), height.end()));
  CHECK(height.back() == Approx(5.0));  // goes on with the slope of its end
}

template <class Real>
struct Alarm {
  State<Real> x{"x"};
  Discrete<bool> high{"high"};
  Table table{{0.0, 1.0}, {0.5, 2.0}, {1.0, 1.0}};
  void equations(Equations<Real>&) { der(x) = table(2.0 * x) > 1.5 ? Real(0.5) : Real(1.0); }
  void events(Events<Real>& ev) {
    if (ev.when(table(x) > 1.25)) high = true;
  }
};
TEST_CASE("conditions on what a table gives are called by its name") {
  const NativeModel<Alarm> model("alarm");
  REQUIRE(model.indicator_name(0) == "2*x >= 0.5");
  CHECK(model.indicator_name(1) == "table(2*x) > 1.5");
  CHECK(model.indicator_name(2) == "table(x) > 1.25");
  // 1.5 is reached at x = 0.125 and left at 0.375, the piece ends at 0.25; 1.25 at 0.125.
  const auto run = simulate<Alarm>({.stop = 0.8, .tolerance = 1e-10});
  std::vector<double> times;
  for (const auto& event : run.events()) times.push_back(event.time);
  REQUIRE(times.size() == 3);
  CHECK(times[0] == Approx(0.125));
  CHECK(times[1] == Approx(0.125 + 0.25));
  CHECK(times[2] == Approx(0.125 + 0.5));
  CHECK(run["x"].back() == Approx(0.375 + 0.175).epsilon(1e-9));
  CHECK(run["high"].back() == 1.0);
}

TEST_CASE("a table has as many points as a driving cycle") {
  some_points.clear();
  double area = 0.0;
  for (int i = 0; i <= 1800; ++i) {
    some_points.emplace_back(i, 10.0 + (i * 37 % 11));
    if (i > 0) area += (some_points[i].second + some_points[i - 1].second) / 2.0;
  }
  some_options = {};
  const auto run = simulate<ByTime>({.stop = 1800.0, .report_interval = kNever});
  CHECK(run["area"].back() == Approx(area).epsilon(1e-13));
  CHECK(run.events().size() == 1799);
}

TEST_CASE("a table without events has no indicators") {
  some_points = {{0.0, 1.0}, {0.5, 2.0}, {1.0, 1.0}};
  some_options = {};
  const auto run = simulate<WithoutEvents>({.stop = 1.0, .tolerance = 1e-8});
  CHECK(run.events().empty());
  CHECK(run["x"].back() == Approx(exact_motion(some_points, 1.0).x).epsilon(1e-6));
}

template <class Real>
struct Relay {
  State<Real> x{"x", {.start = 0.5}};
  Table force{{{-1.0, 1.0}, {0.0, -1.0}, {1.0, -1.0}}, {.between = Table::Between::constant}};
  void equations(Equations<Real>&) { der(x) = force(x); }
};
TEST_CASE("where a table jumps against the motion it slides") {
  const auto run = simulate<Relay>({.stop = 2.0});
  CHECK(std::fabs(run["x"].back()) < 1e-12);
  CHECK(run.events().size() == 1);
  CHECK(run.events().front().time == Approx(0.5));
}

const std::vector<double> kX = {0.0, 1.0, 2.5}, kY = {-1.0, 0.0, 0.5, 2.0};
const std::vector<std::vector<double>> kZ = {
    {1.0, 2.0, 0.0, 1.0}, {3.0, -1.0, 2.0, 0.5}, {0.0, 1.0, 4.0, 2.0}};
TableOptions::Beyond some_beyond;

template <class Real>
struct Map {
  State<Real> a{"a", {.start = -0.4}};
  State<Real> b{"b", {.start = 2.3}};
  Output<Real> z{"z"};
  Table2 map{kX, kY, kZ, some_beyond};
  void equations(Equations<Real>&) {
    der(a) = 1.1;
    der(b) = -1.3;
    z = map(a, b);
  }
};
double between(double a, double b) {
  const auto cell = [](const std::vector<double>& x, double at) {
    std::size_t i = 0;
    while (i + 2 < x.size() && at >= x[i + 1]) ++i;
    return i;
  };
  if (some_beyond == TableOptions::Beyond::hold) {
    a = std::clamp(a, kX.front(), kX.back());
    b = std::clamp(b, kY.front(), kY.back());
  }
  const std::size_t i = cell(kX, a), j = cell(kY, b);
  const double u = (a - kX[i]) / (kX[i + 1] - kX[i]), v = (b - kY[j]) / (kY[j + 1] - kY[j]);
  return (1 - u) * ((1 - v) * kZ[i][j] + v * kZ[i][j + 1]) +
         u * ((1 - v) * kZ[i + 1][j] + v * kZ[i + 1][j + 1]);
}
TEST_CASE("a table of two numbers is linear in each") {
  for (const auto& [beyond, events] :
       {std::pair(TableOptions::Beyond::extend, 3U), std::pair(TableOptions::Beyond::hold, 7U)}) {
    some_beyond = beyond;
    const auto run = simulate<Map>({.stop = 3.0, .report_interval = 0.01});
    CHECK(run.events().size() == events);
    double worst = 0.0;
    for (std::size_t i = 0; i < run["z"].size(); ++i) {
      worst = std::max(worst, std::fabs(run["z"][i] - between(run["a"][i], run["b"][i])));
    }
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("tables that are none say why") {
  const double nan = std::nan("");
  CHECK_THROWS_WITH(Table({{0.0, 1.0}}), "table: two points are needed at least");
  CHECK_THROWS_WITH(Table({{0.0, 1.0}, {2.0, 1.0}, {1.5, 1.0}}),
                    "table: x[2] = 1.5 does not lie above 2 before it");
  CHECK_THROWS_WITH(Table({{0.0, 1.0}, {1.0, nan}}), "table: y[1] is not finite");
  CHECK_THROWS_WITH(Table({{0.0, 1.0}, {0.0, 2.0}, {0.0, 3.0}, {1.0, 1.0}}),
                    "table: three points at x = 0; a jump has two");
  CHECK_THROWS_WITH(Table({{0.0, 1.0}, {0.0, 2.0}}), "table: all points have the same x");
  CHECK_THROWS_WITH(Table({{0.0, 1.0}, {0.0, 2.0}, {1.0, 1.0}}, {.between = Table::Between::cubic}),
                    Contains("does not lie above"));
  CHECK_THROWS_WITH(Table2({0.0, 1.0}, {0.0, 1.0}, {{1.0, 2.0}}),
                    "table: 1 rows z for 2 numbers x");
  CHECK_THROWS_WITH(Table2({0.0, 1.0}, {0.0, 1.0}, {{1.0, 2.0}, {1.0}}),
                    "table: row z[1] has 1 numbers for 2 of y");
  CHECK_THROWS_WITH(Table2({0.0, 0.0}, {0.0, 1.0}, {{1.0, 2.0}, {1.0, 2.0}}),
                    Contains("x[1] = 0 does not lie above 0"));
}

}  // namespace
}  // namespace saltus
