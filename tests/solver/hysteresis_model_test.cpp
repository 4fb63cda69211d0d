// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/switching/hysteresis_model.hpp"

#include <catch2/catch.hpp>

#include "problems.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/relation.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/events/trajectory.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;

// Two masses that rub on each other, one of them driven: the stick-slip example of GESDA. At equal
// speeds both friction laws push back to equal speeds.
template <class Real>
struct StickSlipPair {
  State<Real> v1{"v1"};
  State<Real> v2{"v2"};
  void equations(Equations<Real>& eq) {
    const Real friction = v1 - v2 >= 0.0 ? Real(0.4) : Real(-0.4);
    der(v1) = sin(eq.time) - friction;
    der(v2) = friction;
  }
};

struct Run {
  explicit Run(Model& model, IntegratorOptions options = {})
      : integrator(model, options), system(model, integrator), trajectory(system) {}
  RunResult to(double stop) {
    ModeController controller(system);
    controller.add(trajectory);
    return controller.run({.stop = stop});
  }
  const std::vector<Trajectory::Event>& events() const { return trajectory.events(); }
  DormandPrince integrator;
  IntegratedModel system;
  Trajectory trajectory;
};

// x' = -1 while x is positive, 1 else, decided by x itself: it chatters around zero.
struct Relay : FunctionModel {
  explicit Relay(double start) : FunctionModel({start}), positive(0.0, start > 0.0) {
    f = [this](double, ConstVec, Vec yp) { yp[0] = positive.holds() ? -1.0 : 1.0; };
    z = {[](double, ConstVec y) { return y[0]; }};
    update = [this](double t, Vec y) {
      const bool flipped = positive.update(y[0]);
      if (flipped) switches.push_back(t);
      return EventUpdate{.iterate = flipped};
    };
  }
  Relation positive;
  std::vector<double> switches;
};

}  // namespace

// Closed forms to forty digits: between switches the relative speed is a cosine and a line.
TEST_CASE("a stick-slip pair within a band switches exactly as often as it should",
          "[HysteresisModel]") {
  struct Case {
    double band;
    std::size_t switches;
  };
  const auto [band, switches] =
      GENERATE(Case{0.003, 395}, Case{0.001, 1181}, Case{0.01, 119}, Case{0.03, 39});
  NativeModel<StickSlipPair> pair("StickSlipPair");
  HysteresisModel model(pair, {.band = {band}});
  const double tolerance = GENERATE(1e-6, 1e-9);
  Run run(model, {.relative_tolerance = tolerance});
  CHECK(run.to(10.0).events == switches);
}

TEST_CASE("switches within a band come at the times of the closed form", "[HysteresisModel]") {
  NativeModel<StickSlipPair> pair("StickSlipPair");
  HysteresisModel model(pair, {.band = {0.003}});
  const double tolerance = 1e-9;
  Run run(model, {.relative_tolerance = tolerance});
  run.to(10.0);
  struct Switch {
    std::size_t number;
    double time;
  };
  REQUIRE(run.events().size() == 395);
  for (const auto& [number, time] :
       {Switch{1, 0.0037588304937785641165}, Switch{2, 0.01118940999399130319},
        Switch{3, 0.018832824497806527777}, Switch{4, 0.026127848960024493487},
        Switch{5, 0.033920253735806095104}, Switch{6, 0.041084488436532414489},
        Switch{79, 2.8975639294927681649}, Switch{188, 6.0327744479799747836},
        Switch{299, 9.1809108063768472550}, Switch{395, 9.9953317363638579605}}) {
    INFO("switch " << number);
    CHECK(run.events()[number - 1].time == Approx(time).epsilon(0).margin(10 * tolerance));
  }
  CHECK(run.system.unknowns()[0] == Approx(0.918637829017327598).margin(10 * tolerance));
  CHECK(run.system.unknowns()[1] == Approx(0.92043370005912485426).margin(10 * tolerance));
}

