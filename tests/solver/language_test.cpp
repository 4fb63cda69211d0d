// SPDX-License-Identifier: BSD-2-Clause
// What one writes in plain C++ and expects to work in a model.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <type_traits>
#include <vector>

#include "saltus/simulation.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;
using Catch::Contains;

template <class T>
T square(const T& v) {
  return v * v;
}
template <class T>
T larger(const T& a, const T& b) {
  return a > b ? a : b;
}

// Functions of the standard library, by its own names.
template <class Real>
struct StandardFunctions {
  static constexpr ModelInfo info{.stop = 1.0, .tolerance = 1e-10};
  State<Real> x{"x", {.start = -1.0}};
  Outputs<Real> y{"y", 16};
  void equations(Equations<Real>&) {
    der(x) = 2.0;
    const Real values[] = {std::cbrt(x),
                           std::copysign(3.0, x),
                           std::log2(x + 2.0),
                           std::exp2(x),
                           std::expm1(x),
                           std::clamp(x, -0.5, 0.5),
                           std::sin(x) + std::cos(x) + std::tan(x) + std::tanh(x),
                           std::pow(x, 2) + std::pow(2.0, x),
                           std::max(x, 0.25) + std::min(0.5, x),
                           std::hypot(x, 1.0) + std::atan2(1.0, x),
                           std::sqrt(x + 2.0) + std::log(x + 2.0) + std::log10(x + 2.0),
                           std::abs(x) + std::fabs(x),
                           std::exp(x) + std::atan(x),
                           std::asin(0.5 * x) + std::acos(0.5 * x),
                           std::sinh(x) + std::cosh(x),
                           std::fmax(x, 0.1) + std::fmin(x, 0.1)};
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = values[i];
  }
  static std::vector<double> truth(double x) {
    return {std::cbrt(x),
            std::copysign(3.0, x),
            std::log2(x + 2.0),
            std::exp2(x),
            std::expm1(x),
            std::clamp(x, -0.5, 0.5),
            std::sin(x) + std::cos(x) + std::tan(x) + std::tanh(x),
            std::pow(x, 2) + std::pow(2.0, x),
            std::max(x, 0.25) + std::min(0.5, x),
            std::hypot(x, 1.0) + std::atan2(1.0, x),
            std::sqrt(x + 2.0) + std::log(x + 2.0) + std::log10(x + 2.0),
            std::abs(x) + std::fabs(x),
            std::exp(x) + std::atan(x),
            std::asin(0.5 * x) + std::acos(0.5 * x),
            std::sinh(x) + std::cosh(x),
            std::fmax(x, 0.1) + std::fmin(x, 0.1)};
  }
};
template <class Real>
struct AsksWhatNobodyHas {
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = std::log1p(x); }
};
template <class Real>
struct AsksForNan {
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = std::isnan(x) ? 1.0 : 2.0; }
};

// x' = -sign(x) with friction: comes to rest at x0 and stays.
template <class Real>
struct SignedBrake {
  static constexpr ModelInfo info{.stop = 3.0, .tolerance = 1e-9};
  State<Real> x{"x", {.start = 1.0}};
  Output<Real> force{"force"};
  void equations(Equations<Real>&) {
    force = -0.5 * sign(x);
    der(x) = force;
  }
};

