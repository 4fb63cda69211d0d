// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>

#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

namespace pump {
inline constexpr double vt0 = 0.20, gamma = 0.035, phi = 1.01;
inline constexpr double c_ox = 4e-12, c_drain = 0.4e-12, c_source = 1.6e-12;
inline constexpr double slope = 2e9;  // of the input's edges: 20 V in 10 ns
inline double flat_band() { return vt0 - gamma * std::sqrt(phi) - phi; }

/// The kink of the input with that number, from 0: at 50, 60, 110 and 120 ns of each period.
inline double kink(int number) {
  constexpr double in_period[] = {50.0, 60.0, 110.0, 120.0};
  const auto n = static_cast<unsigned>(number);  // a damaged saved state may hold any number
  return (120.0 * (n / 4) + in_period[n % 4]) * 1e-9;
}

/// The source's voltage in saturation at a gate voltage: what its capacitor holds is the channel's
/// charge. 8.965741 V at 20 V.
inline double source_voltage(double v_gate) {
  double v = 0.0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double threshold = vt0 + gamma * (std::sqrt(phi + v) - std::sqrt(phi));
    v = (v_gate - threshold) / (1.0 + 3.0 * c_source / c_ox);
  }
  return v;
}
}  // namespace pump

/// One transistor pumps charge between two capacitors (Bari set, "Charge pump"; Guenther and
/// Rentrop, 1996). Its charges have other formulas in each region of operation. Nothing in it is
/// dynamic: five charges, three voltages and a current that follow the input and its slope.
/// Index 2.
///
/// The input is a trapezoid of period 120 ns: zero until 50, 20 V from 60 to 110. Its kinks are
/// time events, the transistor's regions are located events: below the flat-band voltage,
/// depletion, saturation and the linear region.
///
/// Source and drain would change their roles with the sign of their voltage. They carry the same
/// charge, and the drain's capacitor is the smaller one, so that the drain is never below the
/// source; in depletion both are at zero. A condition on the sign of zero would be no event but
/// noise, so there is none. For the same reason the linear region asks for some charge first: on
/// leaving depletion, source and drain are at the same voltage, and what comes next is saturation.
template <class Real>
struct ChargePump {
  static constexpr modeling::ModelInfo info{.description = "Charge pump", .stop = 1.2e-6};

  modeling::State<Real> q_gate{"q_gate", {.unit = "C", .start = start_charge(), .nominal = 1e-12}};
  modeling::State<Real> q_s{"q_s", {.unit = "C", .description = "at the source", .nominal = 1e-12}};
  modeling::State<Real> q_source{"q_source", {.unit = "C", .nominal = 1e-12}};
  modeling::State<Real> q_d{"q_d", {.unit = "C", .description = "at the drain", .nominal = 1e-12}};
  modeling::State<Real> q_drain{"q_drain", {.unit = "C", .nominal = 1e-12}};
  modeling::Algebraic<Real> v_gate{"v_gate", {.unit = "V"}};
  modeling::Algebraic<Real> v_source{"v_source", {.unit = "V"}};
  modeling::Algebraic<Real> v_drain{"v_drain", {.unit = "V"}};
  modeling::Algebraic<Real> current{"current", {.unit = "A", .nominal = 1e-4}};
  modeling::Discrete<Real> kinks{"kinks", {.description = "of the input so far"}};
  modeling::Discrete<Real> since{"since", {.unit = "s", .description = "the last of them"}};
  modeling::Discrete<Real> level{"level", {.unit = "V", .description = "of the input there"}};
  modeling::Discrete<Real> rise{"rise", {.unit = "V/s", .description = "its slope since then"}};

  void equations(modeling::Equations<Real>& eq) {
    using namespace pump;
    const Real v_gs = v_gate - v_source;
    const Real v_gd = v_gate - v_drain;
    const Real body = sqrt(phi + v_source);
    const Real threshold = vt0 + gamma * (body - std::sqrt(phi));
    const double v_fb = flat_band();
    Real gate_charge = c_ox * (v_gate - v_fb);
    Real channel_charge = 0.0;
    const bool above_flat_band = v_gate > v_fb;
    const bool inverted = v_gs > threshold;
    const bool linear = v_gd > threshold && -q_drain / c_ox > 1e-3;
    if (above_flat_band && !inverted) {
      gate_charge = c_ox * gamma * (sqrt(gamma * gamma / 4.0 + v_gate - v_fb) - gamma / 2.0);
    }
    if (above_flat_band && inverted) {
      const Real at_source = v_gs - threshold;
      Real channel = at_source;
      if (linear) {
        const Real at_drain = v_gd - threshold;
        channel += at_drain - at_drain * at_source / (at_drain + at_source);
      }
      gate_charge = c_ox * (2.0 / 3.0 * channel + gamma * body);
      channel_charge = -c_ox / 3.0 * channel;
    }
    der(q_gate) = -current;
    eq(der(q_s) + der(q_source), 0.0);
    eq(der(q_d) + der(q_drain), 0.0);
    eq(v_gate, level + rise * (eq.time - since));
    eq(q_gate, gate_charge);
    eq(q_s, c_source * v_source);
    eq(q_source, channel_charge);
    eq(q_d, c_drain * v_drain);
    eq(q_drain, channel_charge);
  }
  void events(modeling::Events<Real>& ev) {
    const int number = static_cast<int>(kinks.value());
    if (ev.at(pump::kink(number))) {
      constexpr double levels[] = {0.0, 20.0, 20.0, 0.0};
      constexpr double slopes[] = {pump::slope, 0.0, -pump::slope, 0.0};
      since = pump::kink(number);
      level = levels[number % 4];
      rise = slopes[number % 4];
      kinks = number + 1.0;
    }
  }

 private:
  static double start_charge() {
    const double half = pump::gamma / 2.0;
    return pump::c_ox * pump::gamma * (std::sqrt(half * half - pump::flat_band()) - half);
  }
};

}  // namespace saltus::problems
