// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of solutions by parameters and start values, through events.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "saltus/modeling/native_model.hpp"
#include "saltus/simulation.hpp"
#include "sensitivity_problems.hpp"

namespace {

using namespace saltus;
using namespace saltus::modeling;

template <class Real>
struct Decay {
  State<Real> x{"x", {.start = 2.0}};
  Parameter<Real> k{"k", {.start = 0.5}};
  Output<Real> y{"y"};
  void equations(Equations<Real>& eq) {
    der(x) = -k * x;
    y = x * x + k * eq.time;
  }
};

TEST_CASE("a solution without events is differentiated", "[sensitivity]") {
  const auto run =
      simulate<Decay>({.stop = 3.0, .tolerance = 1e-11, .sensitivities = {"k", start("x")}});
  const double e = std::exp(-1.5);
  CHECK(run["d(x)/d(k)"].back() == Approx(-3.0 * 2.0 * e).epsilon(1e-9));
  CHECK(run["d(x)/d(start(x))"].back() == Approx(e).epsilon(1e-9));
  CHECK(run["d(y)/d(k)"].back() == Approx(2.0 * 2.0 * e * -3.0 * 2.0 * e + 3.0).epsilon(1e-9));
  CHECK(run.at(1.23)["d(x)/d(k)"] == Approx(-1.23 * 2.0 * std::exp(-0.615)).epsilon(1e-9));
}

template <class Real>
struct Ball {
  State<Real> h{"h", {.start = 1.0}};
  State<Real> v{"v"};
  Parameter<Real> g{"g", {.start = 9.81}};
  Parameter<Real> e{"e", {.start = 0.99}};
  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -g;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h <= 0.0 && v < 0.0)) {
      h = 0.0;
      v = -e * v;
    }
  }
};

TEST_CASE("a hundred bounces and their times are differentiated as the closed form is",
          "[sensitivity]") {
  const double g = 9.81, e = 0.99, h0 = 1.0;
  // t_n = sqrt(2 h / g) (1 + 2 (e + ... + e^(n-1)))
  const auto bounce = [&](int n) {
    double sum = 1.0, slope = 0.0;
    for (int i = 1; i < n; ++i) {
      sum += 2.0 * std::pow(e, i);
      slope += 2.0 * i * std::pow(e, i - 1);
    }
    return std::pair{sum, slope};
  };
  const double unit = std::sqrt(2.0 * h0 / g);
  const double stop = unit * (bounce(100).first + bounce(101).first) / 2.0;
  const auto run = simulate<Ball>({.stop = stop,
                                   .tolerance = 1e-10,
                                   .report_interval = kNever,
                                   .sensitivities = {"g", "e", start("h")}});
  REQUIRE(run.events().size() == 100);
  for (int n = 1; n <= 100; ++n) {
    const auto& event = run.events()[static_cast<std::size_t>(n - 1)];
    const auto [sum, slope] = bounce(n);
    REQUIRE(event.time_sensitivities.size() == 3);
    CHECK(event.time_sensitivities[0] == Approx(-0.5 * unit * sum / g).epsilon(1e-10));
    CHECK(event.time_sensitivities[1] == Approx(unit * slope).epsilon(1e-10).margin(1e-10));
    CHECK(event.time_sensitivities[2] == Approx(0.5 * unit * sum / h0).epsilon(1e-10));
  }
  // After the last bounce h = w (t - t_n) - g (t - t_n)^2 / 2 with w = e^n sqrt(2 g h).
  const auto [sum, slope] = bounce(100);
  const double t_n = unit * sum, w = std::pow(e, 100) * std::sqrt(2.0 * g * h0), u = stop - t_n;
  const double dt_g = -0.5 * t_n / g, dw_g = 0.5 * w / g;
  CHECK(run["d(h)/d(g)"].back() ==
        Approx(dw_g * u - (w - g * u) * dt_g - 0.5 * u * u).epsilon(1e-9).margin(1e-10));
  CHECK(run["d(v)/d(e)"].back() ==
        Approx(100.0 * w / e + g * unit * slope).epsilon(1e-9).margin(1e-10));
}

