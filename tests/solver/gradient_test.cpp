// SPDX-License-Identifier: BSD-2-Clause
// Gradients of one number at the end of a run, by the way back along it.
#include "saltus/gradient.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "gradient_problems.hpp"
#include "sensitivity_problems.hpp"

namespace {

using namespace saltus;
using namespace saltus::modeling;

// What `.sensitivities` finds at the same tolerance, relative to the largest of them.
template <template <class> class M>
double apart(const Gradient& gradient, const std::string& of, SimulationOptions options) {
  options.sensitivities = gradient.names();
  options.report_interval = kNever;
  const auto run = simulate<M>(options);
  REQUIRE(run.warnings().empty());
  double largest = 0.0, worst = 0.0;
  for (std::size_t k = 0; k < gradient.names().size(); ++k) {
    const double forwards = run["d(" + of + ")/d(" + gradient.names()[k] + ")"].back();
    largest = std::max(largest, std::fabs(forwards));
    worst = std::max(worst, std::fabs(gradient.by()[k] - forwards));
  }
  REQUIRE(largest > 0.0);
  return worst / largest;
}

TEST_CASE("a thermostat of twenty parameters has the gradient that sensitivities have",
          "[gradient]") {
  const SimulationOptions options{
      .stop = 24.0, .tolerance = 1e-11, .values = benchmarks::house_values(5)};
  const auto by = benchmarks::house_parameters(20);
  const Gradient cost = gradient<benchmarks::House5>("cost", by, options);
  REQUIRE(cost.by().size() == 20);
  REQUIRE(cost.run().events().size() > 40);
  CHECK(apart<benchmarks::House5>(cost, "cost", options) < 1e-8);
}

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

TEST_CASE("a solution without events has the gradient of its closed form", "[gradient]") {
  const double e = std::exp(-1.5);
  const Gradient x = gradient<Decay>("x", {}, {.stop = 3.0, .tolerance = 1e-11});
  CHECK(x.names() == std::vector<std::string>{"start(x)", "k"});
  CHECK(x.value() == Approx(2.0 * e).epsilon(1e-10));
  CHECK(x["k"] == Approx(-3.0 * 2.0 * e).epsilon(1e-10));
  CHECK(x["x"] == Approx(e).epsilon(1e-10));
  const Gradient y = gradient<Decay>("y", {"k"}, {.stop = 3.0, .tolerance = 1e-11});
  CHECK(y["k"] == Approx(2.0 * 2.0 * e * -3.0 * 2.0 * e + 3.0).epsilon(1e-10));
  const Gradient slope = gradient<Decay>("der(x)", {"k"}, {.stop = 3.0, .tolerance = 1e-11});
  CHECK(slope["k"] == Approx(-2.0 * e + 0.5 * 3.0 * 2.0 * e).epsilon(1e-10));
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

TEST_CASE("a hundred bounces have the gradient of their closed form", "[gradient]") {
  const double g = 9.81, e = 0.99, h0 = 1.0, unit = std::sqrt(2.0 * h0 / g);
  // The n-th bounce is at unit * (1 + 2 (e + ... + e^(n-1))).
  const auto bounce = [&](int n) {
    double sum = 1.0, slope = 0.0;
    for (int i = 1; i < n; ++i) {
      sum += 2.0 * std::pow(e, i);
      slope += 2.0 * i * std::pow(e, i - 1);
    }
    return std::pair{sum, slope};
  };
  const double stop = unit * (0.7 * bounce(100).first + 0.3 * bounce(101).first);
  const SimulationOptions options{.stop = stop, .tolerance = 1e-10};
  const Gradient h = gradient<Ball>("h", {}, options), v = gradient<Ball>("v", {}, options);
  REQUIRE(h.run().events().size() == 100);
  const auto [sum, slope] = bounce(100);
  const double t_n = unit * sum, w = std::pow(e, 100) * std::sqrt(2.0 * g * h0), u = stop - t_n;
  const double dt_g = -0.5 * t_n / g, dw_g = 0.5 * w / g;
  CHECK(h["g"] == Approx(dw_g * u - (w - g * u) * dt_g - 0.5 * u * u).epsilon(1e-9));
  CHECK(v["e"] == Approx(100.0 * w / e + g * unit * slope).epsilon(1e-9));
  CHECK(h["h"] == Approx(0.5 * w / h0 * u - (w - g * u) * 0.5 * t_n / h0).epsilon(1e-9));
}

// Two switching times, a clock whose period is a parameter, and a number that events hold; the
// start is computed.
template <class Real>
struct Schedule {
  State<Real> x{"x"};
  State<Real> y{"y", {.start = 0.3}};
  Parameter<Real> on{"on", {.start = 0.7}};
  Parameter<Real> off{"off", {.start = 1.9}};
  Parameter<Real> period{"period", {.start = 0.41}};
  Parameter<Real> gain{"gain", {.start = 1.3}};
  Parameter<Real> kick{"kick", {.start = 0.2}};
  Parameter<Real> x0{"x0", {.start = 0.8}};
  Discrete<Real> held{"held"};
  Discrete<bool> active{"active"};
  Output<Real> out{"out"};
  void equations(Equations<Real>& eq) {
    der(x) = (active ? Real(gain) : Real(0.0)) - 0.5 * x * held + (eq.time > off ? -y : y * y);
    der(y) = cos(eq.time * kick) - x * y;
    out = x * y + held * gain + eq.time * eq.time * kick;
  }
  void events(Events<Real>& ev) {
    if (ev.initial()) x = x0 * x0;
    if (ev.at(on)) active = true;
    if (ev.at(off * 1.1)) {
      x = x + kick * y;
      y = y * (1.0 - kick * ev.time);
    }
    if (ev.every(period)) held = 0.5 * held + sin(x) * gain;
  }
};

TEST_CASE("clocks, comparisons of time and held numbers have the gradient of sensitivities",
          "[gradient]") {
  const SimulationOptions options{.stop = 3.0, .tolerance = 1e-11};
  for (const char* of : {"x", "y", "out", "held"}) {
    INFO(of);
    const Gradient found = gradient<Schedule>(of, {}, options);
    REQUIRE(found.by().size() == 8);
    CHECK(apart<Schedule>(found, of, options) < 1e-8);
  }
}

// A throw, which ends where it meets the ground.
template <class Real>
struct Throw {
  State<Real> x{"x"};
  State<Real> h{"h"};
  State<Real> u{"u", {.start = 3.0}};
  State<Real> w{"w", {.start = 4.0}};
  Parameter<Real> g{"g", {.start = 9.81}};
  Output<Real> flight{"flight"};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(h) = w;
    der(u) = 0.0;
    der(w) = -g;
    flight = eq.time;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h < 0.0)) ev.terminate();
  }
};

