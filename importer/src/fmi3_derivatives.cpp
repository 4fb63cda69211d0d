// SPDX-License-Identifier: BSD-2-Clause
// Derivatives that the FMU computes itself (FMI 3.0, 2.2.11).
#include <fmt/format.h>

#include "call_text.hpp"
#include "fmi3_instance.hpp"

namespace saltus::importer {

bool Fmi3Instance::has_directional_derivatives() {
  return description().model_exchange &&
         description().model_exchange->provides_directional_derivatives &&
         functions_.fmi3GetDirectionalDerivative != nullptr;
}

Eval Fmi3Instance::directional_derivative(std::span<const ValueReference> unknowns,
                                          std::span<const ValueReference> knowns, ConstVec seed,
                                          Vec sensitivity) {
  begin("fmi3GetDirectionalDerivative");
  const fmi3Status status = functions_.fmi3GetDirectionalDerivative(
      handle_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(), seed.data(),
      seed.size(), sensitivity.data(), sensitivity.size());
  return finish(
      "fmi3GetDirectionalDerivative", status,
      [&] {
        return fmt::format("{}, {}, {}", list("unknowns", unknowns), list("knowns", knowns),
                           list("seed", seed));
      },
      [&] { return list("sensitivity", sensitivity); });
}

bool Fmi3Instance::has_adjoint_derivatives() {
  return interface().provides_adjoint_derivatives && functions_.fmi3GetAdjointDerivative != nullptr;
}

Eval Fmi3Instance::adjoint_derivative(std::span<const ValueReference> unknowns,
                                      std::span<const ValueReference> knowns, ConstVec seed,
                                      Vec sensitivity) {
  begin("fmi3GetAdjointDerivative");
  const fmi3Status status = functions_.fmi3GetAdjointDerivative(
      handle_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(), seed.data(),
      seed.size(), sensitivity.data(), sensitivity.size());
  return finish(
      "fmi3GetAdjointDerivative", status,
      [&] {
        return fmt::format("{}, {}, {}", list("unknowns", unknowns), list("knowns", knowns),
                           list("seed", seed));
      },
      [&] { return list("sensitivity", sensitivity); });
}

}  // namespace saltus::importer
