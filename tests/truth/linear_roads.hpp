// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/model.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/integrators/taylor.hpp"
#include "truth.hpp"

namespace saltus::truth {

/// Runs an implicit model by a method that chance chooses and compares its unknowns at the end,
/// each in its unit. Warnings that contain one of `expected` are no reason to doubt the numbers.
inline Verdict compare(Model& model, Experiment experiment, Random& random,
                       const std::vector<double>& exact, const std::vector<double>& unit,
                       std::initializer_list<const char*> expected = {}) {
  experiment.tolerance = 1e-8;
  const int road = random.integer(0, 2);
  ReducedModel reduced{model,
                       {.form = road == 0 ? ReductionOptions::Form::implicit_form
                                          : ReductionOptions::Form::explicit_form}};
  const IntegratorOptions options{.relative_tolerance = experiment.tolerance};
  std::unique_ptr<Integrator> integrator;
  if (road == 0) {
    integrator = std::make_unique<Radau>(reduced, options);
  } else if (road == 1) {
    integrator = std::make_unique<DormandPrince>(reduced, options);
  } else {
    integrator = std::make_unique<Taylor>(reduced, options);
  }
  IntegratedModel system{reduced, *integrator};
  const RunResult result = ModeController{system}.run(experiment);
  double off = 0.0;
  for (std::size_t j = 0; j < exact.size(); ++j) {
    off = std::fmax(off, std::fabs(system.unknowns()[j] - exact[j]) / unit[j]);
  }
  // Each derivative of a high index costs some digits; what is wrong is off by far more.
  constexpr double kOff = 1e-4;
  if (off < kOff) {
    return right();
  }
  for (const Warning& warning : result.warnings) {
    bool doubtful = true;
    for (const char* known : expected) {
      doubtful = doubtful && warning.message.find(known) == std::string::npos;
    }
    if (doubtful) {
      return refused(to_string(warning));
    }
  }
  constexpr const char* kRoads[] = {"Radau", "DormandPrince", "Taylor"};
  return wrong(std::string(kRoads[road]) + ": off by " + std::to_string(off));
}

}  // namespace saltus::truth
