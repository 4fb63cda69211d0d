// SPDX-License-Identifier: BSD-2-Clause
// Implicit models for drivers that know nothing of constraints, as those of Model Exchange.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "algebraic_conditions.hpp"
#include "problems/daes/charge_pump.hpp"
#include "problems/daes/transistor_amplifier.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/control/reduced_described_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/modeling/native_model.hpp"

using namespace saltus;
using namespace saltus::modeling;

namespace {

template <template <class> class M>
ReducedDescribedModel explicit_form() {
  return {std::make_unique<NativeModel<M>>("model"),
          {.form = ReductionOptions::Form::explicit_form}};
}

double number(const DescribedModel& model, const std::string& name) {
  std::size_t i = 0;
  while (model.variables()[i].name != name) {
    ++i;
  }
  return model.number(i);
}

/// x = 1 - t and z = 1, which nothing determines at t = 1.
template <class Real>
struct VanishingCoefficient {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z", {.start = 1.0}};
  void equations(Equations<Real>& eq) {
    der(x) = -z;
    eq((1.0 - eq.time) * z, x);
  }
};

/// Charge moves from one place to another; the voltage says where it is. Only a derivative of the
/// second and third equations contains that of the voltage.
template <class Real>
struct SharedCharge {
  State<Real> here{"here"}, there{"there"};
  Algebraic<Real> v{"v"};
  void equations(Equations<Real>& eq) {
    eq(der(here) + der(there), 0.0);
    eq(here, v + v * v * v);
    eq(there, eq.time - 2.0 * v);
  }
};

/// Hides that the model could be kept on its constraints.
class Unprojected : public ModelDecorator {
 public:
  using ModelDecorator::ModelDecorator;
  bool projects() const override { return false; }
};

class StateEvents : public Observer {
 public:
  void sample(double, Moment) override {}
  void event(const EventRecord& record) override {
    if (record.kind == EventKind::state) times.push_back(record.time);
  }
  std::vector<double> times;
};

}  // namespace

TEST_CASE("The nearest consistent point is that of the given states, wherever the last one was") {
  ReducedDescribedModel model = explicit_form<SharedCharge>();
  std::vector<double> y(2), yp(2);
  model.initialize({.stop = 1.0, .tolerance = 1e-6}, y);
  REQUIRE_FALSE(model.update_discrete_states(0.0, y).iterate);
  model.enter_continuous_mode(0.0, y);
  for (const double v : {0.3, -0.25, 0.5}) {
    const double t = 0.5 + v;
    REQUIRE(model.derivatives(t, std::vector{v + v * v * v, t - 2.0 * v}, yp) == Eval::ok);
    REQUIRE(model.evaluate(t, std::vector{v + v * v * v, t - 2.0 * v}) == Eval::ok);
    CHECK(number(model, "v") == Approx(v).epsilon(1e-12));
    // (1 + 3 v^2) v' + 1 - 2 v' = 0
    const double rate = 1.0 / (1.0 - 3.0 * v * v);
    CHECK(yp[0] == Approx((1.0 + 3.0 * v * v) * rate).epsilon(1e-11));
    CHECK(yp[1] == Approx(1.0 - 2.0 * rate).epsilon(1e-11));
  }
}

TEST_CASE("No driver is led past a point where the equations are singular") {
  // In three steps, or in hundreds.
  const double tolerance = GENERATE(1e-3, 1e-6, 1e-10), longest = GENERATE(10.0, 0.01);
  ReducedDescribedModel model = explicit_form<VanishingCoefficient>();
  DormandPrince integrator(model, {.relative_tolerance = tolerance, .max_step = longest});
  IntegratedModel system(model, integrator);
  ModeController controller(system);
  CHECK_THROWS_WITH(controller.run({.stop = 2.0, .tolerance = tolerance}),
                    Catch::Contains("singular near t = "));
}

TEST_CASE("Charge pump: a driver that never projects finds every region of the transistor once") {
  ReducedDescribedModel model = explicit_form<problems::ChargePump>();
  Unprojected given(model);
  DormandPrince integrator(given, {.relative_tolerance = 1e-6});
  IntegratedModel system(given, integrator);
  ModeController controller(system);
  StateEvents events;
  controller.add(events);
  controller.run({.stop = 1.2e-6, .tolerance = 1e-6});
  // The gate is at the threshold 0.1 ns after each edge begins, or before it ends.
  REQUIRE(events.times.size() == 20);
  for (std::size_t k = 0; k < events.times.size(); ++k) {
    const double period = 120e-9 * static_cast<double>(k / 2);
    const double expected = period + (k % 2 == 0 ? 50.1e-9 : 119.9e-9);
    // In ten periods charges may be off by 1e-5 of their nominal value, so the source by 6e-6 V,
    // and the gate passes a volt in half a nanosecond.
    CHECK(events.times[k] == Approx(expected).margin(1e-14).epsilon(0));
  }
}

