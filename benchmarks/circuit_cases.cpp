// SPDX-License-Identifier: BSD-2-Clause
#include "dae_case.hpp"
#include "problems/daes/charge_pump.hpp"
#include "problems/daes/chemical_akzo.hpp"
#include "problems/daes/nand_gate.hpp"
#include "problems/daes/transistor_amplifier.hpp"
#include "problems/daes/two_bit_adder.hpp"

namespace saltus::benchmarks {

std::vector<DaeCase> circuit_cases() {
  using namespace problems;
  std::vector<DaeCase> cases;
  cases.push_back(dae_case<ChemicalAkzo>(chemical_akzo(), 8.0, 0.5));
  cases.push_back(dae_case<TransistorAmplifier>(transistor_amplifier(), 7.0, 0.1));
  cases.push_back(dae_case<NandGate>(nand_gate(), 7.0));
  cases.push_back(dae_case<TwoBitAdder>(two_bit_adder(), 4.0));
  cases.push_back(dae_case<ChargePump>(charge_pump(), 8.0));
  cases.back().is_mixed = true;
  return cases;
}

}  // namespace saltus::benchmarks
