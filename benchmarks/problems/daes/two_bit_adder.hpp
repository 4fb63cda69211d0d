// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "problems/daes/dae_problem.hpp"
#include "problems/daes/mos_circuit.hpp"
#include "problems/daes/two_bit_adder_values.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

namespace adder {
// Time runs in units of 0.1 ms, voltages follow five times as stiffly as in the NAND gate.
inline constexpr double time_scale = 1e4;
inline constexpr double stiffer = 5.0 * time_scale;
inline constexpr mos::Elements elements{40.0 / stiffer, 100.0 / stiffer, 0.6e-4 * time_scale,
                                        2.4e-5 * time_scale, 1e-15 * stiffer};
inline constexpr double output_load = 2e-4 * time_scale;
inline constexpr double gain = 43.7e-6 * stiffer;
inline constexpr mos::Kind depletion{-2.43, 0.2, 1.28, 53.5e-6 * stiffer, 53.5e-6 * stiffer};
inline constexpr mos::Kind single{0.2, 0.035, 1.01, 4.0 * gain, 4.0 * gain};
inline constexpr mos::Kind twofold{0.2, 0.035, 1.01, 8.0 * gain, 8.0 * gain};
inline constexpr mos::Kind threefold{0.2, 0.035, 1.01, 12.0 * gain, 12.0 * gain};

inline constexpr std::array<int, 3> outputs{49, 130, 148};

/// Ten gates, each with a load and its output at the fifth node.
class Netlist {
 public:
  static const std::vector<mos::Transistor>& get() {
    static const Netlist netlist;
    return netlist.transistors_;
  }

 private:
  Netlist() {
    constexpr int a0 = mos::input(0), b0 = mos::input(1), a1 = mos::input(2), b1 = mos::input(3),
                  carry = mos::input(4);
    nor(1, a0, b0);
    and_or_invert(14, 5, b0, a0);
    nor(32, 18, carry);
    and_or_invert(45, 36, carry, 18);
    and_or_invert(63, 5, carry, 18);
    nor(81, a1, b1);
    and_or_invert(94, 85, b1, a1);
    nand(112, 67, 98);
    or_and_invert(126, 116, 67, 98);
    and_or_invert(144, 85, 5, 98);
    // Three more in series below the output of the last gate.
    add(threefold, 162, 148, 98, 166);
    add(threefold, 167, 166, 18, 171);
    add(threefold, 172, 171, carry, mos::ground);
  }
  void add(const mos::Kind& kind, int first, int drain, int gate, int source) {
    transistors_.emplace_back(kind, first, drain, gate, source);
  }
  void nor(int first, int in1, int in2) {
    transistors_.push_back(mos::load(depletion, first));
    add(single, first + 5, first + 4, in1, mos::ground);
    add(single, first + 9, first + 4, in2, mos::ground);
    transistors_.back().drain_charge_towards = first + 14;
  }
  void nand(int first, int in1, int in2) {
    transistors_.push_back(mos::load(depletion, first));
    add(twofold, first + 5, first + 4, in1, first + 9);
    add(twofold, first + 10, first + 9, in2, mos::ground);
  }
  void and_or_invert(int first, int in1, int in2, int in3) {
    transistors_.push_back(mos::load(depletion, first));
    add(single, first + 5, first + 4, in1, mos::ground);
    add(twofold, first + 9, first + 4, in2, first + 13);
    add(twofold, first + 14, first + 13, in3, mos::ground);
  }
  void or_and_invert(int first, int in1, int in2, int in3) {
    nand(first, in1, in2);
    add(twofold, first + 14, first + 9, in3, mos::ground);
  }

  std::vector<mos::Transistor> transistors_;
};

inline std::size_t index(int node) { return static_cast<std::size_t>(node - 1); }
template <class Real>
void add(std::array<Real, 175>& sums, int node, const Real& part) {
  if (node > 0) {
    sums[index(node)] += part;
  }
}

/// The charges of all nodes at voltages u.
template <class Real, class Voltages>
std::array<Real, 175> charges(Voltages& u) {
  std::array<Real, 175> charge;
  charge.fill(0.0);
  const auto at = [&](int node) { return node > 0 ? Real(u[index(node)]) : Real(0.0); };
  for (const mos::Transistor& transistor : Netlist::get()) {
    const std::size_t k = index(transistor.first);
    const Real gate = at(transistor.gate);
    const Real source = at(transistor.source);
    const Real drain =
        transistor.drain == mos::supply ? Real(mos::supply_voltage) : at(transistor.drain);
    const Real gate_source = elements.gate_capacitance * (u[k] - gate);
    const Real gate_drain = elements.gate_capacitance * (u[k + 1] - gate);
    const Real v_bs = u[k + 2] - source;
    const Real v_bd = u[k + 3] - drain;
    const Real bulk_source = mos::junction_capacitance(elements, v_bs) * v_bs;
    const Real drain_capacitance = mos::junction_capacitance(elements, v_bd);
    charge[k] += gate_source;
    charge[k + 1] += gate_drain;
    charge[k + 2] += bulk_source;
    charge[k + 3] += drain_capacitance * (u[k + 3] - at(transistor.drain_charge_towards));
    add(charge, transistor.gate, Real(-(gate_source + gate_drain)));
    add(charge, transistor.source, Real(-bulk_source));
    add(charge, transistor.drain, Real(-drain_capacitance * v_bd));
  }
  for (const int node : outputs) {
    charge[index(node)] += output_load * u[index(node)];
  }
  return charge;
}

inline std::vector<double> start_charges() {
  const std::array<double, 175> charge = charges<double>(start_voltages);
  return {charge.begin(), charge.end()};
}
}  // namespace adder

