// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "belt_oscillator/belt_oscillator.hpp"
#include "problems/problem.hpp"

/// Three problems with one model, told apart by parameters and start. All were computed with Taylor
/// series of order 40 in 32 digits, from event to event; order 34 with other steps agrees to all
/// digits shown.
namespace saltus::problems {

using namespace saltus::modeling;

/// What makes a problem of the model `BeltOscillator`.
struct BeltValues {
  double k = 3.0;
  double weakening = 3.0;
  double x = 0.0;
  double v = 0.0;
};
inline std::unique_ptr<DescribedModel> make_belt(const BeltValues& values) {
  auto model = std::make_unique<NativeModel<reference::BeltOscillator>>("BeltOscillator");
  set(*model, "k", values.k);
  set(*model, "weakening", values.weakening);
  set(*model, "x", values.x);
  set(*model, "v", values.v);
  return model;
}

/// The stick-slip vibration of GESDA (Wunderlich, TU Berlin 2008, 7.2.3). Published: 9 events and
/// 9276 steps; with a band of 1e-5 in place of sliding 247 709 events and 272 864 steps.
inline constexpr BeltValues kGesdaBelt{};
inline Problem gesda_belt() {
  return {.name = "GESDA belt oscillator",
          .stop = 15.0,
          .events = {{enter, 0.2675812039024078491},
                     {leave, 1.8089173757745149351},
                     {enter, 4.4488601170278484359},
                     {leave, 6.9555077168417529974},
                     {enter, 9.5954504580950864982},
                     {leave, 12.1020980579089910597},
                     {enter, 14.7420407991623245605}},
          .last = {-0.116404346461912491067, 0.2}};
}

/// The stick-slip system of Dieci and Lopez ("Sliding motion in Filippov differential systems",
/// SIAM J. Numer. Anal. 47 (2009)).
inline constexpr BeltValues kDieciLopezBelt{.k = 1.0, .weakening = 1.0, .x = 0.04, .v = -0.01};
inline Problem dieci_lopez_belt() {
  return {.name = "Dieci-Lopez stick-slip",
          .stop = 40.0,
          .events = {{enter, 0.2446888017832977983},
                     {leave, 4.9321999843004822217},
                     {enter, 9.6355649822426342085},
                     {leave, 14.1629704423834610945},
                     {enter, 18.8663354403256130813},
                     {leave, 23.3937409004664399674},
                     {enter, 28.0971058984085919542},
                     {leave, 32.6245113585494188403},
                     {enter, 37.3278763564915708271}},
          .last = {0.628943636673520457365, 0.2}};
}

/// From rest on the belt.
inline constexpr BeltValues kRestingBelt{.k = 1.0, .weakening = 2.0, .x = 0.0, .v = 0.2};
inline Problem resting_belt() {
  return {.name = "belt with weakening",
          .stop = 50.0,
          .events = {{leave, 5.0},
                     {enter, 9.4495017501883800038},
                     {leave, 16.1231327340856843650},
                     {enter, 20.5726344842740643688},
                     {leave, 27.2462654681713687301},
                     {enter, 31.6957672183597487339},
                     {leave, 38.3693982022570530951},
                     {enter, 42.8188999524454330989},
                     {leave, 49.4925309363427374602}},
          .last = {1.095884237450949181937, 0.164154921461267380562},
          .begins_sliding = true};
}

/// The belt of GESDA without sliding: friction changes its sign when the slip has left a band. The
/// exact number of switches for a band of 1e-5 depends on the last digits of the equations; 247 818
/// to 247 820 were counted with different steps of a classical method.
template <class Real>
struct BeltOscillatorWithBand {
  State<Real> x{"x"};
  State<Real> v{"v"};
  Parameter<Real> band{"band", {.start = 1e-5}};
  Discrete<int> mode{"mode", {.start = 1}};

  void equations(Equations<Real>&) {
    const Real slip = v - 0.2;
    der(x) = v;
    der(v) = (mode == 1 ? -1.0 / (1.0 + 3.0 * slip) : 1.0 / (1.0 - 3.0 * slip)) - 3.0 * x;
  }
  void events(Events<Real>& ev) {
    const Real slip = v - 0.2;
    if (ev.when(mode == 1 ? slip < -band : slip > band)) {
      mode = 3 - mode;
    }
  }
};
inline constexpr double kBeltSwitches = 247820.0;

}  // namespace saltus::problems
