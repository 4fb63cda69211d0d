// SPDX-License-Identifier: BSD-2-Clause
// Events that accumulate, and events that only look as if they did.
#include <catch2/catch.hpp>
#include <memory>
#include <optional>

#include "problems.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/modeling/native_model.hpp"
#include "saltus/simulation.hpp"
#include "scripted_system.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;

// The three ways to write an impact: with the height alone; with a floor that belongs to the
// condition, so that leaving it is an event too; with a kink in the indicator.
enum class Way { below, at, towards };

template <class Real, Way way>
struct BallOf {
  State<Real> h{"h", {.start = 1.0}};
  State<Real> v{"v"};
  Parameter<Real> e{"e", {.start = 0.7}};
  Parameter<Real> g{"g", {.start = 9.81}};
  Parameter<Real> sampling{"sampling", {.start = 1e9}};
  Discrete<int> samples{"samples"};
  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -g;
  }
  void events(Events<Real>& ev) {
    if (hits(ev)) {
      h = 0.0;
      v = -e * v;
    }
    if (ev.every(sampling)) {
      samples = samples + 1;
    }
  }
  bool hits(Events<Real>& ev) {
    if constexpr (way == Way::below) {
      return ev.when(h < 0.0);
    } else if constexpr (way == Way::at) {
      return ev.when(h <= 0.0);
    } else {
      return ev.when(h <= 0.0 && v < 0.0);
    }
  }
};
template <class Real>
using Ball = BallOf<Real, Way::below>;
template <class Real>
using BallAtFloor = BallOf<Real, Way::at>;
template <class Real>
using BallTowardsFloor = BallOf<Real, Way::towards>;

const double kFall = std::sqrt(2.0 / 9.81);
double accumulation(double e) { return kFall * (1.0 + e) / (1.0 - e); }

void set(DescribedModel& model, const char* name, double value) {
  for (std::size_t i = 0; i < model.variables().size(); ++i) {
    if (model.variables()[i].name == name) model.set_number(i, value);
  }
}

std::unique_ptr<DescribedModel> make_ball(Way way) {
  switch (way) {
    case Way::below:
      return std::make_unique<NativeModel<Ball>>("Ball");
    case Way::at:
      return std::make_unique<NativeModel<BallAtFloor>>("Ball");
    default:
      return std::make_unique<NativeModel<BallTowardsFloor>>("Ball");
  }
}

struct Outcome {
  std::optional<EventError> error = std::nullopt;
  std::size_t events = 0;
};
Outcome run(Model& model, double stop, double tolerance = 1e-9) {
  DormandPrince integrator(model, {.relative_tolerance = tolerance});
  IntegratedModel system(model, integrator);
  ModeController controller(system);
  try {
    return {.events = controller.run({.stop = stop}).events};
  } catch (const EventError& error) {
    return {.error = error, .events = 0};
  }
}

// Plays events at these times.
Outcome play(const std::vector<double>& times, double stop,
             const std::vector<std::size_t>& indicators) {
  ScriptedSystem system;
  for (const double t : times) {
    system.arrivals.push_back({.time = t, .why = Stop::event, .indicators = indicators});
  }
  ModeController controller(system);
  try {
    return {.events = controller.run({.stop = stop}).events};
  } catch (const EventError& error) {
    return {.error = error, .events = 0};
  }
}

}  // namespace

TEST_CASE("the accumulation of a ball's bounces is recognised with its time", "[Zeno]") {
  const double e = GENERATE(0.5, 0.7, 0.9, 0.99, 0.999);
  const Way way = GENERATE(Way::below, Way::at, Way::towards);
  const double tolerance = GENERATE(1e-6, 1e-9);
  const auto model = make_ball(way);
  DescribedModel& ball = *model;
  set(ball, "e", e);
  const double expected = accumulation(e);
  const Outcome outcome = run(ball, 2.0 * expected, tolerance);
  INFO("e = " << e << ", way " << static_cast<int>(way) << ", tolerance " << tolerance);
  REQUIRE(outcome.error.has_value());
  CHECK(outcome.error->reason() == EventError::Reason::zeno);
  // The flights are parabolas: what the estimate misses is rounding of times, not the tolerance.
  CHECK(outcome.error->accumulation() == Approx(expected).epsilon(1e-9));
  CHECK(outcome.error->time() <= outcome.error->accumulation());
  CHECK_THAT(outcome.error->what(), Catch::Contains("RestingModel") && Catch::Contains("h <"));
}