// The step of a staircase, and how high x stands above it: x = 1.7 t - 0.3.
template <class Real>
struct Staircase {
  static constexpr ModelInfo info{.stop = 3.0, .tolerance = 1e-9};
  State<Real> x{"x", {.start = -0.3}};
  State<Real> area{"area"};
  Parameter<Real> slope{"slope", {.start = 1.7}};
  Discrete<int> n{"n"};
  Discrete<std::int64_t> up{"up"};
  Local<Real> rest{"rest"};
  void equations(Equations<Real>&) {
    n = floor(x);
    up = ceil(x);
    rest = x - n;
    der(x) = slope;
    der(area) = n;
  }
};
// The place of a shaft between marks, and the area below it.
template <class Real>
struct Shaft {
  static constexpr ModelInfo info{.stop = 3.0, .tolerance = 1e-10};
  State<Real> angle{"angle", {.start = 0.2}};
  State<Real> area{"area"};
  Parameter<Real> speed{"speed", {.start = 1.0}}, mark{"mark", {.start = 0.7}};
  Discrete<int> turns{"turns"};
  Output<Real> phase{"phase"};
  void equations(Equations<Real>&) {
    phase = mod(angle, mark, turns);
    der(angle) = speed;
    der(area) = phase;
  }
};
template <class Real>
struct NarrowFloor {
  State<Real> x{"x", {.start = 120.0}};
  Discrete<std::int8_t> n{"n"};
  void equations(Equations<Real>&) {
    n = floor(x);
    der(x) = 10.0;
  }
};
template <class Real>
struct Hours {
  static constexpr ModelInfo info{.stop = 3.5};
  State<Real> x{"x"};
  Discrete<int> hour{"hour", {.start = 7}};
  void equations(Equations<Real>& eq) {
    hour = floor(eq.time);
    der(x) = hour;
  }
};
template <class Real>
struct FloorInBody {
  static constexpr ModelInfo info{.stop = 1.0};
  State<Real> x{"x"};
  Discrete<int> n{"n"};
  void equations(Equations<Real>&) { der(x) = 10.0; }
  void events(Events<Real>& ev) {
    if (ev.at(0.57)) n = floor(x);
  }
};

template <class Real>
struct Circle {
  static constexpr ModelInfo info{.stop = 2.0, .tolerance = 1e-9};
  State<Real> x{"x", {.start = 3.0}}, y{"y", {.start = 4.0}};
  Output<Real> r{"r"};
  void equations(Equations<Real>&) {
    r = hypot(x, y);
    der(x) = -y * r;
    der(y) = x * r;
  }
};

template <class Real>
struct Chain {
  static constexpr ModelInfo info{.stop = 1.0, .tolerance = 1e-9};
  States<Real> x{"x", {1.0, 2.0, 3.0}};
  Parameter<Real> k{"k", {.start = 2.0}};
  Output<Real> sum{"sum"}, most{"most"};
  Input<Real> u{"u", {.start = 3.0}};
  void equations(Equations<Real>&) {
    Real total = 0.0;
    for (auto& one : x) {
      der(one) = -square(k) * one;
      total += square(one);
    }
    sum = total + square(u) + square(sum_of(x[0], x[1]));
    most = larger(x[0], x[1]) + larger(k, k);
  }
  template <class T>
  static T sum_of(const T& a, const T& b) {
    return a + b;
  }
};

template <class Real>
struct Rods {
  static constexpr ModelInfo info{.stop = 1.0, .tolerance = 1e-9};
  States<Real> T{"T", {1.0, 2.0}};
  Parameters<Real> k{"k", {1.0, 3.0}, {.unit = "1/s"}};
  Inputs<Real> u{"u", 2, {.start = 0.5}};
  Outputs<Real> loss{"loss", 2};
  Locals<Real> sum{"sum", 1};
  void equations(Equations<Real>&) {
    for (std::size_t i = 0; i < T.size(); ++i) {
      loss[i] = k[i] * T[i];
      der(T[i]) = u[i] - loss[i];
    }
    sum[0] = loss[0] + loss[1];
  }
};

template <class Real>
struct Switches {
  static constexpr ModelInfo info{.stop = 4.0, .tolerance = 1e-9};
  State<Real> x{"x"};
  Discrete<bool> on{"on"}, seen{"seen"};
  Discrete<int> n{"n"}, m{"m"};
  Discrete<Real> level{"level", {.start = 1.0}};
  void equations(Equations<Real>&) { der(x) = on && x > 2.0 ? 0.5 : 1.0; }
  void events(Events<Real>& ev) {
    if (ev.when(x > 1.0)) {
      on = true;
      n += 1;
      level += 0.5;
    }
    if (ev.when(on)) {
      seen = true;
      m += n + 2;
    }
    if (ev.when(on && x > 1.5)) n -= 3;
    if (ev.when(!on)) level *= 2.0;
  }
};