TEST_CASE("an end that the model decides on moves with the parameters", "[gradient]") {
  // Away from the ground, on which it would begin.
  const double h0 = 0.5, u = 3.0, w = 4.0, g = 9.81;
  const SimulationOptions options{.stop = 9.0, .tolerance = 1e-11, .values = {{"h", h0}}};
  const double root = std::sqrt(w * w + 2.0 * g * h0), t = (w + root) / g;
  const double by_w = (1.0 + w / root) / g, by_h = 1.0 / root, by_g = -t / g + h0 / (g * root);
  const Gradient far = gradient<Throw>("x", {}, options);
  CHECK(far.time() == Approx(t).epsilon(1e-11));
  CHECK(far["u"] == Approx(t).epsilon(1e-10));
  CHECK(far["w"] == Approx(u * by_w).epsilon(1e-10));
  CHECK(far["h"] == Approx(u * by_h).epsilon(1e-10));
  CHECK(far["g"] == Approx(u * by_g).epsilon(1e-10));
  const Gradient flight = gradient<Throw>("flight", {"w", "g"}, options);
  CHECK(flight["w"] == Approx(by_w).epsilon(1e-10));
  CHECK(flight["g"] == Approx(by_g).epsilon(1e-10));
}

TEST_CASE("stiff reactions have the gradient of sensitivities, by the steps of Radau",
          "[gradient]") {
  for (const Method method : {Method::automatic, Method::radau}) {
    const SimulationOptions options{.stop = 4e4, .tolerance = 1e-10, .method = method};
    const Gradient y2 = gradient<benchmarks::Robertson>("y2", {"k1", "k2", "k3"}, options);
    double worst = 0.0;
    SimulationOptions with = options;
    with.sensitivities = y2.names();
    const auto run = simulate<benchmarks::Robertson>(with);
    for (std::size_t k = 0; k < 3; ++k) {
      const double forwards = run["d(y2)/d(" + y2.names()[k] + ")"].back();
      worst = std::max(worst, std::fabs(y2.by()[k] / forwards - 1.0));
    }
    CHECK(worst < 1e-6);
    INFO(worst);
  }
}