TEST_CASE("bounces are exact however strong gravity is", "[Zeno]") {
  // Divided by the tolerances, the largest of these is beyond what numbers can express.
  const double g = GENERATE(1e-200, 1e-3, 1e20, 1e150, 1e300);
  const double tolerance = GENERATE(1e-4, 1e-7, 1e-10);
  const Method method =
      GENERATE(Method::automatic, Method::dormand_prince, Method::radau, Method::adams);
  const double unit = std::sqrt(2.0 / g);
  const double accumulation = unit * (1.0 + 0.7) / (1.0 - 0.7);
  SimulationOptions options{.stop = 0.9 * accumulation,
                            .tolerance = tolerance,
                            .values = {{"g", g}},
                            .report_interval = kNever,
                            .method = method};
  options.values["sampling"] = 2.0 * accumulation;
  INFO("g = " << g << ", tolerance " << tolerance << ", " << to_string(method));
  std::vector<SimulationResult::Event> bounces;
  try {
    bounces = simulate<Ball>(options).events();
  } catch (const IntegrationError& error) {
    // Products of many past steps leave the range of numbers sooner.
    REQUIRE((method == Method::adams && (g < 1e-100 || g > 1e200)));
    CHECK(error.reason() == IntegrationError::Reason::step_too_small);
    return;
  }
  REQUIRE(bounces.size() == 6);
  double expected = unit;
  for (std::size_t i = 0; i < bounces.size(); ++i) {
    CHECK(bounces[i].time == Approx(expected).epsilon(1e-9).margin(0.0));
    expected += 2.0 * unit * std::pow(0.7, static_cast<double>(i + 1));
  }
  options.stop = g > 1.0 ? 1.0 : 10.0 * accumulation;
  try {
    static_cast<void>(simulate<Ball>(options));
    FAIL("no error");
  } catch (const EventError& error) {
    CHECK(error.reason() == EventError::Reason::zeno);
    CHECK(error.accumulation() == Approx(accumulation).epsilon(1e-9).margin(0.0));
  }
}

TEST_CASE("other events in between hide no accumulation", "[Zeno]") {
  NativeModel<Ball> ball("Ball");
  set(ball, "sampling", 0.01);
  const Outcome outcome = run(ball, 5.0);
  REQUIRE(outcome.error.has_value());
  CHECK(outcome.error->accumulation() == Approx(accumulation(0.7)).epsilon(1e-9));
}

TEST_CASE("an accumulation beyond the end of the run is none", "[Zeno]") {
  NativeModel<Ball> ball("Ball");
  CHECK_FALSE(run(ball, accumulation(0.7) * (1.0 - 1e-10)).error.has_value());
}

TEST_CASE("an elastic ball, a thermostat and a clock raise no alarm", "[Zeno]") {
  NativeModel<Ball> ball("Ball");
  set(ball, "e", 1.0);
  const Outcome elastic = run(ball, 2000.0);
  CHECK_FALSE(elastic.error.has_value());
  CHECK(elastic.events > 2000);

  FunctionModel thermostat({15.0});
  bool heats = true;
  thermostat.f = [&](double, ConstVec y, Vec yp) { yp[0] = -0.1 * (y[0] - (heats ? 40.0 : 10.0)); };
  thermostat.z = {[](double, ConstVec y) { return y[0] - 21.0; },
                  [](double, ConstVec y) { return 19.0 - y[0]; }};
  thermostat.update = [&](double, Vec y) {
    const bool before = heats;
    heats = y[0] > 21.0 ? false : y[0] > 19.0 && heats ? true : y[0] < 19.0 || heats;
    return EventUpdate{.iterate = before != heats};
  };
  // 1.000834585569825 on and 2.006706954621512 off, after a first 2.744368457017603.
  const Outcome switched = run(thermostat, 2000.0);
  CHECK_FALSE(switched.error.has_value());
  CHECK(switched.events > 1000);

  set(ball, "e", 0.99);
  set(ball, "sampling", 0.001);
  CHECK_FALSE(run(ball, 10.0).error.has_value());
}