template <class Real>
struct Filling {
  static constexpr ModelInfo info{.stop = 4.0, .tolerance = 1e-9};
  State<Real> level{"level"};
  Parameter<Real> height{"height", {.start = 9.0}};
  Parameter<Real> enough{"enough", {.start = 2.5}};
  void equations(Equations<Real>&) { der(level) = 1.0; }
  void events(Events<Real>& ev) {
    ev.require(height > 0.0, "a tank has a height");
    ev.require(level < height, "the tank overflows");
    if (ev.when(level > enough)) ev.terminate("the tank is full enough");
  }
};

template <class Real>
struct Computed {
  static constexpr ModelInfo info{.stop = 1.0, .tolerance = 1e-9};
  State<Real> x{"x"};
  Parameter<Real> half{"half", {.start = 2.0}};
  Discrete<int> starts{"starts"}, later{"later"};
  void equations(Equations<Real>&) { der(x) = -x; }
  void events(Events<Real>& ev) {
    if (ev.initial()) {
      x = 2.0 * half;
      starts++;
    }
    if (ev.every(0.3)) later++;
  }
};

template <class Real>
struct AskedTicks {
  static constexpr ModelInfo info{.stop = 5.5};
  State<Real> x{"x"};
  Discrete<bool> on{"on", {.start = true}};
  Discrete<int> early{"early"}, late{"late"}, switched{"switched"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.every(1.0) && x < 2.5) early++;
    if (x > 2.5 && ev.every(1.0)) late++;
    if (on && ev.every(1.0)) switched++;
    if (ev.at(3.5)) on = false;
  }
};

template <class Clock, class T>
concept JoinedByOr = requires(Clock clock, T other) {
  clock || other;
};
template <class Clock>
concept JoinedByAnd = requires(Clock clock) {
  clock&& clock;
};
template <class Clock>
concept Negated = requires(Clock clock) {
  !clock;
};
template <class Clock>
concept IsCondition = requires(Events<Locked> ev, Clock clock) {
  ev.when(clock);
};

}  // namespace

TEST_CASE("a clock may ask for more at its instants", "[language]") {
  const auto run = simulate<AskedTicks>();
  CHECK(run["early"].back() == 2.0);
  CHECK(run["late"].back() == 3.0);
  CHECK(run["switched"].back() == 3.0);
}

TEST_CASE("a clock is no condition, and is not joined with others", "[language]") {
  STATIC_REQUIRE(
      (IsCondition<bool> && JoinedByOr<bool, bool> && JoinedByAnd<bool> && Negated<bool>));
  STATIC_REQUIRE_FALSE(IsCondition<Due>);
  STATIC_REQUIRE_FALSE(JoinedByOr<Due, bool>);
  STATIC_REQUIRE_FALSE(JoinedByOr<Due, Due>);
  STATIC_REQUIRE_FALSE(JoinedByAnd<Due>);
  STATIC_REQUIRE_FALSE(Negated<Due>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Due, bool>);
}

TEST_CASE("functions of the standard library are those of the model", "[language]") {
  const auto run = simulate<StandardFunctions>();
  for (const double t : {0.05, 0.2, 0.45, 0.6, 0.9, 1.0}) {
    const auto truth = StandardFunctions<Locked>::truth(2.0 * t - 1.0);
    for (std::size_t i = 0; i < truth.size(); ++i) {
      INFO("y[" << i << "] at " << t);
      CHECK(run.at(t)["y[" + std::to_string(i) + "]"] ==
            Approx(truth[i]).epsilon(1e-9).margin(1e-12));
    }
  }
  CHECK_THROWS_WITH(NativeModel<AsksWhatNobodyHas>("m"),
                    Contains("log1p(x): a model has no such function"));
  CHECK_THROWS_WITH(NativeModel<AsksForNan>("m"), Contains("isnan(x)"));
}