TEST_CASE("implicit equations without events have the gradient of sensitivities", "[gradient]") {
  const SimulationOptions akzo{.stop = 180.0, .tolerance = 1e-11};
  for (const char* of : {"y2", "y6"}) {
    INFO(of);
    const Gradient found =
        gradient<benchmarks::AkzoNobel>(of, {"k1", "k2", "k3", "k4", "K", "klA"}, akzo);
    CHECK(apart<benchmarks::AkzoNobel>(found, of, akzo) < 1e-8);
  }
  const SimulationOptions pendulum{.stop = 2.0, .tolerance = 1e-11};
  for (const char* of : {"x", "w", "force"}) {
    INFO(of);
    const Gradient found = gradient<benchmarks::IndexThreePendulum>(of, {"g", "length"}, pendulum);
    CHECK(apart<benchmarks::IndexThreePendulum>(found, of, pendulum) < 1e-8);
  }
}

template <template <class> class M>
std::string refusal(const std::string& of, const SimulationOptions& options) {
  try {
    const Gradient found = gradient<M>(of, {}, options);
    return "none: " + std::to_string(found.by().front());
  } catch (const GradientError& error) {
    return error.what();
  }
}

// A weight on a spring whose lowest point is at a floor that takes its speed.
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

TEST_CASE("a surface that is touched has no gradient behind it", "[gradient]") {
  for (const double beside : {-1e-10, 0.0, 1e-10}) {
    const std::string said =
        refusal<Swing>("x", {.stop = 9.0, .tolerance = 1e-9, .values = {{"depth", 1.0 + beside}}});
    INFO(said);
    CHECK(said.find("'x + depth < 0'") != std::string::npos);
    CHECK((said.find("touched") != std::string::npos || said.find("flatly") != std::string::npos));
  }
  const Gradient above =
      gradient<Swing>("x", {}, {.stop = 9.0, .tolerance = 1e-10, .values = {{"depth", 1.00001}}});
  CHECK(above["x"] == Approx(std::cos(9.0)).epsilon(1e-7));
  CHECK(above["depth"] == 0.0);
}

// Two balls that meet the ground together unless their heights differ.
template <class Real>
struct TwoBalls {
  Submodels<Ball<Real>> balls{"balls", 2};
  void equations(Equations<Real>& eq) { balls.equations(eq); }
  void events(Events<Real>& ev) { balls.events(ev); }
};

TEST_CASE("two events that would come one after another have no gradient together", "[gradient]") {
  const std::string said = refusal<TwoBalls>("balls[0].h", {.stop = 1.0, .tolerance = 1e-8});
  INFO(said);
  CHECK(said.find("change together") != std::string::npos);
  const SimulationOptions apart_from_it{
      .stop = 3.0, .tolerance = 1e-11, .values = {{"balls[0].h", 1.1}}};
  const Gradient found = gradient<TwoBalls>("balls[0].h", {}, apart_from_it);
  CHECK(apart<TwoBalls>(found, "balls[0].h", apart_from_it) < 1e-8);
}

