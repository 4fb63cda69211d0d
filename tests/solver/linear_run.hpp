// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/integrators/taylor.hpp"

namespace saltus::test {

enum class Road { radau, dormand_prince, taylor };

struct LinearRun {
  std::vector<double> x;  ///< the unknowns of the model at the end
  CharacteristicValues values;
  std::vector<Adjustment> adjustments;
  std::vector<Warning> warnings;
};

/// An implicit model, reduced and run from start to stop.
inline LinearRun run_linear(Model& model, Experiment experiment, Road road = Road::radau,
                            ReductionOptions options = {}) {
  const std::size_t n = model.shape().unknowns();
  options.form = road == Road::radau ? ReductionOptions::Form::implicit_form
                                     : ReductionOptions::Form::explicit_form;
  ReducedModel reduced{model, options};
  const IntegratorOptions accuracy{.relative_tolerance = experiment.tolerance};
  const auto run = [&](Integrator& integrator) {
    IntegratedModel system{reduced, integrator};
    ModeController controller{system};
    const RunResult result = controller.run(experiment);
    const ConstVec y = system.unknowns();
    return LinearRun{{y.begin(), y.begin() + static_cast<std::ptrdiff_t>(n)},
                     reduced.analysis().values,
                     reduced.adjustments(),
                     {result.warnings.begin(), result.warnings.end()}};
  };
  switch (road) {
    case Road::radau: {
      Radau integrator{reduced, accuracy};
      return run(integrator);
    }
    case Road::dormand_prince: {
      DormandPrince integrator{reduced, accuracy};
      return run(integrator);
    }
    default: {
      Taylor integrator{reduced, accuracy};
      return run(integrator);
    }
  }
}

}  // namespace saltus::test