TEST_CASE("sign is a condition, and slides", "[language]") {
  const auto run = simulate<SignedBrake>();
  CHECK(run.at(1.0)["x"] == Approx(0.5));
  CHECK(run.at(1.0)["force"] == -0.5);
  CHECK(std::fabs(run["x"].back()) < 1e-9);
  CHECK(std::fabs(run["force"].back()) < 1e-6);
  REQUIRE(run.events().size() == 1);
  CHECK(run.events()[0].time == Approx(2.0).epsilon(1e-9));
}

TEST_CASE("a Discrete holds floor and ceil of what moves", "[language]") {
  const auto run = simulate<Staircase>();
  CHECK(run.at(0.0)["n"] == -1.0);
  CHECK(run.at(0.0)["up"] == 0.0);
  double area = 0.0;
  for (int i = 1; i <= 60; ++i) {
    const double t = 0.05 * i, x = 1.7 * t - 0.3;
    if (std::fabs(x - std::round(x)) < 1e-6) continue;
    CHECK(run.at(t)["n"] == std::floor(x));
    CHECK(run.at(t)["up"] == std::ceil(x));
    CHECK(run.at(t)["rest"] == Approx(x - std::floor(x)).margin(1e-8));
  }
  // -1 until x = 0 at 0.3 / 1.7, then k for 1 / 1.7 each; x ends at 4.8.
  area = (-0.3 + 0.0 + 1.0 + 2.0 + 3.0 + 0.8 * 4.0) / 1.7;
  CHECK(run["area"].back() == Approx(area).epsilon(1e-8));
  CHECK(run.events().size() == 5);
  const auto back = simulate<Staircase>({.values = {{"slope", -1.0}, {"x", 1.5}}});
  CHECK(back["n"].back() == -2.0);
  CHECK(back["up"].back() == -1.0);
  CHECK(back["area"].back() == Approx(0.5 * 1.0 - 1.0 - 2.0 * 0.5).margin(1e-8));
}

TEST_CASE("mod jumps at multiples, in both directions", "[language]") {
  const auto run = simulate<Shaft>({.sensitivities = {"mark", "speed"}});
  REQUIRE(run.warnings().empty());
  // From 0.2 to 3.2: four marks, and 0.4 beyond the last.
  CHECK(run.events().size() == 4);
  CHECK(run["turns"].back() == 4.0);
  CHECK(run["phase"].back() == Approx(0.4).epsilon(1e-9));
  CHECK(run["area"].back() == Approx(0.5 * (4 * 0.49 + 0.16 - 0.04)).epsilon(1e-9));
  // Of (4 m^2 + (a - 4 m)^2 - 0.04) / (2 speed), with a = 0.2 + 3 speed.
  CHECK(run["d(area)/d(mark)"].back() == Approx(4 * 0.7 - 4 * 0.4).epsilon(1e-8));
  CHECK(run["d(phase)/d(mark)"].back() == Approx(-4.0).epsilon(1e-8));
  CHECK(run["d(area)/d(speed)"].back() == Approx(3.0 * 0.4 - 1.04).epsilon(1e-8));
  const auto back = simulate<Shaft>({.values = {{"speed", -0.9}}});
  CHECK(back["turns"].back() == -4.0);
  CHECK(back["phase"].back() == Approx(0.3).epsilon(1e-9));
}

TEST_CASE("floor of the time is an announced event, and a start value no hindrance", "[language]") {
  const auto run = simulate<Hours>();
  CHECK(run["x"].back() == Approx(0.0 + 1.0 + 2.0 + 0.5 * 3.0).epsilon(1e-12));
  REQUIRE(run.events().size() == 3);
  CHECK(run.events()[2].time == 3.0);
  CHECK(simulate<FloorInBody>()["n"].back() == 5.0);
}

TEST_CASE("floor of what an integer cannot hold ends the run", "[language]") {
  CHECK_THROWS_WITH(simulate<NarrowFloor>(), Contains("128"));
}