/// The sum of two numbers of two bits, by ten logic gates (Bari set, "Two bit adding unit";
/// Guenther): charges q with q' = f(t, u) and q = g(u) in 175 node voltages u. The kinks of the
/// five inputs are time events.
///
/// The Bari set calls it index 1, which it is in the voltages alone. In charges and voltages it is
/// more: some nodes hang on capacitors between nodes only, so that the charges do not determine all
/// voltages; the Jacobian of g is singular.
template <class Real>
struct TwoBitAdder {
  static constexpr modeling::ModelInfo info{.description = "Two-bit adder", .stop = 320.0};
  static constexpr std::size_t nodes = 175;

  modeling::States<Real> q{"q", adder::start_charges()};
  modeling::Algebraics<Real> u{"u", adder::start_voltages, {.unit = "V"}};
  /// The inverted bits of both numbers, and the carry.
  std::array<mos::Input<Real>, 5> inputs{{{"a0", "a0_slope", {0, 5, 20}},
                                          {"b0", "b0_slope", {10, 15, 40}},
                                          {"a1", "a1_slope", {30, 35, 80}},
                                          {"b1", "b1_slope", {70, 75, 160}},
                                          {"carry", "carry_slope", {150, 155, 320}}}};
  modeling::Discrete<Real> since{"since", {.description = "the last kink of the inputs"}};

  void equations(modeling::Equations<Real>& eq) {
    for (std::size_t i = 0; i < nodes; ++i) {
      current[i] = 0.0;
    }
    for (const mos::Transistor& transistor : adder::Netlist::get()) {
      add_currents(transistor, eq.time);
    }
    const std::array<Real, nodes> charge = adder::charges<Real>(u);
    for (std::size_t i = 0; i < nodes; ++i) {
      der(q[i]) = current[i];
      eq(q[i], charge[i]);
    }
  }
  void events(modeling::Events<Real>& ev) {
    if (ev.every(5.0)) {
      since = ev.time;
      for (mos::Input<Real>& input : inputs) {
        input.begin(static_cast<int>(std::lround(ev.time.value() / 5.0)));
      }
    }
  }

 private:
  // The currents into the nodes. What an input pushes through a gate's capacitances counts here;
  // that of inner nodes is in the charges.
  void add_currents(const mos::Transistor& transistor, const Real& time) {
    const mos::Elements& e = adder::elements;
    const auto k = static_cast<std::size_t>(transistor.first - 1);
    const Real source = potential(transistor.source, time);
    const Real drain = potential(transistor.drain, time);
    const Real gate = potential(transistor.gate, time);
    const Real channel =
        mos::channel_current<Real>(*transistor.kind, u[k + 1] - u[k], gate - u[k],
                                   u[k + 2] - source, gate - u[k + 1], u[k + 3] - drain);
    const Real to_source = (source - u[k]) / e.gate_resistance;
    const Real to_drain = (drain - u[k + 1]) / e.gate_resistance;
    const Real bulk_source = mos::junction_current<Real>(e, u[k + 2] - source);
    const Real bulk_drain = mos::junction_current<Real>(e, u[k + 3] - drain);
    const Real pushed = transistor.gate <= mos::input(0)
                            ? Real(e.gate_capacitance * signal(transistor.gate).slope)
                            : Real(0.0);
    current[k] += pushed + to_source - channel;
    current[k + 1] += pushed + to_drain + channel;
    current[k + 2] += (mos::bulk_voltage - u[k + 2]) / e.bulk_resistance + bulk_source;
    current[k + 3] += (mos::bulk_voltage - u[k + 3]) / e.bulk_resistance + bulk_drain;
    adder::add(current, transistor.source, Real(-(to_source + bulk_source)));
    adder::add(current, transistor.drain, Real(-(to_drain + bulk_drain)));
  }

  const mos::Input<Real>& signal(int node) const {
    return inputs[static_cast<std::size_t>(mos::input(0) - node)];
  }
  Real potential(int node, const Real& time) {
    if (node > 0) {
      return u[adder::index(node)];
    }
    if (node <= mos::input(0)) {
      return signal(node).level + signal(node).slope * (time - since);
    }
    return node == mos::supply ? Real(mos::supply_voltage) : Real(0.0);
  }

  std::array<Real, nodes> current;
};

/// End values of the Bari set (RADAU5 at 1e-5); the three outputs count.
inline DaeProblem two_bit_adder() {
  DaeProblem problem{.name = "Two-bit adder",
                     .index = 2,
                     .stop = 320.0,
                     .reference = {adder::end.begin(), adder::end.end()},
                     .scored = {175 + 48, 175 + 129, 175 + 147}};
  for (int k = 1; k < 64; ++k) {
    problem.kinks.push_back(5.0 * k);
  }
  return problem;
}

}  // namespace saltus::problems
