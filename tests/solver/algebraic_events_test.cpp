// SPDX-License-Identifier: BSD-2-Clause
// Events on unknowns that no error estimate looks at: they follow from constraints, or from time
// alone, and steps may grow far beyond what such an unknown does in the meantime.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "implicit_switches.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/events/trajectory.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::algebraic_events_test {

using namespace modeling;
constexpr double pi = std::numbers::pi;

/// Index 2 beside a slow state: i = 2 cos 2t.
template <class Real>
struct SlowBesideForced {
  State<Real> x{"x", {.start = 1.0}}, u{"u"};
  Algebraic<Real> i{"i"};
  Discrete<int> count{"count"};
  void equations(Equations<Real>& eq) {
    der(x) = -0.01 * x;
    der(u) = i;
    eq(u, sin(2.0 * eq.time));
  }
  void events(Events<Real>& ev) {
    if (ev.when(i > 1.0)) count = count + 1;
  }
};

/// A path through a spring, index 5: F = -6.4 sin 2t.
template <class Real>
struct DrivenThroughSpring {
  State<Real> q1{"q1"}, v1{"v1"}, q2{"q2"}, v2{"v2"};
  Algebraic<Real> F{"F"};
  Discrete<int> count{"count"};
  void equations(Equations<Real>& eq) {
    der(q1) = v1;
    der(v1) = 10.0 * (q2 - q1);
    der(q2) = v2;
    der(v2) = -10.0 * (q2 - q1) + F;
    eq(q1, sin(2.0 * eq.time));
  }
  void events(Events<Real>& ev) {
    if (ev.when(F > 3.2)) count = count + 1;
  }
};

/// Index 1: z = cos(2t) exp(-t/100).
template <class Real>
struct ForcedAlgebraic {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z"};
  Discrete<int> count{"count"};
  void equations(Equations<Real>& eq) {
    der(x) = -0.01 * x;
    eq(z, cos(2.0 * eq.time) * x);
  }
  void events(Events<Real>& ev) {
    if (ev.when(z > 0.0)) count = count + 1;
  }
};

/// The times of all events; what the unknown `watched` was just before each is written down.
template <template <class> class Description>
std::vector<double> events(double stop, double tolerance, std::size_t watched = 0,
                           std::vector<double>* left = nullptr) {
  NativeModel<Description> model{"Model"};
  ReducedModel reduced{model};
  Radau radau{reduced, {.relative_tolerance = tolerance}};
  IntegratedModel system{reduced, radau};
  Trajectory trajectory{system};
  ModeController controller{system};
  controller.add(trajectory);
  controller.run({.stop = stop, .tolerance = tolerance});
  for (const auto& point : trajectory.points()) {
    if (left != nullptr && point.moment == Moment::before_event) left->push_back(point.y[watched]);
  }
  std::vector<double> times;
  for (const auto& event : trajectory.events()) times.push_back(event.time);
  return times;
}

void check(const std::vector<double>& found, const std::vector<double>& exact, double margin) {
  REQUIRE(found.size() == exact.size());
  for (std::size_t k = 0; k < exact.size(); ++k) {
    INFO("event " << k);
    CHECK(found[k] == Approx(exact[k]).margin(margin).epsilon(0));
  }
}

/// Where s sin(2t) = level, rising and falling, in (0, stop).
std::vector<double> crossings(double level, double phase, double stop) {
  std::vector<double> times;
  const double first = std::asin(level);
  for (int k = -1; k <= static_cast<int>(stop / pi) + 1; ++k) {
    for (const double angle : {first, pi - first}) {
      const double t = 0.5 * (angle - phase) + k * pi;
      if (t > 1e-6 && t < stop) times.push_back(t);
    }
  }
  std::sort(times.begin(), times.end());
  return times;
}

TEST_CASE("Radau finds events on unknowns that follow from constraints", "[dae]") {
  const double tolerance = GENERATE(1e-5, 1e-8);
  const double margin = 10.0 * tolerance;
  // Without a current the index is 2, and the diode conducts again at 2 pi; the first event is by
  // Newton's method on the closed form of the current.
  for (const double stop : {8.0, 9.0}) {
    check(events<test::CoilAndDiode>(stop, tolerance), {3.605570445877, 2.0 * pi}, margin);
  }
  // v = sin t as long as it conducts, until tan t = -2.
  check(events<test::Rectifier>(5.0, tolerance), {pi - std::atan(2.0)}, margin);
  check(events<SlowBesideForced>(20.0, tolerance), crossings(0.5, 0.5 * pi, 20.0), margin);
  std::vector<double> left;
  const std::vector<double> found = events<DrivenThroughSpring>(20.0, tolerance, 0, &left);
  check(found, crossings(0.5, pi, 20.0), margin);
  for (std::size_t k = 0; k < found.size(); ++k) {
    CHECK(left[k] == Approx(std::sin(2.0 * found[k])).margin(margin));
  }
  check(events<ForcedAlgebraic>(20.0, tolerance), crossings(0.0, 0.5 * pi, 20.0), margin);
}

/// A pendulum so heavy that a unit of its rod's force does nothing, without a nominal value.
template <class Real>
struct HeavyPendulum {
  State<Real> x{"x", {.start = 0.6}}, y{"y", {.start = -0.8}}, u{"u"}, v{"v"};
  Algebraic<Real> F{"F"};
  Parameter<Real> M{"M", {.start = 1e9}};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = v;
    eq(M * der(u), -F * x);
    eq(M * der(v), -F * y - M * 9.81);
    eq(x * x + y * y, 1.0);
  }
};

TEST_CASE("A consistent start is one in any units", "[dae]") {
  NativeModel<HeavyPendulum> model{"HeavyPendulum"};
  ReducedModel reduced{model};
  Radau radau{reduced, {.relative_tolerance = 1e-8}};
  IntegratedModel system{reduced, radau};
  ModeController{system}.run({.stop = 1.0, .tolerance = 1e-8});
  const ConstVec y = system.unknowns();
  CHECK(y[0] * y[0] + y[1] * y[1] == Approx(1.0).epsilon(1e-12));
  CHECK(0.5 * (y[2] * y[2] + y[3] * y[3]) + 9.81 * y[1] == Approx(-0.8 * 9.81).epsilon(1e-6));
  CHECK(y[4] == Approx(1e9 * (y[2] * y[2] + y[3] * y[3] - 9.81 * y[1])).epsilon(1e-6));
}

}  // namespace saltus::algebraic_events_test