// The example of the manual of DSL48SE, with a plain `if`.
template <class Real>
struct SmallHybrid {
  State<Real> x{"x", {.start = 0.0}};
  Parameter<Real> p{"p", {.start = 2.9}};
  void equations(Equations<Real>&) {
    if (x * x * x - 5.0 * x * x + 7.0 * x <= p) {
      der(x) = 4.0 - x;
    } else {
      der(x) = 10.0 - 2.0 * x;
    }
  }
};

TEST_CASE("the small hybrid example of DSL48SE is differentiated", "[sensitivity]") {
  const auto run = simulate<SmallHybrid>({.stop = 2.0, .tolerance = 1e-12, .sensitivities = {"p"}});
  REQUIRE(run.events().size() == 3);
  const double times[] = {0.219215922289804, 0.275812591473484, 1.266347841796072};
  const double moved[] = {0.315707550098, 0.025508077526, 0.744917151578};
  const double after[] = {-1.645655005864, -1.348070546155, -2.754505037664};
  const auto t = run.time();
  const auto s = run["d(x)/d(p)"];
  for (std::size_t n = 0; n < 3; ++n) {
    CHECK(run.events()[n].time == Approx(times[n]).margin(1e-9));
    CHECK(run.events()[n].time_sensitivities[0] == Approx(moved[n]).margin(1e-9));
    for (std::size_t row = 1; row < t.size(); ++row) {
      if (t[row] == run.events()[n].time && t[row - 1] == t[row]) {
        CHECK(s[row] == Approx(after[n]).margin(1e-9));
      }
    }
  }
}

// At p = 3 it touches the surface at x = 1, which is at t = ln(4 / 3).
TEST_CASE("derivatives are lost where a surface is touched, and only within the tolerance of that",
          "[sensitivity]") {
  const auto run_at = [](double p, double tolerance) {
    return simulate<SmallHybrid>(
        {.stop = 2.0, .tolerance = tolerance, .values = {{"p", p}}, .sensitivities = {"p"}});
  };
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    // Not quite there, there to rounding, and a little farther.
    for (const double beside : {-0.5, -1e-3, 0.0, 1e-3, 0.5}) {
      INFO("tolerance " << tolerance << ", " << beside << " of it beside");
      const auto run = run_at(3.0 + beside * tolerance, tolerance);
      CHECK(run["d(x)/d(p)"].front() == 0.0);
      CHECK(std::isnan(run["d(x)/d(p)"].back()));
      CHECK(!std::isnan(run["x"].back()));
      REQUIRE(run.warnings().size() == 1);
      CHECK(run.warnings()[0].message.find("touched") != std::string::npos);
      CHECK(run.warnings()[0].time == Approx(std::log(4.0 / 3.0)).margin(0.2));
    }
  }
  // s jumps at the single event, c, by what is known of it: s = (f- - f+) / (q' f-) behind it.
  const auto beyond = run_at(3.0001, 1e-9);
  CHECK(beyond.warnings().empty());
  CHECK(beyond["d(x)/d(p)"].back() == Approx(-0.219791).epsilon(1e-5));
  const auto before = run_at(3.0 - 1e-6, 1e-9);
  CHECK(before.warnings().empty());
  CHECK(before["d(x)/d(p)"].back() == Approx(-172.799).epsilon(1e-5));
}

// A weight on a spring whose lowest point is just above a floor that takes its speed.
template <class Real>
struct Swing {
  State<Real> x{"x", {.start = 1.0}};
  State<Real> v{"v"};
  Parameter<Real> depth{"depth", {.start = 1.0}};
  void equations(Equations<Real>&) {
    der(x) = v;
    der(v) = -x;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x + depth < 0.0)) v = -0.8 * v;
  }
};

