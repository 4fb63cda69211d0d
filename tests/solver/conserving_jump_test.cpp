// SPDX-License-Identifier: BSD-2-Clause
// What differentiated unknowns do where a switch leaves them no way to keep their values.
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::conserving_jump_test {

using namespace modeling;
using Form = ReductionOptions::Form;
using After = ReductionOptions::Start;

/// Two inertias and a clutch between them that closes at t = 1; the second one drives a wheel.
template <class Real>
struct Clutch {
  State<Real> w1{"w1", {.start = 4.0}}, w2{"w2"}, wheel{"wheel"};
  Algebraic<Real> torque{"torque"}, grip{"grip"};
  Parameter<Real> J1{"J1", {.start = 1.0}}, J2{"J2", {.start = 2.0}}, J3{"J3", {.start = 1.0}};
  Discrete<bool> closed{"closed"};
  void equations(Equations<Real>& eq) {
    eq(J1 * der(w1), -torque);
    eq(J2 * der(w2), torque - grip);
    eq(J3 * der(wheel), grip);
    eq(wheel, w2);
    if (closed) {
      eq(w1, w2);
    } else {
      eq(torque, 0.0);
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(ev.time >= 1.0)) closed = true;
  }
};

/// Two capacitors that a switch connects at t = 1, without a resistor between them.
template <class Real>
struct Capacitors {
  State<Real> q1{"q1", {.start = 6.0}}, q2{"q2"};
  Algebraic<Real> v1{"v1"}, v2{"v2"}, i{"i"};
  Discrete<bool> connected{"connected"};
  void equations(Equations<Real>& eq) {
    der(q1) = -i;
    der(q2) = i;
    eq(q1, 1.0 * v1);
    eq(q2, 3.0 * v2 + v2 * v2 * v2);
    if (connected) {
      eq(v1, v2);
    } else {
      eq(i, 0.0);
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(ev.time >= 1.0)) connected = true;
  }
};

/// A pendulum that a wall throws back: the event knows of one velocity, the rod takes care of the
/// other.
template <class Real>
struct WallPendulum {
  State<Real> x{"x", {.start = 1.0}}, y{"y"}, u{"u"}, v{"v"};
  Algebraic<Real> force{"force"};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = v;
    der(u) = -force * x;
    der(v) = -force * y - 9.81;
    eq(x * x + y * y, 1.0);
  }
  void events(Events<Real>& ev) {
    if (ev.when(x < 0.5)) u = -0.5 * u;
  }
};

template <class Solver, template <class> class Description>
std::vector<double> end_of_run(ReductionOptions options) {
  NativeModel<Description> model{"Model"};
  ReducedModel reduced{model, std::move(options)};
  Solver solver{reduced, {.relative_tolerance = 1e-9, .absolute_tolerance = 1e-9}};
  IntegratedModel system{reduced, solver};
  ModeController{system}.run({.stop = 2.0, .tolerance = 1e-9});
  return {system.unknowns().begin(), system.unknowns().end()};
}

TEST_CASE("Jumps may conserve what the equations conserve", "[dae]") {
  const Form form = GENERATE(Form::implicit_form, Form::explicit_form);
  const auto speeds = [&](std::optional<After> after, std::vector<std::string> fixed) {
    const ReductionOptions options{.form = form, .after_event = after, .fixed = std::move(fixed)};
    std::vector<double> y = form == Form::implicit_form
                                ? end_of_run<Radau, Clutch>(options)
                                : end_of_run<DormandPrince, Clutch>(options);
    y.resize(3);
    return y;
  };
  for (const double speed : speeds({}, {})) {
    CHECK(speed == Approx(1.0 * 4.0 / (1.0 + 2.0 + 1.0)).epsilon(1e-10));
  }
  for (const double speed : speeds(After::nearest, {})) {
    CHECK(speed == Approx((4.0 + 0.0 + 0.0) / 3.0).epsilon(1e-10));
  }
  // Whoever holds the wheel takes up all momentum; who holds the first inertia keeps its speed.
  for (const double speed : speeds({}, {"wheel"})) {
    CHECK(speed == Approx(0.0).margin(1e-10));
  }
  for (const double speed : speeds({}, {"w1"})) {
    CHECK(speed == Approx(4.0).epsilon(1e-10));
  }
}

TEST_CASE("Charge is conserved by a switch", "[dae]") {
  const std::vector<double> y = end_of_run<Radau, Capacitors>({});
  CHECK(y[0] + y[1] == Approx(6.0).epsilon(1e-12));
  CHECK(y[2] == Approx(y[3]).epsilon(1e-12));
  CHECK(4.0 * y[2] + std::pow(y[2], 3) == Approx(6.0).epsilon(1e-10));
}

