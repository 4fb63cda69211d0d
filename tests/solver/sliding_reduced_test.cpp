// SPDX-License-Identifier: BSD-2-Clause
// Sliding where configurations have algebraic unknowns or many surfaces meet, and models around
// models that are told to do nothing.
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/control/reduced_described_model.hpp"
#include "saltus/control/sliding_described_model.hpp"
#include "saltus/core/configurations.hpp"
#include "saltus/core/error.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/events/trajectory.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/modeling/native_model.hpp"
#include "saltus/switching/hysteresis_model.hpp"
#include "saltus/switching/resting_model.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::sliding_reduced_test {
namespace {

using namespace modeling;
constexpr ReductionOptions kExplicit{.form = ReductionOptions::Form::explicit_form};

struct Ended {
  std::vector<double> y;
  RunResult result;
};
template <class Solver = DormandPrince>
Ended run(Model& model, double stop, double tolerance = 1e-8) {
  Solver solver{model, {.relative_tolerance = tolerance}};
  IntegratedModel system{model, solver};
  RunResult result = ModeController{system}.run({.stop = stop, .tolerance = tolerance});
  return {{system.unknowns().begin(), system.unknowns().end()}, std::move(result)};
}
void set(DescribedModel& model, const std::string& name, double value) {
  std::size_t i = 0;
  while (model.variables()[i].name != name) ++i;
  model.set_number(i, value);
}
double number(const DescribedModel& model, const std::string& name) {
  std::size_t i = 0;
  while (model.variables()[i].name != name) ++i;
  return model.number(i);
}

/// Closes, opens and closes again, so that its configurations are visited twice.
template <class Real>
struct Clutch {
  State<Real> w1{"w1", {.start = 4.0}}, w2{"w2"};
  Algebraic<Real> torque{"torque"};
  Discrete<bool> closed{"closed"};
  void equations(Equations<Real>& eq) {
    eq(der(w1), 5.0 - torque);
    eq(3.0 * der(w2), torque);
    if (closed) {
      eq(w1, w2);
    } else {
      eq(torque, 0.0);
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(ev.time >= 1.0)) closed = true;
    if (ev.when(ev.time >= 2.0)) closed = false;
    if (ev.when(ev.time >= 3.0)) closed = true;
  }
};

/// Rectifies; nothing flows at the start, and each diode is just between its two states.
template <class Real>
struct Bridge {
  State<Real> voltage{"voltage"}, current{"current"};
  Algebraic<Real> i1{"i1"}, i2{"i2"}, i3{"i3"}, i4{"i4"}, v1{"v1"}, v2{"v2"}, v3{"v3"}, v4{"v4"};
  void equations(Equations<Real>& eq) {
    const auto diode = [&](const Real& i, const Real& v) {
      eq(i, v > 0.0 ? Real(100.0 * v) : Real(1e-6 * v));
    };
    diode(i1, v1);
    diode(i2, v2);
    diode(i3, v3);
    diode(i4, v4);
    eq(0.05 * der(current), 10.0 * sin(6.0 * eq.time) - current - (v1 - v2));
    eq(current, i1 - i3);
    eq(i1 - i3 + i2 - i4, 0.0);
    eq(v1 + v3, -voltage);
    eq(v2 + v4, -voltage);
    eq(0.01 * der(voltage), i1 + i2 - 0.1 * voltage);
  }
};

/// A bead on a ring, held by friction; its start is a little beside the ring.
template <class Real>
struct Bead {
  State<Real> x{"x", {.start = 1.0 + 1e-5}}, y{"y"}, u{"u"}, v{"v"};
  Algebraic<Real> force{"force"};
  void equations(Equations<Real>& eq) {
    const Real friction = x * v - y * u > 0.0 ? Real(-2.0) : Real(2.0);
    der(x) = u;
    der(y) = v;
    der(u) = -force * x - friction * y;
    der(v) = -force * y + friction * x - 1.0;
    eq(x * x + y * y, 1.0);
  }
};

/// Wunderlich 2008, the example behind Theorem 5.29: what switches looks at what jumps with it.
template <class Real>
struct Jumping {
  State<Real> x1{"x1"};
  Algebraic<Real> x2{"x2", {.start = 2.0}};
  void equations(Equations<Real>& eq) {
    const auto first = x2 - x1 > 0.0;
    eq(der(x1), first ? Real(1.0) : Real(-1.0));
    eq(x2, first ? Real(2.0) : Real(3.0));
  }
};

/// A row of bodies, each rubbing on the next, the first on the ground; the last is pulled more and
/// more.
template <class Real>
struct Row {
  State<Real> v0{"v0"}, v1{"v1"}, v2{"v2"}, v3{"v3"}, v4{"v4"};
  void equations(Equations<Real>& eq) {
    const auto friction = [](const Real& speed, double limit) {
      return speed > 0.0 ? Real(limit) : Real(-limit);
    };
    const Real f0 = friction(v0, 1.0), f1 = friction(v1 - v0, 0.8), f2 = friction(v2 - v1, 0.6);
    const Real f3 = friction(v3 - v2, 0.4), f4 = friction(v4 - v3, 0.2);
    der(v0) = f1 - f0;
    der(v1) = f2 - f1;
    der(v2) = f3 - f2;
    der(v3) = f4 - f3;
    der(v4) = 0.5 * eq.time - f4;
  }
};

/// Two bodies rub on the ground and on each other, a closed loop: when they stick, the pull on one
/// is held by both, and how they share it is not determined.
template <class Real>
struct Loop {
  State<Real> v0{"v0"}, v1{"v1"};
  void equations(Equations<Real>& eq) {
    const auto friction = [](const Real& slip, double limit) {
      return slip > 0.0 ? Real(-limit) : Real(limit);
    };
    const Real between = friction(v1 - v0, 0.5);
    der(v0) = friction(v0, 1.0) - between;
    der(v1) = friction(v1, 1.0) + between + eq.time;
  }
};

/// Sticks while it is pulled more and more; the force that holds it is watched.
template <class Real>
struct Stuck {
  State<Real> v{"v"};
  Local<Real> force{"force"};
  Discrete<Real> seen{"seen", {.start = -1.0}};
  void equations(Equations<Real>& eq) {
    force = v > 0.0 ? Real(-1.0) : Real(1.0);
    der(v) = force + 0.5 * eq.time;
  }
  void events(Events<Real>& ev) {
    if (ev.when(force < -0.8)) seen = ev.time;
  }
};
template <class Real>
struct StuckImplicit {
  State<Real> v{"v"};
  Algebraic<Real> force{"force"};
  Discrete<Real> seen{"seen", {.start = -1.0}};
  void equations(Equations<Real>& eq) {
    eq(force, v > 0.0 ? Real(-1.0) : Real(1.0));
    eq(der(v), force + 0.5 * eq.time);
  }
  void events(Events<Real>& ev) {
    if (ev.when(force < -0.8)) seen = ev.time;
  }
};

/// z has no value beyond x = 1, where its equation becomes singular.
template <class Real>
struct Fold {
  State<Real> x{"x"}, w{"w"};
  Algebraic<Real> z{"z", {.start = 1.0}};
  void equations(Equations<Real>& eq) {
    eq(der(x), 1.0);
    eq(z * z, 1.0 - x);
    eq(der(w), w > 5.0 ? Real(-z) : Real(z));
  }
};

/// A condition that holds for a moment only, beside one that switches the equations.
template <class Real>
struct Moment {
  State<Real> x{"x"}, w{"w"};
  Discrete<Real> seen{"seen"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    der(w) = x > 2.0 ? Real(1.0) : Real(0.5);
  }
  void events(Events<Real>& ev) {
    if (ev.when(x > 3.0 && x < 3.0001)) seen = seen + 1.0;
  }
};

/// A black box with two switches. It slides on its first surface; the indicator of the second is
/// positive while its side is right, and so turns over with the side.
class TurnsOver : public OdeModel, public Configurations {
 public:
  Shape shape() const override { return {.states = 2, .indicators = 2}; }
  void initialize(const Experiment&, Vec y) override {
    y[0] = 0.1;
    y[1] = 0.5;
  }
  Eval derivatives(double, ConstVec, Vec yp) override {
    yp[0] = (now().first ? -1.0 : 1.0) + 0.3;
    yp[1] = now().second ? -1.0 : -2.0;
    return Eval::ok;
  }
  Eval indicators(double, ConstVec y, Vec z) override {
    z[0] = y[0];
    z[1] = now().second ? y[1] : -y[1];
    return Eval::ok;
  }
  EventUpdate update_discrete_states(double, Vec y) override {
    const Configuration before = now();
    slots_[selected_] = {y[0] > 0.0, y[1] > 0.0};
    return {.iterate = before.first != now().first || before.second != now().second};
  }
  Capabilities capabilities() override { return {.is_explicit = true, .configurations = this}; }
  Slot selected() const override { return selected_; }
  Slot fork() override {
    slots_.push_back(now());
    return slots_.size() - 1;
  }
  void select(Slot slot) override { selected_ = slot; }
  void drop(Slot) override {}