TEST_CASE("each indicator has its own band", "[HysteresisModel]") {
  FunctionModel inner({0.0});
  inner.f = [](double, ConstVec, Vec yp) { yp[0] = 1.0; };
  inner.z = {[](double, ConstVec y) { return y[0] - 0.25; },
             [](double, ConstVec y) { return 0.5 - y[0]; }};
  HysteresisModel model(inner, {.band = {0.125, 0.25}});
  Run run(model);
  run.to(1.0);
  REQUIRE(run.events().size() == 2);
  CHECK(run.events()[0].time == Approx(0.375));
  CHECK(run.events()[0].indicators == std::vector<std::size_t>{0});
  CHECK(run.events()[1].time == Approx(0.75));
  CHECK(run.events()[1].indicators == std::vector<std::size_t>{1});
}

TEST_CASE("a dwell keeps the switches of an indicator apart", "[HysteresisModel]") {
  Relay relay(0.5);
  HysteresisModel model(relay, {.dwell = 0.125});
  Run run(model);
  run.to(1.6);
  // Zero is met at 0.5; each later switch waits for the end of a dwell, 0.125 beyond zero or at it.
  REQUIRE(relay.switches.size() == 9);
  for (std::size_t k = 0; k < relay.switches.size(); ++k) {
    CHECK(relay.switches[k] == Approx(0.5 + 0.125 * static_cast<double>(k)));
  }
  for (const auto& point : run.trajectory.points()) {
    CHECK(std::fabs(point.y[0]) <= (point.time < 0.5 ? 0.5 : 0.125 + 1e-9));
  }
}

TEST_CASE("the wrapped model learns nothing of a dwell that ends without an event",
          "[HysteresisModel]") {
  Relay relay(0.5);
  relay.f = [](double, ConstVec, Vec yp) { yp[0] = -1.0; };  // once through zero and away
  HysteresisModel model(relay, {.dwell = 0.125});
  Run run(model);
  run.to(1.0);
  REQUIRE(run.events().size() == 2);
  CHECK(run.events()[0].kind == EventKind::state);
  CHECK(run.events()[1].kind == EventKind::time);
  CHECK(run.events()[1].time == run.events()[0].time + 0.125);
  CHECK(relay.event_modes == 1);
  CHECK(run.system.unknowns()[0] == Approx(-0.5));
}

TEST_CASE("announcements of the wrapped model are kept through a dwell", "[HysteresisModel]") {
  Relay relay(0.5);
  relay.f = [](double, ConstVec, Vec yp) { yp[0] = -1.0; };
  relay.update = [&](double t, Vec) {
    return EventUpdate{.next_event_time = t < 0.75 ? 0.75 : kNever};
  };
  HysteresisModel model(relay, {.dwell = 0.125});
  Run run(model);
  run.to(1.0);
  REQUIRE(run.events().size() == 3);
  CHECK(run.events()[1].time == Approx(0.625));
  CHECK(run.events()[2].time == 0.75);
  CHECK(relay.event_modes == 2);
}

TEST_CASE("without band and dwell nothing changes", "[HysteresisModel]") {
  FunctionModel inner({0.0, 1.0});
  inner.f = harmonic_slope;
  inner.z = {[](double, ConstVec y) { return y[0]; }};
  HysteresisModel model(inner, {});
  Run plain(inner);
  Run wrapped(model);
  CHECK(plain.to(20.0).events == wrapped.to(20.0).events);
  for (std::size_t k = 0; k < plain.events().size(); ++k) {
    CHECK(plain.events()[k].time == wrapped.events()[k].time);
  }
}

TEST_CASE("bands and dwells that mean nothing are refused", "[HysteresisModel]") {
  Relay relay(0.5);
  CHECK_THROWS_WITH(HysteresisModel(relay, {.band = {0.1, 0.2}}),
                    Catch::Contains("2 bands for 1 indicators"));
  CHECK_THROWS_AS(HysteresisModel(relay, {.band = {-1.0}}), std::invalid_argument);
  CHECK_THROWS_AS(HysteresisModel(relay, {.dwell = -1.0}), std::invalid_argument);
}

}  // namespace saltus::test