// The same condition twice, and a third that follows from what the first has done.
template <class Real>
struct Cascade {
  State<Real> x{"x"};
  State<Real> y{"y", {.start = 1.0}};
  Parameter<Real> limit{"limit", {.start = 0.7}};
  Parameter<Real> factor{"factor", {.start = 0.6}};
  Discrete<bool> fast{"fast"};
  void equations(Equations<Real>&) {
    der(x) = fast ? 2.0 * y : Real(y);
    der(y) = 2.0 * x > 2.0 * limit ? -y * y : -0.1 * y;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x > limit)) y = y * factor;
    if (ev.when(y < 0.7)) fast = true;
    if (ev.when(fast)) y = y + limit * factor;
  }
};

TEST_CASE("what follows an event at the same instant has the gradient of sensitivities",
          "[gradient]") {
  const SimulationOptions options{.stop = 2.0, .tolerance = 1e-11};
  const Gradient found = gradient<Cascade>("x", {}, options);
  REQUIRE(found.run().events().size() > 0);
  CHECK(apart<Cascade>(found, "x", options) < 1e-8);
}

// Dry friction, which holds the block.
template <class Real>
struct Friction {
  State<Real> v{"v", {.start = 1.0}};
  Parameter<Real> mu{"mu", {.start = 0.5}};
  void equations(Equations<Real>& eq) { der(v) = (v > 0.0 ? -mu : Real(mu)) + 0.1 * sin(eq.time); }
};

TEST_CASE("a motion that slides is refused by its name", "[gradient]") {
  const std::string said = refusal<Friction>("v", {.stop = 4.0});
  INFO(said);
  CHECK(said.find("slides") != std::string::npos);
  CHECK(said.find("v > 0") != std::string::npos);
  CHECK(said.find(".sensitivities") != std::string::npos);
  // Before it stands still there is nothing to refuse.
  const SimulationOptions options{.stop = 1.0, .tolerance = 1e-11};
  const Gradient moving = gradient<Friction>("v", {}, options);
  CHECK(moving["mu"] == Approx(-1.0).epsilon(1e-10));
}

// A pendulum in Cartesian coordinates whose rope is cut.
template <class Real>
struct CutPendulum {
  State<Real> x{"x", {.start = 1.0}};
  State<Real> y{"y"};
  State<Real> u{"u"};
  State<Real> w{"w"};
  Algebraic<Real> force{"force"};
  Parameter<Real> g{"g", {.start = 9.81}};
  Discrete<bool> cut{"cut"};
  Output<Real> energy{"energy"};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = w;
    der(u) = -force * x;
    der(w) = -force * y - g;
    if (cut) {
      eq(force, Real(0.0));
    } else {
      eq(x * x + y * y, Real(1.0));
    }
    energy = 0.5 * (u * u + w * w) + g * y;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x < -0.5)) cut = true;
  }
};

TEST_CASE("implicit equations with an event are refused, and numbers computed from them",
          "[gradient]") {
  const std::string said = refusal<CutPendulum>("x", {.stop = 2.0});
  INFO(said);
  CHECK(said.find("implicit") != std::string::npos);
  CHECK(said.find("x < -0.5") != std::string::npos);
  CHECK_THROWS_WITH((gradient<CutPendulum>("energy", {}, {.stop = 0.1})),
                    Catch::Contains("\"energy\"") && Catch::Contains("Algebraic"));
}

// A tank that runs dry, filled by an input, and a clock whose period may be at the end.
template <class Real>
struct Tank {
  State<Real> level{"level", {.start = 1.0}};
  Input<Real> inflow{"inflow"};
  Parameter<Real> outlet{"outlet", {.start = 0.6}};
  Parameter<Real> share{"share", {.start = 0.5}};
  Parameter<Real> period{"period", {.start = 1.0}};
  void equations(Equations<Real>&) {
    der(level) = inflow * share - outlet * sqrt(max(no_event(level), 0.0));
  }
  void events(Events<Real>& ev) {
    if (ev.every(period)) level = level + 0.01 * share;
  }
};