 private:
  struct Configuration {
    bool first = true, second = true;
  };
  Configuration& now() { return slots_[selected_]; }
  std::vector<Configuration> slots_{1};
  Slot selected_ = 0;
};

}  // namespace

TEST_CASE("An impulse conserves momentum in a configuration that was visited before", "[sliding]") {
  NativeModel<Clutch> model{"Clutch"};
  ReducedModel reduced{model, kExplicit};
  SlidingModel sliding{reduced};
  const Ended ended = run(sliding, 4.0);
  // 4 at the start, 5 more each second on an inertia of 1 and another one of 3.
  CHECK(ended.y[0] == Approx((4.0 + 4.0 * 5.0) / 4.0).epsilon(1e-7));
  CHECK(ended.y[1] == Approx((4.0 + 4.0 * 5.0) / 4.0).epsilon(1e-7));
}

TEST_CASE("Conditions on whose sides the equations agree decide nothing at the start",
          "[sliding]") {
  NativeModel<Bridge> plain{"Bridge"}, other{"Bridge"};
  ReducedModel reduced{plain, kExplicit}, around{other, kExplicit};
  SlidingModel sliding{around};
  for (const double stop : {0.3, 1.2}) {
    const Ended without = run(reduced, stop), with = run(sliding, stop);
    CHECK(with.y[0] == Approx(without.y[0]).epsilon(1e-6));
    CHECK(with.y[1] == Approx(without.y[1]).margin(1e-6));
  }
}

