// SPDX-License-Identifier: BSD-2-Clause
// Functions that jump: floor, fmod and their kind.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "saltus/gradient.hpp"
#include "saltus/simulation.hpp"
#include "step_models.hpp"

namespace saltus::test {
namespace {

using Catch::Contains;

template <class Real>
struct StepsAlone {
  static constexpr ModelInfo info = Steps<Real>::info;
  State<Real> x{"x"};
  State<Real> v{"v", {.start = 2.4}};
  State<Real> near{"near"};
  State<Real> above{"above"};
  Parameter<Real> m{"m", {.start = 1.0}};
  void equations(Equations<Real>&) {
    der(x) = v;
    der(v) = -x;
    der(above) = mod(x, m);
    der(near) = x > 0.0 ? remainder(x, m) : Real(0.0);
  }
};

// All of them in one place, at what the values of a parameter say.
template <class Real>
struct Values {
  static constexpr ModelInfo info{.stop = 1.0};
  State<Real> x{"x"};
  Parameter<Real> at{"at", {.start = 0.0}}, m{"m", {.start = 1.0}};
  Output<Real> floors{"floors"}, ceils{"ceils"}, truncs{"truncs"}, rounds{"rounds"}, rints{"rints"},
      fmods{"fmods"}, mods{"mods"}, remainders{"remainders"};
  void equations(Equations<Real>&) {
    der(x) = 0.0;
    floors = std::floor(at);
    ceils = std::ceil(at);
    truncs = std::trunc(at);
    rounds = std::round(at);
    rints = std::rint(at);
    fmods = std::fmod(at, m);
    mods = mod(at, m);
    remainders = std::remainder(at, m);
  }
};

template <class Real>
struct Stuck {
  static constexpr ModelInfo info{.stop = 3.0, .tolerance = 1e-9};
  State<Real> x{"x"};
  void equations(Equations<Real>& eq) { der(x) = 0.3 - sin(eq.time) * floor(x + 0.2 * eq.time); }
};

// Each of several clocks has its own beginning.
template <class Real>
struct Clocks {
  static constexpr ModelInfo info{.stop = 3.0, .tolerance = 1e-10};
  States<Real> area{"area", 4};
  void equations(Equations<Real>& eq) {
    for (std::size_t i = 0; i < area.size(); ++i) {
      der(area[i]) = fmod(eq.time + 0.2 * static_cast<double>(i), 1.0);
    }
  }
};
template <class Real>
struct Saw {
  Parameter<Real> shift{"shift", {.start = 0.0}};
  Output<Real> y{"y"};
  void equations(Equations<Real>& eq) { y = eq.time - shift - floor(eq.time - shift); }
};
template <class Real>
struct TwoSaws {
  static constexpr ModelInfo info{.stop = 2.0, .tolerance = 1e-10};
  Submodel<Saw<Real>> one{"one"}, other{"other", {{"shift", 0.25}}};
  State<Real> area{"area"};
  void equations(Equations<Real>& eq) {
    one.equations(eq);
    other.equations(eq);
    der(area) = one.y * other.y;
  }
};

// Behind an equation that has to be solved: z is what jumps, of x = 1.5 t.
template <class Real>
struct Implied {
  static constexpr ModelInfo info{.stop = 2.6, .tolerance = 1e-9};
  State<Real> x{"x"}, area{"area"};
  Algebraic<Real> z{"z"};
  void equations(Equations<Real>& eq) {
    const Real rest = fmod(x, 1.0);
    der(x) = 1.5;
    der(area) = z;
    eq(z * (1.0 + z * z), rest * (1.0 + rest * rest));
  }
};

template <class Real>
struct CountsInBodies {
  static constexpr ModelInfo info{.stop = 3.5};
  State<Real> x{"x"};
  Discrete<Real> rest{"rest"};
  Discrete<int> near{"near"};
  void equations(Equations<Real>&) { der(x) = 0.7; }
  void events(Events<Real>& ev) {
    if (ev.every(1.0)) {
      rest = fmod(x, 0.5);
      near = round(x);
    }
  }
};

template <class Real>
struct WaitsForJump {
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.when(fmod(x, 1.0) > 0.5)) ev.terminate();
  }
};
template <class Real>
struct DividesByNothing {
  State<Real> x{"x"};
  Parameter<Real> m{"m", {.start = 1.0}};
  void equations(Equations<Real>&) { der(x) = 1.0 + fmod(x, m); }
};
template <class Real>
struct Delayed {
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = -delay(x, 1.0); }
};

}  // namespace

