// SPDX-License-Identifier: BSD-2-Clause
// Models as members of models: their names, how they are connected, and what is refused.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "bridge.hpp"
#include "saltus/simulation.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;
using Catch::Contains;

template <class Real>
struct OneTank {
  State<Real> level{"level", {.unit = "m"}};
  Input<Real> inflow{"inflow", {.unit = "m/s", .start = 0.5}};
  Parameter<Real> rate{"rate", {.unit = "1/s", .start = 1.0, .min = 0.0}};
  Output<Real> outflow{"outflow", {.unit = "m/s"}};
  void equations(Equations<Real>&) {
    outflow = rate * level;
    der(level) = inflow - outflow;
  }
};

template <class Real>
struct TwoTanks {
  static constexpr ModelInfo info{.stop = 3.0, .tolerance = 1e-9};
  Submodel<OneTank<Real>> upper{"upper"};
  Submodel<OneTank<Real>> lower{"lower", {{"level", 2.0}}};
  Input<Real> feed{"feed", {.start = 1.0}};
  Output<Real> out{"out"};
  void equations(Equations<Real>& eq) {
    upper.inflow = feed;
    upper.equations(eq);
    lower.inflow = upper.outflow;
    lower.equations(eq);
    out = lower.outflow;
  }
};

template <class Real>
struct Plant {
  static constexpr ModelInfo info{.stop = 3.0, .tolerance = 1e-9};
  Submodel<TwoTanks<Real>> a{"a", {{"lower.level", 4.0}, {"upper.rate", 2.0}}};
  Submodels<OneTank<Real>> more{"more", 2, {{"level", 1.0}}};
  void equations(Equations<Real>& eq) {
    a.feed = 0.0;
    a.equations(eq);
    more.equations(eq);
  }
};

double of_two_tanks(double t) { return 1.0 - std::exp(-t) - t * std::exp(-t) + 2.0 * std::exp(-t); }

const Variable& variable(const DescribedModel& model, const std::string& name) {
  for (const Variable& v : model.variables()) {
    if (v.name == name) return v;
  }
  throw std::invalid_argument("no variable " + name);
}

// A valve that is told when to open, by a discrete variable from outside.
template <class Real>
struct Valve {
  Discrete<bool> open{"open", {.causality = Variable::Causality::input}};
  Discrete<Real> width{"width", {.start = 1.0, .causality = Variable::Causality::input}};
  Output<Real> flow{"flow"};
  void equations(Equations<Real>&) { flow = open ? width * 2.0 : 0.0; }
};
template <class Real>
struct Overflow {
  static constexpr ModelInfo info{.stop = 2.0, .tolerance = 1e-9};
  Submodel<Valve<Real>> valve{"valve", {{"width", 0.75}}};
  State<Real> level{"level"};
  void equations(Equations<Real>& eq) {
    valve.open = level > 1.0;
    valve.equations(eq);
    der(level) = 1.0 + valve.flow;
  }
};

template <class Real>
struct Unmeasured {
  State<Real> x{"x", {.unit = "m/sss"}};
  void equations(Equations<Real>&) { der(x) = 1.0; }
};
template <class Real>
struct AroundUnmeasured {
  Submodel<Unmeasured<Real>> inner{"inner"};
  void equations(Equations<Real>& eq) { inner.equations(eq); }
};

// Bounces with its own condition, counter and start value.
template <class Real>
struct OneBall {
  State<Real> h{"h", {.unit = "m", .start = 1.0}};
  State<Real> v{"v", {.unit = "m/s"}};
  Discrete<int> bounces{"bounces", {.causality = Variable::Causality::output}};
  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -10.0;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h < 0.0)) {
      h = 0.0;
      v = -v;
      bounces++;
    }
  }
};

template <class Real>
struct Juggler {
  static constexpr ModelInfo info{.stop = 2.0, .tolerance = 1e-9};
  std::array<Submodel<OneBall<Real>>, 2> balls{{{"left"}, {"right", {{"h", 0.2}}}}};
  void equations(Equations<Real>& eq) {
    for (auto& ball : balls) ball.equations(eq);
  }
  void events(Events<Real>& ev) {
    for (auto& ball : balls) ball.events(ev);
  }
};

}  // namespace

TEST_CASE("submodels connected by assignments solve as one system", "[submodels]") {
  const auto run = simulate<TwoTanks>();
  for (const double t : {0.5, 1.0, 2.0, 3.0}) {
    CHECK(run.at(t)["lower.level"] == Approx(of_two_tanks(t)).epsilon(1e-7));
    CHECK(run.at(t)["upper.level"] == Approx(1.0 - std::exp(-t)).epsilon(1e-7));
    CHECK(run.at(t)["out"] == run.at(t)["lower.outflow"]);
    CHECK(run.at(t)["lower.inflow"] == run.at(t)["upper.outflow"]);
  }
}