TEST_CASE("A start is consistent before it is decided whether the motion slides", "[sliding]") {
  NativeModel<Bead> model{"Bead"};
  ReducedModel reduced{model, kExplicit};
  SlidingModel sliding{reduced};
  const Ended ended = run(sliding, 1.0);
  CHECK(ended.y[0] == Approx(1.0).epsilon(1e-9));
  CHECK(ended.y[1] == Approx(0.0).margin(1e-9));
  CHECK(ended.y[3] == Approx(0.0).margin(1e-9));
  CHECK(sliding.refusal().empty());
}

TEST_CASE("A condition on what jumps with the side is met by a mixture", "[sliding]") {
  const double start = GENERATE(0.0, 2.3, 2.9, 4.0);
  NativeModel<Jumping> model{"Jumping"};
  model.set_number(0, start);
  ReducedModel reduced{model, kExplicit};
  SlidingModel sliding{reduced};
  const Ended ended = run(sliding, 4.0);
  // On both x1' = 5 - 2 x1, between 2 and 3.
  const double entry = start < 2.0 ? 2.0 - start : start > 3.0 ? start - 3.0 : 0.0;
  const double first = start < 2.0 ? 2.0 : start > 3.0 ? 3.0 : start;
  const double exact = 2.5 + (first - 2.5) * std::exp(-2.0 * (4.0 - entry));
  CHECK(ended.y[0] == Approx(exact).epsilon(1e-6));
  CHECK(ended.y[1] == Approx(exact).epsilon(1e-6));
}

TEST_CASE("Five surfaces with a term of its own each are slid on together", "[sliding]") {
  NativeModel<Row> model{"Row"};
  SlidingModel sliding{model};
  const Ended ended = run(sliding, 3.0);
  // The last body leaves the others when its pull exceeds 0.2.
  CHECK(ended.y[4] == Approx(0.25 * (9.0 - 0.16) - 0.2 * 2.6).epsilon(1e-7));
  for (std::size_t i = 0; i < 4; ++i) CHECK(ended.y[i] == Approx(0.0).margin(1e-9));
  CHECK(sliding.surfaces() == 4);
}