TEST_CASE("hypot differentiates", "[language]") {
  for (const auto method : {Method::dormand_prince, Method::radau}) {
    const auto run = simulate<Circle>({.method = method});
    CHECK(run["r"].back() == Approx(5.0).epsilon(1e-7));
    const double angle = std::atan2(4.0, 3.0) + 5.0 * 2.0;
    CHECK(run["x"].back() == Approx(5.0 * std::cos(angle)).margin(1e-6));
  }
}

TEST_CASE("arrays are walked through, and functions take what they are given", "[language]") {
  const auto run = simulate<Chain>();
  const double e = std::exp(-4.0);
  CHECK(run["x[2]"].back() == Approx(3.0 * e).epsilon(1e-7));
  CHECK(run["sum"].back() == Approx((14.0 + 9.0) * e * e + 9.0).epsilon(1e-7));
  CHECK(run["most"].back() == Approx(2.0 * e + 2.0).epsilon(1e-7));
}

TEST_CASE("there are arrays of parameters, inputs, outputs and locals", "[language]") {
  const auto run = saltus::simulate<Rods>({.values = {{"k[0]", 2.0}, {"u[1]", 0.0}}});
  // T' = u - k T with k = 2 and 3, u = 0.5 and 0.
  const double first = 0.25 + 0.75 * std::exp(-2.0);
  const double second = 2.0 * std::exp(-3.0);
  CHECK(run["loss[0]"].back() == Approx(2.0 * first).epsilon(1e-7));
  CHECK(run["loss[1]"].back() == Approx(3.0 * second).epsilon(1e-7));
  CHECK(run.at(1.0)["sum[0]"] == Approx(2.0 * first + 3.0 * second).epsilon(1e-7));
}

TEST_CASE("Boolean variables are conditions", "[language]") {
  const auto run = simulate<Switches>();
  CHECK(run["seen"].back() == 1.0);
  CHECK(run["m"].back() == 3.0);
  CHECK(run["n"].back() == -2.0);
  CHECK(run["level"].back() == 2.5);  // doubled at the start, where on is false
  CHECK(run["x"].back() == Approx(3.0).epsilon(1e-8));
  std::vector<std::string> names;
  const NativeModel<Switches> model{"Switches"};
  for (std::size_t i = 0; i < model.shape().indicators; ++i)
    names.push_back(model.indicator_name(i));
  CHECK(names == std::vector<std::string>{"on && x > 2", "x > 1", "on", "on && x > 1.5", "!on"});
}

TEST_CASE("a model ends its run for a reason", "[language]") {
  const auto run = simulate<Filling>();
  CHECK(run.outcome() == SimulationResult::Outcome::terminated_by_model);
  CHECK(run.time().back() == Approx(2.5).epsilon(1e-9));
  REQUIRE(run.warnings().size() == 1);
  CHECK(run.warnings()[0].message == "the model ends the run: the tank is full enough");
  CHECK(run.warnings()[0].subject == "terminate()");
  CHECK(run.warnings()[0].time == Approx(2.5).epsilon(1e-9));
  CHECK_THAT(run.summary(), Contains("the tank is full enough"));
}

TEST_CASE("a start value is computed once, at the start", "[language]") {
  const auto run = simulate<Computed>({.start = -3.0, .stop = -2.0, .values = {{"half", 1.5}}});
  CHECK(run["x"].front() == 3.0);
  CHECK(run["x"].back() == Approx(3.0 * std::exp(-1.0)).epsilon(1e-8));
  CHECK(run["starts"].back() == 1.0);
  CHECK(run["later"].back() == 3.0);
}

TEST_CASE("what a model requires holds, or the run fails with its words", "[language]") {
  CHECK_THROWS_WITH(simulate<Filling>({.values = {{"height", 1.5}}}),
                    Contains("at t = 1.5") && Contains("the tank overflows"));
  CHECK_THROWS_WITH(simulate<Filling>({.values = {{"height", -1.0}}}),
                    Contains("a tank has a height"));
}

}  // namespace saltus::test