TEST_CASE("an input that the model assigns is connected, the others stay inputs", "[submodels]") {
  const NativeModel<TwoTanks> model{"TwoTanks"};
  CHECK(variable(model, "upper.inflow").causality == Variable::Causality::local);
  CHECK(variable(model, "feed").causality == Variable::Causality::input);
  CHECK(variable(model, "out").causality == Variable::Causality::output);
  CHECK(variable(model, "upper.outflow").causality == Variable::Causality::local);
  CHECK(variable(model, "der(lower.level)").role == Variable::Role::derivative);
  CHECK(variable(model, "lower.level").unit == "m");
  const NativeModel<Plant> plant{"Plant"};
  CHECK(variable(plant, "more[1].inflow").causality == Variable::Causality::input);
  CHECK(variable(plant, "a.feed").causality == Variable::Causality::local);
  CHECK_THROWS_WITH(simulate<TwoTanks>({.values = {{"upper.inflow", 3.0}}}),
                    Contains("upper.inflow"));
  // As a model of its own.
  const NativeModel<OneTank> tank{"OneTank"};
  CHECK(variable(tank, "inflow").causality == Variable::Causality::input);
  CHECK(variable(tank, "outflow").causality == Variable::Causality::output);
}

TEST_CASE("discrete inputs are connected too", "[submodels]") {
  const NativeModel<Overflow> model{"Overflow"};
  CHECK(variable(model, "valve.open").causality == Variable::Causality::local);
  CHECK(variable(model, "valve.width").causality == Variable::Causality::input);
  const auto run = simulate<Overflow>();
  CHECK(run["level"].back() == Approx(1.0 + 2.5).epsilon(1e-8));
  CHECK(run.at(1.5)["valve.open"] == 1.0);
}

TEST_CASE("a unit in a submodel that is not known is warned of by name", "[submodels]") {
  const auto run = simulate<AroundUnmeasured>();
  REQUIRE(run.warnings().size() == 1);
  CHECK(run.warnings()[0].subject == "inner.x");
}

TEST_CASE("submodels stand in submodels and in arrays", "[submodels]") {
  const auto run = simulate<Plant>({.values = {{"more[1].rate", 3.0}}});
  const double t = 1.5;
  CHECK(run.at(t)["a.upper.level"] == Approx(0.0).margin(1e-12));
  CHECK(run.at(t)["a.lower.level"] == Approx(4.0 * std::exp(-t)).epsilon(1e-7));
  CHECK(run.at(t)["more[0].level"] == Approx(0.5 + 0.5 * std::exp(-t)).epsilon(1e-7));
  CHECK(run.at(t)["more[1].level"] ==
        Approx(0.5 / 3.0 + (1.0 - 0.5 / 3.0) * std::exp(-3.0 * t)).epsilon(1e-7));
  const NativeModel<Plant> plant{"Plant"};
  CHECK(variable(plant, "a.upper.rate").start == 2.0);
}

TEST_CASE("each submodel has its own events, under its name", "[submodels]") {
  const auto run = simulate<Juggler>();
  std::vector<double> left, right;
  for (const auto& event : run.events()) {
    const std::string what = event.conditions.empty() ? "" : event.conditions.front();
    (what == "left.h < 0" ? left : right).push_back(event.time);
    CHECK((what == "left.h < 0" || what == "right.h < 0"));
  }
  const double fall_left = std::sqrt(2.0 * 1.0 / 10.0), fall_right = std::sqrt(2.0 * 0.2 / 10.0);
  REQUIRE(left.size() == 2);
  REQUIRE(right.size() == 5);
  for (std::size_t k = 0; k < left.size(); ++k) {
    CHECK(left[k] == Approx((2.0 * double(k) + 1.0) * fall_left).epsilon(1e-7));
  }
  for (std::size_t k = 0; k < right.size(); ++k) {
    CHECK(right[k] == Approx((2.0 * double(k) + 1.0) * fall_right).epsilon(1e-7));
  }
  CHECK(run["right.bounces"].back() == 5.0);
}

TEST_CASE("a bridge of four diodes charges its capacitor as the closed form says", "[submodels]") {
  const auto run = simulate<Bridge>({.stop = 0.04, .tolerance = 1e-9});
  const BridgeSolution exact(0.04);
  for (int i = 1; i <= 400; ++i) {
    const double t = 1e-4 * i;
    CHECK(run.at(t)["u"] == Approx(exact.at(t)).epsilon(1e-6));
  }
  std::vector<double> times;
  for (const auto& event : run.events()) times.push_back(event.time);
  REQUIRE(times.size() == exact.times().size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    CHECK(times[k] == Approx(exact.times()[k]).epsilon(1e-7));
  }
  CHECK(run.events().front().conditions.front().find("diodes[0].s > 0") != std::string::npos);
}

}  // namespace saltus::test
