// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <saltus/control/mode_controller.hpp>
#include <saltus/events/integrated_model.hpp>
#include <saltus/importer/fmu.hpp>
#include <saltus/importer/fmu_model.hpp>
#include <saltus/integrators/dormand_prince.hpp>

#include "heater.hpp"

namespace {

struct Outcome {
  double temperature = 0.0;
  std::size_t events = 0;
};

Outcome simulate(saltus::Model& model) {
  saltus::DormandPrince integrator(model);
  saltus::IntegratedModel system(model, integrator);
  const saltus::RunResult result = saltus::ModeController(system).run({.stop = 10.0});
  return {.temperature = system.unknowns()[0], .events = result.events};
}

}  // namespace

// Simulates the model as it is and as the FMU that was made of it: the same code, so the same bits.
int main(int, char** arguments) {
  NativeModel<Heater> native{"Heater"};
  const Outcome direct = simulate(native);
  const auto fmu = saltus::importer::Fmu::open(arguments[1]).instantiate_model_exchange("heater");
  const Outcome imported = simulate(*fmu);
  std::printf("native: %zu events, %.17g\nFMU:    %zu events, %.17g\n", direct.events,
              direct.temperature, imported.events, imported.temperature);
  return direct.events > 0 && direct.events == imported.events &&
                 direct.temperature == imported.temperature
             ? 0
             : 1;
}