TEST_CASE("comparisons without events and inputs that move have the gradient of sensitivities",
          "[gradient]") {
  const SimulationOptions options{
      .stop = 2.5,
      .tolerance = 1e-11,
      .inputs = {{"inflow", Table{{0.0, 0.0}, {0.7, 0.8}, {0.7, 0.2}, {3.0, 1.0}}}}};
  const Gradient level = gradient<Tank>("level", {}, options);
  REQUIRE(level.run().events().size() == 3);
  CHECK(apart<Tank>(level, "level", options) < 1e-8);
}

TEST_CASE("a run may end where it begins, and at an event that nothing moves", "[gradient]") {
  const Gradient at_once = gradient<Decay>("y", {}, {.stop = 0.0});
  CHECK(at_once["x"] == Approx(4.0));
  CHECK(at_once["k"] == 0.0);
  const SimulationOptions options{.stop = 2.0, .tolerance = 1e-11};
  const Gradient fixed = gradient<Tank>("level", {"outlet", "share"}, options);
  REQUIRE(fixed.run().events().size() == 2);
  CHECK(apart<Tank>(fixed, "level", options) < 1e-8);
  const std::string said = refusal<Tank>("level", options);
  INFO(said);
  CHECK(said.find("where the run ends") != std::string::npos);
}

// Two clocks of one period, which only one of both parameters moves.
template <class Real>
struct Clocks {
  State<Real> x{"x", {.start = 1.0}}, y{"y"};
  Parameter<Real> one{"one", {.start = 0.5}}, other{"other", {.start = 0.5}};
  Parameter<Real> rate{"rate", {.start = 0.3}};
  void equations(Equations<Real>&) {
    der(x) = rate * x - y;
    der(y) = x;
  }
  void events(Events<Real>& ev) {
    if (ev.every(one)) x = x * 0.9;
    if (ev.every(other)) y = y - 0.1 * rate * x;
  }
};

TEST_CASE("clocks that are due together matter by what is asked for", "[gradient]") {
  const SimulationOptions options{.stop = 1.2, .tolerance = 1e-11};
  const std::string said = refusal<Clocks>("x", options);
  INFO(said);
  CHECK(said.find("two clocks") != std::string::npos);
  CHECK(apart<Clocks>(gradient<Clocks>("x", {"rate", "start(x)"}, options), "x", options) < 1e-8);
}

// Its start is where the root has no derivative.
template <class Real>
struct Root {
  State<Real> x{"x", {.start = 1.0}};
  Parameter<Real> p{"p", {.start = 0.0}};
  void equations(Equations<Real>&) { der(x) = sqrt(p) - x; }
};

TEST_CASE("a derivative that is not finite is refused", "[gradient]") {
  const std::string said = refusal<Root>("x", {.stop = 1.0});
  INFO(said);
  CHECK(said.find("no finite derivatives") != std::string::npos);
}

TEST_CASE("a gradient tells what it cannot be asked for", "[gradient]") {
  using Catch::Contains;
  CHECK_THROWS_WITH((gradient<Ball>("hh")), Contains("\"hh\"") && Contains("\"h\""));
  CHECK_THROWS_WITH((gradient<Ball>("h", {"ee"})), Contains("\"ee\"") && Contains("\"e\""));
  CHECK_THROWS_WITH((gradient<Ball>("h", {"der(h)"})), Contains("neither a real parameter"));
  CHECK_THROWS_WITH((gradient<Ball>("h", {"start(e)"})), Contains("neither a real parameter"));
  CHECK_THROWS_WITH((gradient<Ball>("h", {"e", "e"})), Contains("named twice"));
  CHECK_THROWS_WITH((gradient<Schedule>("active")), Contains("no real number"));
  CHECK_THROWS_WITH((gradient<Ball>("h", {}, {.rest = true})), Contains("rest"));
  CHECK_THROWS_WITH((gradient<Ball>("h", {}, {.stop = 0.1})["f"]), Contains("\"f\""));
  const auto plain = [] { return std::make_unique<NativeModel<Ball>>("Ball"); };
  CHECK_THROWS_WITH((gradient(plain, "h", {}, {.stop = 0.1})), Contains(".sensitivities"));
}

}  // namespace
