// SPDX-License-Identifier: BSD-2-Clause
// In programs that describe models of which `saltus_add_fmu` was told that they are EXPLICIT: what
// analyses and reduces the index is not needed there, and need not be compiled.
#include <memory>
#include <string>
#include <utility>

#include "check_dae_form.hpp"
#include "control/simulation/native_system.hpp"
#include "dae_manifest.hpp"
#include "find_dae_form.hpp"
#include "implicit_equations.hpp"
#include "index_description.hpp"

namespace saltus::fmu_export {

std::string index_description(std::vector<Warning>&) {
  return "ordinary differential equations, index 0\n";
}

FoundDaeForm find_dae_form() { return {}; }

DaeSelfTest check_dae_form(FoundDaeForm&) { return {}; }

std::unique_ptr<modeling::DescribedModel> with_dae_mode(
    std::unique_ptr<modeling::DescribedModel> model, Interface, const DaeForm&) {
  return model;
}

std::string dae_manifest(const modeling::DescribedModel&, const DaeDependencies&) { return {}; }

}  // namespace saltus::fmu_export

// For the default experiment on the page.
saltus::Simulation saltus::Simulation::of(ModelMaker make_model, SimulationOptions options) {
  static constexpr NativeSystem::Reduction kNone{
      &fmu_export::reduced_equations,
      [](modeling::DescribedModel&) { return std::string(); },
  };
  return Simulation(
      [make_model, options] {
        return std::make_unique<NativeSystem>(make_model(), options, kNone);
      },
      options);
}

/// By this name `saltus_add_fmu` asks for this file.
extern "C" const char saltus_explicit_description = 0;
