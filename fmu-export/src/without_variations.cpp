// SPDX-License-Identifier: BSD-2-Clause
// In place of radau_variations.cpp and stage_variations.cpp in FMUs, whose models have no
// variations: whoever drives an FMU differentiates it by its directional derivatives.
#include "integrators/radau/radau_state.hpp"

namespace saltus {

void StageVariations::restart(Variations*) {}
void StageVariations::advance() {}
Radau::State::Outcome Radau::State::solve_parts(double, double, double, Precision) {
  return Outcome::good;
}
Radau::State::Outcome Radau::State::attempt_parts(double, double, double, bool, double&) {
  return Outcome::good;
}

}  // namespace saltus

/// By this name `saltus_add_fmu` asks for this file.
extern "C" const char saltus_without_variations = 0;