TEST_CASE("a swing that turns back at the floor has no derivatives behind it", "[sensitivity]") {
  const auto run_at = [](double depth) {
    return simulate<Swing>({.stop = 9.0,
                            .tolerance = 1e-9,
                            .values = {{"depth", depth}},
                            .sensitivities = {start("x"), "depth"}});
  };
  const auto touching = run_at(1.0);
  CHECK(std::isnan(touching["d(x)/d(depth)"].back()));
  REQUIRE(touching.warnings().size() == 1);
  CHECK(touching.warnings()[0].message.find("t = 3.14159265") != std::string::npos);
  // Two turns above the floor are none of its business.
  const auto above = run_at(1.00001);
  CHECK(above.warnings().empty());
  CHECK(above["d(x)/d(start(x))"].back() == Approx(std::cos(9.0)).epsilon(1e-7));
  CHECK(above["d(x)/d(depth)"].back() == 0.0);
}

// A room between two temperatures: heated at the rate a, cooling at the rate b.
template <class Real>
struct Thermostat {
  State<Real> T{"T", {.start = 18.0}};
  Parameter<Real> a{"a", {.start = 2.0}};
  Parameter<Real> b{"b", {.start = 1.0}};
  Parameter<Real> low{"low", {.start = 19.0}};
  Parameter<Real> high{"high", {.start = 21.0}};
  Discrete<bool> on{"on", {.start = true}};
  void equations(Equations<Real>&) { der(T) = on ? Real(a) : -b; }
  void events(Events<Real>& ev) {
    if (ev.when(T > high)) on = false;
    if (ev.when(T < low)) on = true;
  }
};

TEST_CASE("a hundred switches of a thermostat are differentiated as the closed form is",
          "[sensitivity]") {
  const double a = 2.0, b = 1.0, low = 19.0, high = 21.0, T0 = 18.0;
  const auto run = simulate<Thermostat>({.stop = 153.0,
                                         .report_interval = kNever,
                                         .sensitivities = {"a", "b", "low", "high", start("T")}});
  // It is too cold at the start. Each condition that has turned true turns false at once, which is
  // an event without a body.
  REQUIRE(run.events().size() > 200);
  for (std::size_t n = 0; n < 100; ++n) {
    // The first rise, then n falls and rises in turn.
    const double falls = static_cast<double>((n + 1) / 2), rises = static_cast<double>(n / 2);
    const auto& s = run.events()[2 * n + 1].time_sensitivities;
    CHECK(s[0] == Approx(-(high - T0) / (a * a) - rises * (high - low) / (a * a)).epsilon(1e-10));
    CHECK(s[1] == Approx(-falls * (high - low) / (b * b)).epsilon(1e-10).margin(1e-10));
    CHECK(s[2] == Approx(-falls / b - rises / a).epsilon(1e-10).margin(1e-10));
    CHECK(s[3] == Approx(1.0 / a + falls / b + rises / a).epsilon(1e-10));
    CHECK(s[4] == Approx(-1.0 / a).epsilon(1e-10));
  }
}

// What is sampled is held: its derivative lives in a discrete variable. The clock is a parameter.
template <class Real>
struct Sampled {
  State<Real> x{"x", {.start = 1.0}};
  State<Real> y{"y"};
  Parameter<Real> k{"k", {.start = 0.7}};
  Parameter<Real> period{"period", {.start = 0.5}};
  Discrete<Real> held{"held"};
  void equations(Equations<Real>&) {
    der(x) = -k * x;
    der(y) = held;
  }
  void events(Events<Real>& ev) {
    if (ev.every(period)) held = 2.0 * x;
  }
};

TEST_CASE("what a clock samples is differentiated, by the period of the clock too",
          "[sensitivity]") {
  const double k = 0.7, T = 0.5, stop = 2.2;
  const auto run =
      simulate<Sampled>({.stop = stop, .tolerance = 1e-11, .sensitivities = {"k", "period"}});
  // y = sum of 2 e^(-k n T) T over n = 1, 2, 3, and the last part of it until the stop.
  double by_k = 0.0, by_period = 0.0;
  for (int n = 1; n <= 4; ++n) {
    const double held = 2.0 * std::exp(-k * n * T);
    const double length = n < 4 ? T : stop - 4.0 * T;
    by_k += -n * T * held * length;
    by_period += -k * n * held * length + held * (n < 4 ? 1.0 : -4.0);
  }
  CHECK(run["d(y)/d(k)"].back() == Approx(by_k).epsilon(1e-9));
  CHECK(run["d(y)/d(period)"].back() == Approx(by_period).epsilon(1e-9));
  CHECK(run["d(held)/d(k)"].back() ==
        Approx(-4.0 * T * 2.0 * std::exp(-4.0 * k * T)).epsilon(1e-9));
}