TEST_CASE("functions that jump have their events and their areas", "[steps]") {
  const auto run = simulate<Steps>();
  const StepsTruth truth;
  CHECK(run.warnings().empty());
  CHECK(run["rest"].back() == Approx(truth.rest).margin(1e-8));
  CHECK(run["above"].back() == Approx(truth.above).epsilon(1e-8));
  CHECK(run["near"].back() == Approx(truth.near).epsilon(1e-8));
  CHECK(run["branch"].back() == Approx(truth.branch).epsilon(1e-8));
  CHECK(run["saw"].back() == Approx(truth.saw).epsilon(1e-8));
  CHECK(run["phase"].back() == Approx(truth.phase).epsilon(1e-8));
  for (const double t : truth.events) {
    const auto near = [&](const auto& event) { return std::fabs(event.time - t) < 1e-7; };
    INFO("event at " << t);
    CHECK(std::any_of(run.events().begin(), run.events().end(), near));
  }
  for (int i = 1; i < 60; ++i) {
    const double t = 0.1 * i, x = 2.4 * std::sin(t);
    if (std::fabs(std::fabs(x) - 0.5) < 1e-6 || std::fabs(std::fabs(x) - 1.5) < 1e-6) continue;
    CHECK(run.at(t)["rounded"] == std::round(x));
  }
}

TEST_CASE("what jumps is differentiated through its jumps", "[steps]") {
  for (const double m : {1.0, 1.1, -0.7}) {
    const StepsTruth truth(std::fabs(m));
    const auto run = simulate<StepsAlone>({.values = {{"m", m}}, .sensitivities = {"m"}});
    INFO("m = " << m);
    CHECK(run.warnings().empty());
    // mod has the sign of m.
    CHECK(run["above"].back() == Approx(m * std::numbers::pi).epsilon(1e-8));
    CHECK(run["d(above)/d(m)"].back() == Approx(truth.above_by_m).epsilon(1e-6));
    if (m < 0.0) continue;
    CHECK(run["near"].back() == Approx(truth.near).epsilon(1e-8).margin(1e-8));
    const double by_half = m == 1.1 || m == 1.0 ? truth.near_by_m : 0.0;
    CHECK(run["d(near)/d(m)"].back() == Approx(by_half).epsilon(1e-6));
    const auto backwards = gradient<StepsAlone>("near", {"m"}, {.values = {{"m", m}}});
    CHECK(backwards.by()[0] == Approx(by_half).epsilon(1e-5));
  }
}

TEST_CASE("functions that jump give what those of C++ give", "[steps]") {
  std::mt19937 random(7);
  std::vector<std::pair<double, double>> points;
  for (const double at :
       {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.5, -2.5, 0.3, 0.30000000000000004}) {
    for (const double m : {1.0, -1.0, 0.1, 2.5}) points.emplace_back(at, m);
  }
  std::uniform_real_distribution<double> numbers(-50.0, 50.0);
  for (int i = 0; i < 40; ++i) points.emplace_back(numbers(random), 0.1 * numbers(random));
  for (const auto& [at, m] : points) {
    const auto run = simulate<Values>({.values = {{"at", at}, {"m", m}}});
    INFO("at " << at << " with " << m);
    CHECK(run["floors"].back() == std::floor(at));
    CHECK(run["ceils"].back() == std::ceil(at));
    CHECK(run["truncs"].back() == std::trunc(at));
    CHECK(run["rounds"].back() == std::round(at));
    CHECK(run["rints"].back() == std::rint(at));
    CHECK(run["fmods"].back() == std::fmod(at, m));
    CHECK(run["remainders"].back() == std::remainder(at, m));
    const double rest = run["mods"].back();
    CHECK((rest == 0.0 || (rest < 0.0) == (m < 0.0)));
    CHECK(std::fabs(rest) <= std::fabs(m));
    CHECK(std::fabs(std::remainder(at - rest, m)) <= 1e-13 * (1.0 + std::fabs(at)));
  }
}

