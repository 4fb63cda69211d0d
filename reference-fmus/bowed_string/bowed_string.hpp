// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include "saltus/modeling/native_model.hpp"

namespace saltus::reference {

using namespace saltus::modeling;

/// A string between two fixed ends that a bow rubs at one point (Raman's model, by the method of
/// lines). Three configurations: the string faster than the bow, slower, and sticking to it.
template <class Real>
struct BowedString {
  static constexpr ModelInfo info{.description = "Bowed string with dry friction",
                                  .stop = 6.0,
                                  .tolerance = 1e-7,
                                  .step_size = 0.025};
  enum Mode { faster = 1, slower, sticking };
  static constexpr std::size_t N = 100;   ///< pieces of the string
  static constexpr std::size_t bow = 10;  ///< the node under the bow

  State<Real> y_b{"y_b", {.description = "position of the bow"}};
  State<Real> v_b{"v_b", {.start = 0.5}};
  States<Real> y{"y", N + 1};
  States<Real> v{"v", N + 1};
  Algebraics<Real> lambda{"lambda", 2};
  Algebraic<Real> lambda_stick{"lambda_stick", {.description = "the force that makes it stick"}};
  Parameter<Real> length{"length", {.start = 0.7}};
  Parameter<Real> tension{"tension", {.start = 5.5}};
  Parameter<Real> rho{"rho", {.start = 0.5}};
  Parameter<Real> v_0{"v_0", {.start = 0.5}};
  Parameter<Real> omega{"omega", {.start = 2.0}};
  Parameter<Real> friction{"friction", {.start = 0.4 * 1.8}};
  Parameter<Real> m_b{"m_b", {.start = 1.0}};
  Parameter<Real> eps{"eps", {.start = 0.005, .description = "hysteresis of the velocity"}};
  Discrete<bool> may_stick{"may_stick"};
  Discrete<int> mode{"mode", {.start = faster}};

  void equations(Equations<Real>& eq) {
    const Real force = mode == sticking ? Real(-lambda_stick)
                       : mode == faster ? Real(-friction)
                                        : Real(friction);
    const Real stiffness = tension / ((length / double(N)) * (length / double(N)));
    der(y_b) = v_b;
    der(v_b) = (drive(eq.time) - force) / m_b;
    for (std::size_t i = 0; i <= N; ++i) {
      Real pull = -2.0 * y[i];
      if (i > 0) pull += y[i - 1];
      if (i < N) pull += y[i + 1];
      pull *= stiffness;
      if (i == 0) pull -= lambda[0];
      if (i == N) pull -= lambda[1];
      if (i == bow) pull += force;
      der(y[i]) = v[i];
      der(v[i]) = pull / rho;
    }
    eq(y[0], 0.0);
    eq(y[N], 0.0);
    if (mode == sticking) {
      eq(v[bow], v_b);
    }
  }

  void events(Events<Real>& ev) {
    const Real slip = v[bow] - v_b;
    const Real pull = drive(ev.time);
    // The string sticks where it comes to the speed of the bow, and the bow is not driven harder
    // than friction holds.
    const auto sticks = abs_below(slip, 2.0 * eps) && abs_below(pull, friction) &&
                        Real(may_stick ? 1.0 : -1.0) > 0.0;
    Transitions<Real> leave{ev, mode};
    leave(faster, sticking, slip <= -eps && sticks);
    leave(faster, slower, slip <= -eps && !sticks);
    leave(slower, sticking, slip >= eps && sticks);
    leave(slower, faster, slip >= eps && !sticks);
    leave(sticking, faster, pull <= -friction);
    leave(sticking, slower, pull >= friction);
  }

 private:
  static auto abs_below(const Real& a, const Real& bound) { return a < bound && a > -bound; }
  Real drive(const Real& time) { return -v_0 * omega * sin(omega * time); }
};

}  // namespace saltus::reference
