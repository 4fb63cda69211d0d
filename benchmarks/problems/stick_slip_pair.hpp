// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "problems/problem.hpp"
#include "stick_slip_pair/stick_slip_pair.hpp"

namespace saltus::problems {

using namespace saltus::modeling;

/// The stick-slip example of GESDA (Wunderlich, TU Berlin 2008, 7.2.2) in closed form: exits at
/// asin 0.8 + k pi, returns where cos ts - cos t = +-0.8 (t - ts). Published: 12 events and 4737
/// steps.
inline Problem stick_slip_pair() {
  constexpr double v = 0.9195357645382262261294;
  return {.name = "GESDA stick-slip pair",
          .stop = 10.0,
          .events = {{leave, 0.9272952180016122324},
                     {enter, 2.8870039059807795720},
                     {leave, 4.0688878715914054709},
                     {enter, 6.0285965595705728105},
                     {leave, 7.2104805251811987094},
                     {enter, 9.1701892131603660490}},
          .last = {6.365907816754915814033, 6.178113294134453999371, v, v},
          .begins_sliding = true};
}

/// The same without sliding, as GESDA does it without its sliding mode: friction changes its sign
/// when the relative velocity has left a band. Exactly 395 switches for a band of 0.003 (the
/// closed form, switch by switch; 396 published).
template <class Real>
struct StickSlipPairWithBand {
  State<Real> p1{"p1", {.start = 1.0}};
  State<Real> p2{"p2", {.start = 1.0}};
  State<Real> v1{"v1"};
  State<Real> v2{"v2"};
  Parameter<Real> band{"band", {.start = 0.003}};
  Discrete<int> mode{"mode", {.start = 1}};

  void equations(Equations<Real>& eq) {
    const Real force = mode == 1 ? Real(-0.4) : Real(0.4);
    der(p1) = v1;
    der(p2) = v2;
    der(v1) = sin(eq.time) + force;
    der(v2) = -force;
  }
  void events(Events<Real>& ev) {
    const Real w = v1 - v2;
    if (ev.when(mode == 1 ? w <= -band : w >= band)) {
      mode = 3 - mode;
    }
  }
};
inline constexpr std::size_t kStickSlipSwitches = 395;
/// Of the 395, the 79th, 188th, 299th and last.
inline constexpr double kStickSlipSwitch79 = 2.8975639294927681649;
inline constexpr double kStickSlipSwitch188 = 6.0327744479799747836;
inline constexpr double kStickSlipSwitch299 = 9.1809108063768472550;
inline constexpr double kStickSlipSwitch395 = 9.9953317363638579605;

}  // namespace saltus::problems