TEST_CASE("a motion slides along a jump", "[steps]") {
  const auto run = simulate<Stuck>();
  REQUIRE(run.events().size() == 2);
  CHECK(run.events()[0].time == Approx(2.0).epsilon(1e-9));
  CHECK(run.events()[0].conditions.front() == "floor(x + 0.2*time) jumps");
  CHECK(run.events()[1].time == Approx(5.0 * std::numbers::pi / 6.0).epsilon(1e-8));
  CHECK(run.at(2.5)["x"] == Approx(0.5).epsilon(1e-8));
}

TEST_CASE("each call holds a whole number of its own", "[steps]") {
  const auto run = simulate<Clocks>();
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(run["area[" + std::to_string(i) + "]"].back() == Approx(1.5).epsilon(1e-9));
  }
  const auto saws = simulate<TwoSaws>();
  // Twice the integral over one period of t (t + 0.75) before 0.25, and of t (t - 0.25) after that.
  const double period = 1.0 / 3.0 - 0.125 + std::pow(0.25, 2) / 2.0;
  CHECK(saws["area"].back() == Approx(2.0 * period).epsilon(1e-9));
  CHECK(saws.at(1.1)["other.y"] == Approx(0.85).epsilon(1e-12));
}

TEST_CASE("what jumps may stand in an equation that is solved", "[steps]") {
  const auto run = simulate<Implied>();
  CHECK(run.events().size() == 3);
  CHECK(run["area"].back() == Approx((1.5 + 0.5 * 0.81) / 1.5).epsilon(1e-8));
  CHECK(run["z"].back() == Approx(0.9).epsilon(1e-7));
}

TEST_CASE("in bodies the values of the moment count", "[steps]") {
  const auto run = simulate<CountsInBodies>();
  CHECK(run["rest"].back() == Approx(0.1).epsilon(1e-6));
  CHECK(run["near"].back() == 2.0);
  CHECK(run.events().size() == 3);
}

TEST_CASE("whole numbers of jumps are saved and restored", "[steps]") {
  NativeModel<Saw> model("saw");
  std::vector<double> none;
  const auto go_to = [&](double t) {
    model.enter_event_mode(t, none);
    while (model.update_discrete_states(t, none).iterate) {
    }
    model.enter_continuous_mode(t, none);
  };
  const auto shown = [&](double t) {
    REQUIRE(model.evaluate(t, none) == Eval::ok);
    return model.number(1);
  };
  REQUIRE(model.variables()[1].name == "y");
  model.initialize({}, none);
  go_to(2.25);
  CHECK(shown(2.5) == 0.5);
  const auto saved = model.save();
  go_to(7.25);
  CHECK(shown(7.5) == 0.5);
  CHECK(shown(2.5) == -4.5);
  model.restore(saved);
  CHECK(shown(2.5) == 0.5);
}

TEST_CASE("what a jump cannot be asked for is told", "[steps]") {
  CHECK_THROWS_WITH(NativeModel<WaitsForJump>("m"),
                    Contains("'fmod(x, 1) > 0.5' jumps by itself") && Contains("Local"));
  CHECK_THROWS_WITH(simulate<DividesByNothing>({.stop = 1.0, .values = {{"m", 0.0}}}),
                    Contains("m = 0"));
  CHECK_THROWS_WITH(NativeModel<Delayed>("m"), Contains("delay(x, 1): a model does not keep"));
}

}  // namespace saltus::test