TEST_CASE("Contacts in a closed loop hold what all of them together can", "[sliding]") {
  const double start = GENERATE(0.0, -0.5);
  NativeModel<Loop> model{"Loop"};
  set(model, "v1", start);
  SlidingModel sliding{model};
  const Ended ended = run(sliding, 3.0);
  // The pull on the second body exceeds what holds it at 1.5.
  CHECK(ended.y[0] == Approx(0.0).margin(1e-9));
  CHECK(ended.y[1] == Approx(0.5 * 1.5 * 1.5).epsilon(1e-7));
  CHECK(sliding.refusal().empty());
}

TEST_CASE("A condition on a force sees the one that holds, not that of one side", "[sliding]") {
  NativeModel<Stuck> model{"Stuck"};
  SlidingModel sliding{model};
  run(sliding, 1.9);
  CHECK(number(model, "seen") == Approx(1.6).epsilon(1e-6));
  NativeModel<StuckImplicit> implicit{"StuckImplicit"};
  ReducedModel reduced{implicit, kExplicit};
  SlidingModel around{reduced};
  run(around, 1.9);
  CHECK(number(implicit, "seen") == Approx(1.6).epsilon(1e-6));
}

TEST_CASE("A black box may turn its indicator over while the motion slides on another surface",
          "[sliding]") {
  TurnsOver model;
  SlidingModel sliding{model};
  const Ended ended = run(sliding, 1.0);
  CHECK(ended.y[0] == Approx(0.0).margin(1e-8));
  CHECK(ended.y[1] == Approx(-2.0 * 0.5).epsilon(1e-6));
  CHECK(sliding.surfaces() == 1);
}

TEST_CASE("A decorator that does nothing changes nothing", "[composition]") {
  const double common = (4.0 + 4.0 * 5.0) / 4.0;
  const auto check = [&](Model& outer) {
    const Ended ended = run(outer, 4.0);
    CHECK(ended.y[0] == Approx(common).epsilon(1e-7));
    CHECK(ended.y[1] == Approx(common).epsilon(1e-7));
  };
  NativeModel<Clutch> model{"Clutch"};
  ReducedModel reduced{model, kExplicit};
  HysteresisModel hysteresis{reduced, {}};
  check(hysteresis);
  RestingModel resting{reduced};
  check(resting);
  HysteresisModel both{resting, {}};
  check(both);
  SlidingModel sliding{reduced};
  HysteresisModel around{sliding, {}};
  check(around);
  ReducedModel twice{static_cast<Model&>(reduced), kExplicit};
  check(twice);
}

TEST_CASE("The reason of a failure is told through every model around", "[composition]") {
  const auto reason = [](Model& outer) {
    try {
      run(outer, 2.0);
    } catch (const DaeError& error) {
      return error.reason();
    }
    FAIL("no error");
    throw;
  };
  NativeModel<Fold> model{"Fold"};
  ReducedModel reduced{model, kExplicit};
  const DaeError::Reason known = reason(reduced);
  SlidingModel sliding{reduced};
  CHECK(reason(sliding) == known);
  HysteresisModel hysteresis{sliding, {}};
  CHECK(reason(hysteresis) == known);
  ReducedDescribedModel described{std::make_unique<NativeModel<Fold>>("Fold"), kExplicit};
  CHECK(reason(described) == known);
  SlidingDescribedModel exported{std::make_unique<ReducedDescribedModel>(
                                     std::make_unique<NativeModel<Fold>>("Fold"), kExplicit),
                                 {}};
  CHECK(reason(exported) == known);
}

TEST_CASE("A condition of two parts is watched through a model that may slide", "[composition]") {
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    NativeModel<Moment> model{"Moment"};
    SlidingModel sliding{model};
    run(sliding, 10.0, tolerance);
    CHECK(number(model, "seen") == 1.0);
  }
}

TEST_CASE("An integrator made for another model is refused", "[composition]") {
  NativeModel<Row> model{"Row"};
  SlidingModel sliding{model};
  DormandPrince integrator{model};
  CHECK_THROWS_AS((IntegratedModel{sliding, integrator}), std::invalid_argument);
}

}  // namespace saltus::sliding_reduced_test
