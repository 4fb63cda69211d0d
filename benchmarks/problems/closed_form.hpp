// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <memory>

#include "bouncing_ball/bouncing_ball.hpp"
#include "problems/problem.hpp"
#include "saltus/modeling/native_model.hpp"

/// Small problems with solutions in closed form, each with one difficulty.
namespace saltus::problems {

using namespace saltus::modeling;

/// The small hybrid system of the manual of DSL48SE: three changes of the equation on the way from
/// 0 to 5, the first two only 0.057 apart.
template <class Real>
struct CubicSwitch {
  State<Real> x{"x"};
  void equations(Equations<Real>&) {
    der(x) = x * x * x - 5.0 * x * x + 7.0 * x <= 2.9 ? 4.0 - x : 10.0 - 2.0 * x;
  }
};
inline Problem cubic_switch() {
  return {.name = "small hybrid system",
          .stop = 5.0,
          .events = {{cross, 0.219215922289803554451},
                     {cross, 0.275812591473483792511},
                     {cross, 1.266347841796071633906}},
          .last = {4.9988424062172751307}};
}

/// A room between 19 and 21 degrees: the heater goes on and off 65 times.
template <class Real>
struct Thermostat {
  State<Real> x{"x", {.start = 15.0}};
  Discrete<bool> on{"on", {.start = true}};
  void equations(Equations<Real>&) { der(x) = -0.1 * (x - (on ? 40.0 : 10.0)); }
  void events(Events<Real>& ev) {
    if (ev.when(on ? x > 21.0 : x < 19.0)) {
      on = !on;
    }
  }
};
inline Problem thermostat() {
  Problem problem{.name = "thermostat", .stop = 100.0, .events = {}, .last = {19.938986434531945}};
  double time = 2.744368457017602892;  // 10 log(25/19)
  for (bool heated = true; time < problem.stop; heated = !heated) {
    problem.events.push_back({cross, time});
    time += heated ? 2.006706954621511613 : 1.000834585569825365;  // 10 log(11/9), 10 log(21/19)
  }
  return problem;
}

/// A spiral that turns the other way outside of the unit circle: one crossing, at 1.
template <class Real>
struct CircleSwitch {
  State<Real> x{"x", {.start = 0.36787944117144232}};  // 1/e
  State<Real> y{"y"};
  void equations(Equations<Real>&) {
    constexpr double kTurn = 6.2831853071795865;
    const Real turn = x * x + y * y > 1.0 ? Real(kTurn) : Real(-kTurn);
    der(x) = x + turn * y;
    der(y) = y - turn * x;
  }
};
inline Problem circle_switch() {
  return {.name = "circle switch",
          .stop = 1.5707963267948966,
          .events = {{cross, 1.0}},
          .last = {-1.5974603774506981, 0.7614936206060114}};
}

/// A ball that keeps 0.8 of its speed at each bounce: six bounces in three seconds.
inline std::unique_ptr<DescribedModel> make_lively_ball() {
  auto model = std::make_unique<NativeModel<reference::BouncingBall>>("BouncingBall");
  set(*model, "e", 0.8);
  set(*model, "v_min", 0.0);
  return model;
}
inline Problem lively_ball() {
  constexpr double g = 9.81;
  Problem problem{.name = "unilateral bounces", .stop = 3.0, .events = {}, .last = {}};
  double speed = std::sqrt(2.0 * g);
  double time = speed / g;
  for (int bounce = 0; bounce < 6; ++bounce) {
    problem.events.push_back({cross, time});
    speed *= 0.8;
    time += 2.0 * speed / g;
  }
  const double flight = problem.stop - problem.events.back().time;
  problem.last = {flight * (speed - 0.5 * g * flight), speed - g * flight};
  return problem;
}

/// Speed 1 below x = 1, 2 above it.
template <class Real>
struct TwoSpeeds {
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = x > 1.0 ? Real(2.0) : Real(1.0); }
};
inline Problem two_speeds() {
  return {.name = "bilateral crossing", .stop = 2.0, .events = {{cross, 1.0}}, .last = {3.0}};
}

/// A sine looks over a level near its top for a moment, or not at all.
template <class Real>
struct SineTop {
  State<Real> x{"x"};
  Parameter<Real> level{"level", {.start = 0.999}};
  Discrete<int> seen{"seen"};
  void equations(Equations<Real>& eq) {
    constexpr double kPi = 3.14159265358979324;
    der(x) = kPi * cos(kPi * eq.time);
  }
  void events(Events<Real>& ev) {
    if (ev.when(x > level)) {
      seen = seen + 1;
    }
  }
};
inline Problem sine_top() {
  constexpr double x = 0.30901699437494742;  // sin 0.9 pi
  return {.name = "double crossing in a step",
          .stop = 0.9,
          .events = {{cross, 0.485763562593760345}, {cross, 0.514236437406239655}},
          .last = {x}};
}
/// The level just out of reach.
inline std::unique_ptr<DescribedModel> make_missed_top(double level) {
  auto model = std::make_unique<NativeModel<SineTop>>("SineTop");
  set(*model, "level", level);
  return model;
}
inline Problem missed_top() {
  Problem problem = sine_top();
  problem.name = "near miss of a sine";
  problem.events.clear();
  return problem;
}

}  // namespace saltus::problems