template <class Real>
struct Delayed {
  State<Real> x{"x"};
  Parameter<Real> begin{"begin", {.start = 0.8}};
  void equations(Equations<Real>& eq) { der(x) = eq.time > begin ? 3.0 : 1.0; }
};

TEST_CASE("the time with which a condition compares the time is differentiated", "[sensitivity]") {
  const auto run = simulate<Delayed>({.stop = 2.0, .sensitivities = {"begin"}});
  REQUIRE(run.events().size() == 1);
  CHECK(run.events()[0].time_sensitivities[0] == Approx(1.0).epsilon(1e-12));
  CHECK(run["d(x)/d(begin)"].back() == Approx(-2.0).epsilon(1e-10));
}

// Rubs, sticks, comes loose.
template <class Real>
struct Sledge {
  State<Real> v{"v", {.start = 1.0}};
  State<Real> x{"x"};
  Parameter<Real> mu{"mu", {.start = 1.0}};
  Parameter<Real> pull{"pull", {.start = 1.5}};
  void equations(Equations<Real>& eq) {
    der(v) = (v > 0.0 ? -mu : Real(mu)) + pull * sin(eq.time);
    der(x) = v;
  }
};

double end_of(const char* name, double value, const char* variable) {
  return simulate<Sledge>({.stop = 9.0, .tolerance = 1e-12, .values = {{name, value}}})[variable]
      .back();
}

TEST_CASE("sliding motions are differentiated through entry and exit", "[sensitivity][sliding]") {
  const auto run = simulate<Sledge>(
      {.stop = 9.0, .tolerance = 1e-10, .sensitivities = {"mu", "pull", start("v")}});
  REQUIRE(run.warnings().empty());
  const double step = 1e-5;
  for (const char* variable : {"x", "v"}) {
    for (const auto& [name, value] : {std::pair{"mu", 1.0}, {"pull", 1.5}}) {
      const double difference =
          (end_of(name, value + step, variable) - end_of(name, value - step, variable)) /
          (2.0 * step);
      CHECK(run[std::string("d(") + variable + ")/d(" + name + ")"].back() ==
            Approx(difference).epsilon(1e-6).margin(1e-6));
    }
  }
}

TEST_CASE("the pendulum of index 3 is differentiated", "[sensitivity][dae]") {
  const auto run = simulate<benchmarks::IndexThreePendulum>(
      {.stop = 2.0, .tolerance = 1e-9, .sensitivities = {"g"}});
  const auto end = [](double g, const char* name) {
    return simulate<benchmarks::IndexThreePendulum>(
               {.stop = 2.0, .tolerance = 1e-12, .values = {{"g", g}}})[name]
        .back();
  };
  for (const char* name : {"x", "y", "force"}) {
    const double difference = (end(9.81 + 1e-4, name) - end(9.81 - 1e-4, name)) / 2e-4;
    CHECK(run[std::string("d(") + name + ")/d(g)"].back() ==
          Approx(difference).epsilon(1e-6).margin(1e-6));
  }
}

TEST_CASE("names that cannot be differentiated by are refused", "[sensitivity]") {
  CHECK_THROWS_WITH(simulate<Ball>({.sensitivities = {"gg"}}), Catch::Contains("\"gg\""));
  CHECK_THROWS_WITH(simulate<Thermostat>({.sensitivities = {"on"}}),
                    Catch::Contains("neither a real parameter"));
  CHECK_THROWS_WITH(simulate<Ball>({.sensitivities = {"g", "g"}}), Catch::Contains("twice"));
  CHECK_THROWS_WITH(simulate<Ball>({.rest = true, .sensitivities = {"g"}}),
                    Catch::Contains(".rest"));
}

}  // namespace