TEST_CASE("An event that sets a velocity leaves positions where they are", "[dae]") {
  struct AfterEvent : Observer {
    const IntegratedModel* system = nullptr;
    std::vector<double> left, right;
    void sample(double, Moment moment) override {
      const ConstVec y = system->unknowns();
      if (moment == Moment::before_event && right.empty()) left.assign(y.begin(), y.end());
      if (moment == Moment::after_event && right.empty()) right.assign(y.begin(), y.end());
    }
  } seen;
  NativeModel<WallPendulum> model{"Model"};
  ReducedModel reduced{model};
  Radau solver{reduced, {.relative_tolerance = 1e-9, .absolute_tolerance = 1e-9}};
  IntegratedModel system{reduced, solver};
  seen.system = &system;
  ModeController controller{system};
  controller.add(seen);
  controller.run({.stop = 0.6, .tolerance = 1e-9});
  REQUIRE(seen.right.size() >= 4);
  CHECK(seen.right[0] == Approx(0.5).epsilon(1e-8));
  CHECK(seen.right[1] == Approx(-std::sqrt(0.75)).epsilon(1e-8));
  // (u, v) becomes (-u/2, v), and the rod's impulse along (x, y) takes away what leaves the circle.
  const double x = seen.left[0], y = seen.left[1], u = -0.5 * seen.left[2], v = seen.left[3];
  const double along = x * u + y * v;
  CHECK(seen.right[2] == Approx(u - along * x).epsilon(1e-7));
  CHECK(seen.right[3] == Approx(v - along * y).epsilon(1e-7));
}

/// A ball on a string that becomes slack on its way up, flies, and is caught by the string. The
/// string is taken to be taut again when it is a little longer than it can be.
template <class Real>
struct StringPendulum {
  State<Real> x{"x"}, y{"y", {.start = -1.0}}, u{"u", {.start = 5.5}}, v{"v"};
  Algebraic<Real> force{"force"};
  Parameter<Real> late{"late", {.start = 1e-6}};
  Discrete<bool> taut{"taut", {.start = true}};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = v;
    der(u) = -force * x;
    der(v) = -force * y - 9.81;
    if (taut) {
      eq(x * x + y * y, 1.0);
    } else {
      eq(force, 0.0);
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(taut && force < 0.0)) taut = false;
    if (ev.when(!taut && x * x + y * y > 1.0 + late)) taut = true;
  }
};

template <class Solver>
void catch_string(Form form, double tolerance, double late) {
  struct Caught : Observer {
    const IntegratedModel* system = nullptr;
    std::vector<double> after;
    int events = 0;
    void sample(double, Moment moment) override {
      events += moment == Moment::after_event ? 1 : 0;
      if (moment != Moment::after_event || events != 2) return;
      after.assign(system->unknowns().begin(), system->unknowns().end());
    }
  } seen;
  NativeModel<StringPendulum> model{"StringPendulum"};
  std::size_t parameter = 0;
  while (model.variables()[parameter].name != "late") ++parameter;
  model.set_number(parameter, late);
  ReducedModel reduced{model, {.form = form}};
  Solver solver{reduced, {.relative_tolerance = tolerance}};
  IntegratedModel system{reduced, solver};
  seen.system = &system;
  ModeController controller{system};
  controller.add(seen);
  controller.run({.stop = 2.0, .tolerance = tolerance});
  REQUIRE(seen.after.size() >= 4);
  // Slack where the speed is such that gravity alone bends the path as the circle does; from there
  // the distance to the centre is 1 again after 4 v / g.
  const double g = 9.81, y0 = (5.5 * 5.5 - 2.0 * g) / (3.0 * g), x0 = std::sqrt(1.0 - y0 * y0);
  const double speed = std::sqrt(g * y0), u = -speed * y0, v = speed * x0, flight = 4.0 * v / g;
  const double x = x0 + u * flight, y = y0 + v * flight - 0.5 * g * flight * flight;
  const double along = x * u + y * (v - g * flight);
  const std::vector<double> exact{x, y, u - along * x, v - g * flight - along * y};
  const double margin = 100.0 * tolerance + 5.0 * late;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    CHECK(seen.after[i] == Approx(exact[i]).margin(margin));
  }
  const auto energy = [&](ConstVec at) {
    return 0.5 * (at[2] * at[2] + at[3] * at[3]) + g * at[1];
  };
  CHECK(energy(system.unknowns()) == Approx(energy(exact)).margin(10.0 * margin));
}

TEST_CASE("A string that is taut again leaves the ball where it is, at every tolerance", "[dae]") {
  const double late = GENERATE(1e-9, 1e-6, 1e-3);
  for (int i = 0; i < 100; ++i) {
    const double tolerance = std::pow(10.0, -3.0 - 8.0 * i / 99.0);
    CAPTURE(tolerance, late);
    catch_string<Radau>(Form::implicit_form, tolerance, late);
    catch_string<DormandPrince>(Form::explicit_form, tolerance, late);
  }
}

}  // namespace saltus::conserving_jump_test
