// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "problems/daes/dae_problem.hpp"
#include "problems/daes/mos_circuit.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

namespace nand {
inline constexpr mos::Elements elements{4.0, 10.0, 0.6e-4, 2.4e-5, 1e-14};
inline constexpr mos::Kind depletion{-2.43, 0.2, 1.28, 5.35e-4, 5.35e-4};
// The reverse gain is a tenth of the other in the Bari set.
inline constexpr mos::Kind enhancement{0.2, 0.035, 1.01, 1.748e-3, 1.748e-4};
inline constexpr double output_load = 0.5e-4;
inline const std::vector<double> start{5.0,  5.0,  -2.5,    -2.5, 5.0,     3.62385, 5.0,
                                       -2.5, -2.5, 3.62385, 0.0,  3.62385, -2.5,    -2.5};
}  // namespace nand

/// A NAND gate of three transistors (Bari set, "NAND gate"; Guenther and Rentrop): C(y) y' = f(t,
/// y) with capacitances that depend on the voltages. Index 0 as it stands; a solver meets it as a
/// fully implicit problem. The kinks of the two input signals are time events.
template <class Real>
struct NandGate {
  static constexpr modeling::ModelInfo info{.description = "NAND gate", .stop = 80.0};

  modeling::States<Real> u{"u", nand::start, {.unit = "V"}};
  std::array<mos::Input<Real>, 2> inputs{
      {{"v1", "v1_slope", {5, 5, 20}}, {"v2", "v2_slope", {15, 15, 40}}}};
  modeling::Discrete<Real> since{"since", {.description = "the last kink of the inputs"}};

  void equations(modeling::Equations<Real>& eq) {
    static const std::array<mos::Transistor, 3> transistors{
        mos::load(nand::depletion, 1), mos::Transistor{nand::enhancement, 6, 5, mos::input(0), 10},
        mos::Transistor{nand::enhancement, 11, 10, mos::input(1), mos::ground}};
    for (std::size_t i = 0; i < 14; ++i) {
      out[i] = 0.0;
    }
    for (const mos::Transistor& transistor : transistors) {
      add(transistor, eq.time);
    }
    out[4] += nand::output_load * der(u[4]);
    out[9] += nand::output_load * der(u[9]);
    for (std::size_t i = 0; i < 14; ++i) {
      eq(out[i], 0.0);
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
  // The currents out of a transistor's nodes: through resistors, channel and junctions, and through
  // capacitors, with C(v) v' for those of the bulk.
  void add(const mos::Transistor& transistor, const Real& time) {
    const mos::Elements& e = nand::elements;
    const auto k = static_cast<std::size_t>(transistor.first - 1);
    const Real source = potential(transistor.source, time);
    const Real drain = potential(transistor.drain, time);
    const Real gate = potential(transistor.gate, time);
    const Real gate_rate = rate(transistor.gate);
    const Real source_rate = rate(transistor.source);
    const Real drain_rate = rate(transistor.drain);
    const Real channel =
        mos::channel_current<Real>(*transistor.kind, u[k + 1] - u[k], gate - u[k],
                                   u[k + 2] - source, gate - u[k + 1], u[k + 3] - drain);
    const Real from_source = (u[k] - source) / e.gate_resistance;
    const Real from_drain = (u[k + 1] - drain) / e.gate_resistance;
    const Real gate_source = e.gate_capacitance * (der(u[k]) - gate_rate);
    const Real gate_drain = e.gate_capacitance * (der(u[k + 1]) - gate_rate);
    const Real v_bs = u[k + 2] - source;
    const Real v_bd = u[k + 3] - drain;
    const Real bulk_source = mos::junction_capacitance(e, v_bs) * (der(u[k + 2]) - source_rate) -
                             mos::junction_current(e, v_bs);
    const Real bulk_drain = mos::junction_capacitance(e, v_bd) * (der(u[k + 3]) - drain_rate) -
                            mos::junction_current(e, v_bd);
    out[k] += from_source + channel + gate_source;
    out[k + 1] += from_drain - channel + gate_drain;
    out[k + 2] += (u[k + 2] - mos::bulk_voltage) / e.bulk_resistance + bulk_source;
    out[k + 3] += (u[k + 3] - mos::bulk_voltage) / e.bulk_resistance + bulk_drain;
    leave(transistor.source, -(from_source + bulk_source));
    leave(transistor.drain, -(from_drain + bulk_drain));
    leave(transistor.gate, -(gate_source + gate_drain));
  }
  void leave(int node, const Real& current) {
    if (node > 0) {
      out[static_cast<std::size_t>(node - 1)] += current;
    }
  }
  Real potential(int node, const Real& time) {
    if (node > 0) {
      return u[static_cast<std::size_t>(node - 1)];
    }
    if (node <= mos::input(0)) {
      const mos::Input<Real>& input = inputs[static_cast<std::size_t>(mos::input(0) - node)];
      return input.level + input.slope * (time - since);
    }
    return node == mos::supply ? Real(mos::supply_voltage) : Real(0.0);
  }
  Real rate(int node) {
    if (node > 0) {
      return der(u[static_cast<std::size_t>(node - 1)]);
    }
    return node <= mos::input(0)
               ? Real(inputs[static_cast<std::size_t>(mos::input(0) - node)].slope)
               : Real(0.0);
  }

  std::array<Real, 14> out;
};

/// End values of the Bari set; the output counts.
inline DaeProblem nand_gate() {
  DaeProblem problem{
      .name = "NAND gate",
      .index = 1,
      .stop = 80.0,
      .reference = {0.4971088699385777e+1, 0.4999752103929311e+1, -0.2499998781491227e+1,
                    -0.2499999999999975e+1, 0.4970837023296724e+1, -0.2091214032073855,
                    0.4970593243278363e+1, -0.2500077409198803e+1, -0.2499998781491227e+1,
                    -0.2090289583878100, -0.2399999999966269e-3, -0.2091214032073855,
                    -0.2499999999999991e+1, -0.2500077409198803e+1},
      .scored = {4}};
  for (int k = 1; k < 16; ++k) {
    problem.kinks.push_back(5.0 * k);
  }
  return problem;
}

}  // namespace saltus::problems