TEST_CASE("gaps that shrink without end raise an alarm, gaps that level off do not", "[Zeno]") {
  const std::vector<std::size_t> indicators =
      GENERATE(std::vector<std::size_t>{}, std::vector<std::size_t>{3});
  const auto times = [](std::size_t count, auto gap) {
    std::vector<double> result;
    double t = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      result.push_back(t += gap(static_cast<double>(k)));
    }
    return result;
  };
  // Towards a constant pace that is as short as what still counts as progress allows.
  for (const double pace : {1e-2, 1e-6, 2e-8}) {
    INFO("pace " << pace);
    const auto slowing = times(2000, [&](double k) { return pace + std::pow(0.5, k); });
    CHECK_FALSE(play(slowing, 30.0, indicators).error.has_value());
  }
  // For a while only.
  const auto pausing = times(300, [](double k) { return std::pow(0.5, static_cast<int>(k) % 15); });
  CHECK_FALSE(play(pausing, 100.0, indicators).error.has_value());
  // The harmonic series has no limit, however small its terms.
  CHECK_FALSE(play(times(100000, [](double k) { return 1.0 / (k + 1.0); }), 100.0, indicators)
                  .error.has_value());
  // Ratios that are not constant but have a limit, as those of a ball that falls through air.
  const auto airy = times(400, [](double k) { return std::pow(0.5, k) * (1.0 + 1.0 / (k + 1.0)); });
  const Outcome outcome = play(airy, 30.0, indicators);
  REQUIRE(outcome.error.has_value());
  CHECK(outcome.error->reason() == EventError::Reason::zeno);
  CHECK(outcome.error->accumulation() == Approx(airy.back()).epsilon(1e-9));
}

TEST_CASE("chattering names the indicators and what to do", "[Zeno]") {
  const Outcome outcome = play(std::vector<double>(2000, 0.5), 1.0, {3, 5});
  REQUIRE(outcome.error.has_value());
  CHECK(outcome.error->reason() == EventError::Reason::chattering);
  CHECK(outcome.error->accumulation() == kNever);
  CHECK_THAT(outcome.error->what(),
             Catch::Contains("\"z3\", \"z5\"") && Catch::Contains("SlidingModel") &&
                 Catch::Contains("HysteresisModel") && Catch::Contains("dwell") &&
                 Catch::Contains("RestingModel"));
}

TEST_CASE("bounces that stop shrinking at the rounding of the height accumulate", "[Zeno]") {
  const double floor = GENERATE(1.0, -3.0, 1e3, 1e6);
  const double e = GENERATE(0.5, 0.7, 0.9);
  FunctionModel ball({floor + 1.0, 0.0});
  ball.f = [](double, ConstVec y, Vec yp) { yp[0] = y[1], yp[1] = -9.81; };
  ball.z = {[=](double, ConstVec y) { return floor - y[0]; }};
  ball.update = [=](double, Vec y) {
    if (!(y[0] < floor)) return EventUpdate{};
    y[0] = floor;
    y[1] = -e * y[1];
    return EventUpdate{.iterate = true, .states_changed = true};
  };
  const Outcome outcome = run(ball, 20.0);
  INFO("floor " << floor << ", e " << e);
  REQUIRE(outcome.error.has_value());
  CHECK(outcome.error->reason() == EventError::Reason::zeno);
  const double limit = std::sqrt(2.0 / 9.81) * (1.0 + e) / (1.0 - e);
  CHECK(outcome.error->accumulation() == Approx(limit).epsilon(1e-4));
}

TEST_CASE("chattering from the very start ends at once", "[Zeno]") {
  const double level = GENERATE(0.0, 1.0, -1e5);
  const double stop = GENERATE(1e-3, 1.0, 1e3, kNever);
  FunctionModel relay({level});
  double side = 1.0;
  relay.f = [&](double, ConstVec, Vec yp) { yp[0] = -side; };
  relay.z = {[=](double, ConstVec y) { return y[0] - level; }};
  relay.update = [&](double, Vec y) {
    const double before = side;
    side = y[0] > level ? 1.0 : -1.0;
    return EventUpdate{.iterate = side != before};
  };
  const Outcome outcome = run(relay, stop);
  INFO("level " << level << ", stop " << stop);
  REQUIRE(outcome.error.has_value());
  // Near zero, where there is no end to small numbers, the gaps shrink at first.
  CHECK((outcome.error->reason() == EventError::Reason::chattering ||
         (level == 0.0 && outcome.error->reason() == EventError::Reason::zeno)));
}

}  // namespace saltus::test
