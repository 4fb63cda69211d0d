// SPDX-License-Identifier: BSD-2-Clause
// Simulations of native models whose equations may be implicit. A file of its own: the linker takes
// the analysis and reduction of the index along where somebody asks for it.
#include <memory>
#include <string>

#include "control/simulation/native_system.hpp"
#include "saltus/control/reduced_described_model.hpp"

namespace saltus {
namespace {

std::string describe(modeling::DescribedModel& model) {
  const auto* reduced = dynamic_cast<modeling::ReducedDescribedModel*>(&model);
  // A start that failed may have left nothing to tell.
  const bool is_analysed = reduced != nullptr && !reduced->reduced().point().empty();
  return "implicit equations" +
         (is_analysed ? " (" + to_string(reduced->reduced().analysis().values) + ")" : "") +
         (model.is_explicit() ? ", made explicit, since they may slide"
                              : ", reduced to index 1 at most");
}

}  // namespace

const NativeSystem::Reduction& index_reduction() {
  static constexpr NativeSystem::Reduction kReduction{&modeling::with_reduction, &describe};
  return kReduction;
}

Simulation Simulation::of(ModelMaker make_model, SimulationOptions options) {
  return Simulation(
      [make_model, options] {
        return std::make_unique<NativeSystem>(make_model(), options, index_reduction());
      },
      options);
}

}  // namespace saltus
