// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <cstddef>

#include "saltus/modeling/native_model.hpp"

/// Logic gates of field-effect transistors after Shichman and Hodges, as in the two-bit adder and
/// the NAND gate of the Bari set. A circuit is a list of transistors between numbered nodes.
namespace saltus::problems::mos {

/// Nodes are numbered from 1. What is not a node: the ground, the supply, and inputs -2, -3, ...
inline constexpr int ground = 0;
inline constexpr int supply = -1;
inline constexpr int input(int k) { return -2 - k; }
inline constexpr double supply_voltage = 5.0;
inline constexpr double bulk_voltage = -2.5;

/// One kind of transistor. `reverse_gain` is the gain where current flows from source to drain.
struct Kind {
  double threshold, body_effect, phi, gain, reverse_gain;
};

/// Elements of a circuit in the units of its time.
struct Elements {
  double gate_resistance, bulk_resistance, gate_capacitance, bulk_capacitance, saturation_current;
};

/// A transistor with inner nodes `first` to `first` + 3: behind the source, behind the drain, and
/// the bulk beside each of them.
struct Transistor {
  const Kind* kind;
  int first, drain, gate, source;
  /// The drain's bulk charge is taken towards this node; the NOR gates of the Bari set mistake it,
  /// and their reference solution with them.
  int drain_charge_towards;

  Transistor(const Kind& of, int first_node, int drain_node, int gate_node, int source_node)
      : kind(&of),
        first(first_node),
        drain(drain_node),
        gate(gate_node),
        source(source_node),
        drain_charge_towards(drain_node == supply ? ground : drain_node) {}
};

/// A depletion transistor from the supply to a gate's output, the node after its own four.
inline Transistor load(const Kind& kind, int first) {
  return {kind, first, supply, first + 4, first + 4};
}

/// |x| and (|x| + x) / 2 without an event at zero: off by 1e-10 there, by less than a rounding
/// error beyond 1e-6. The laws below are once differentiable where they use them, so that nothing
/// is to be located.
template <class Real>
Real magnitude(const Real& x) {
  using std::sqrt;
  return sqrt(x * x + 1e-20);
}
template <class Real>
Real positive_part(const Real& x) {
  return 0.5 * (x + magnitude(x));
}

/// The current from drain to source, counted negative as in the Bari set. Cut-off, saturation and
/// the linear region are one formula: with x = v_gs - v_te the square of the positive part of x,
/// less the same of x - v_ds.
template <class Real>
Real channel_current(const Kind& kind, const Real& v_ds, const Real& v_gs, const Real& v_bs,
                     const Real& v_gd, const Real& v_bd) {
  const auto squares = [&](const Real& v_bulk) {
    const Real threshold =
        kind.threshold + kind.body_effect * (sqrt(kind.phi - v_bulk) - std::sqrt(kind.phi));
    const Real at_source = positive_part(Real(v_gs - threshold));
    const Real at_drain = positive_part(Real(v_gd - threshold));
    return at_source * at_source - at_drain * at_drain;
  };
  const Real size = magnitude(v_ds);
  const Real forwards = 0.5 * (1.0 + v_ds / size);
  return -(1.0 + 0.02 * size) * (kind.gain * forwards * squares(v_bs) +
                                 kind.reverse_gain * (1.0 - forwards) * squares(v_bd));
}

/// The bulk lies at -2.5 V, so that its junctions never conduct forwards: of the two formulas of
/// the original only that for v <= 0 is met.
template <class Real>
Real junction_current(const Elements& elements, const Real& v) {
  using std::exp;
  return -elements.saturation_current * (exp(v / 25.85) - 1.0);
}
template <class Real>
Real junction_capacitance(const Elements& elements, const Real& v) {
  using std::sqrt;
  return elements.bulk_capacitance / sqrt(1.0 - v / 0.87);
}

/// A trapezoidal signal between 0 and 5 V: after `delay` it rises within 5, stays for `high`, falls
/// within 5, and begins again after `period`. All kinks are at multiples of 5: piece k is the line
/// from 5 k to 5 (k + 1).
struct Pulse {
  int delay, high, period;

  /// 1, 0 or -1 volts in a unit of time.
  double slope(int piece) const {
    const int t = 5 * piece % period - delay;
    return t == 0 ? 1.0 : (t == 5 + high ? -1.0 : 0.0);
  }
  double start(int piece) const {
    const int t = 5 * piece % period - delay;
    return t > 0 && t <= 5 + high ? 5.0 : 0.0;
  }
};

/// A pulse as an input of a model: what it was at the last kink, and its slope since then.
template <class Real>
struct Input {
  Input(const char* level_name, const char* slope_name, const Pulse& of)
      : pulse(of),
        level(level_name, {.unit = "V", .start = of.start(0)}),
        slope(slope_name, {.start = of.slope(0)}) {}

  void begin(int piece) {
    level = pulse.start(piece);
    slope = pulse.slope(piece);
  }

  Pulse pulse;
  modeling::Discrete<Real> level;
  modeling::Discrete<Real> slope;
};

}  // namespace saltus::problems::mos