namespace {

struct Asked {
  double t, x;
};

std::uint64_t bits_at(ReducedDescribedModel& model, const Asked& at) {
  REQUIRE(model.evaluate(at.t, std::vector{at.x}) == Eval::ok);
  return std::bit_cast<std::uint64_t>(number(model, "z"));
}

}  // namespace

// Eight states with five degrees of freedom, and exponentials of 40 times a voltage.
TEST_CASE("Slopes at points that a solver tries are one value each, also far from the last one") {
  ReducedDescribedModel model = explicit_form<problems::TransistorAmplifier>();
  std::vector<double> y(8), yp(8);
  model.initialize({.stop = 0.2, .tolerance = 1e-6}, y);
  for (bool again = true; again;) again = model.update_discrete_states(0.0, y).iterate;
  model.enter_continuous_mode(0.0, y);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> aside(-0.15, 0.15);
  std::vector<std::vector<double>> points, first;
  for (int k = 0; k < 40; ++k) {
    points.push_back(y);
    for (double& u : points.back()) u += aside(random);
    REQUIRE(model.derivatives(1e-4, points.back(), yp) == Eval::ok);
    first.push_back(yp);
  }
  for (int k = 0; k < 200; ++k) {
    const std::size_t which = random() % points.size();
    if (k % 7 == 0) {
      model.restore(model.save());
    }
    REQUIRE(model.derivatives(1e-4, points[which], yp) == Eval::ok);
    REQUIRE(yp == first[which]);
  }
}

// A method of several steps begins again with its first order after an event: where each step or
// two ends in one, it never leaves that.
TEST_CASE("A driver whose steps err by the tolerance is seldom asked back to the constraint") {
  constexpr double kTolerance = 1e-4, kStep = 3e-3;
  constexpr int kSteps = 100;
  ReducedDescribedModel model = explicit_form<SharedCharge>();
  std::vector<double> y(2), yp(2);
  model.initialize({.stop = 1.0, .tolerance = kTolerance}, y);
  REQUIRE_FALSE(model.update_discrete_states(0.0, y).iterate);
  model.enter_continuous_mode(0.0, y);
  int events = 0;
  for (int step = 1; step <= kSteps; ++step) {
    REQUIRE(model.derivatives(kStep * (step - 1), y, yp) == Eval::ok);
    const double t = kStep * step;
    y[0] += kStep * yp[0] + kTolerance;
    y[1] += kStep * yp[1];
    // What is read is on the constraint all the same, and not far from what was given.
    REQUIRE(model.evaluate(t, y) == Eval::ok);
    const double v = number(model, "v"), here = number(model, "here");
    CHECK(here == Approx(v + v * v * v).margin(1e-12));
    CHECK(number(model, "there") == Approx(t - 2.0 * v).margin(1e-12));
    CHECK(std::abs(here - y[0]) <= 11.0 * kTolerance);
    if (model.completed_step(t, y).enter_event_mode) {
      ++events;
      model.enter_event_mode(t, y);
      while (model.update_discrete_states(t, y).iterate) {
      }
      model.enter_continuous_mode(t, y);
      CHECK(y[1] == Approx(t - 2.0 * number(model, "v")).margin(kTolerance));
    }
  }
  CHECK(events > 0);
  CHECK(events <= kSteps / 10);
}

TEST_CASE("The algebraics of a point are one value, whoever asks and in which order") {
  ReducedDescribedModel model = explicit_form<test::LogarithmCount>();
  std::vector<double> y(1), yp(1);
  model.initialize({.stop = 2.0, .tolerance = 1e-6}, y);
  REQUIRE_FALSE(model.update_discrete_states(0.0, y).iterate);
  model.enter_continuous_mode(0.0, y);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> anywhere(0.1, 2.0);
  for (int step = 1; step <= 5; ++step) {
    std::vector<Asked> points;
    std::vector<std::uint64_t> first;
    for (int k = 0; k < 40; ++k) {
      points.push_back({anywhere(random), anywhere(random)});
      first.push_back(bits_at(model, points.back()));
    }
    for (int k = 0; k < 200; ++k) {
      const std::size_t which = random() % points.size();
      if (k % 3 == 0) {
        // Somewhere that Newton's method reaches with pains, or not at all.
        static_cast<void>(model.derivatives(1.0, std::vector{k % 2 == 0 ? 1e-30 : -1.0}, yp));
      }
      if (k % 7 == 0) {
        model.restore(model.save());
      }
      REQUIRE(bits_at(model, points[which]) == first[which]);
    }
    y = {std::exp(-0.2 * step)};
    static_cast<void>(model.completed_step(0.2 * step, y));
  }
}
