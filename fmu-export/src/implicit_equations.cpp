// SPDX-License-Identifier: BSD-2-Clause
#include "implicit_equations.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "input_derivatives.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/control/prepared_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/fmu_export/export_fmu.hpp"
#include "saltus/integrators/radau.hpp"

namespace saltus::fmu_export {
namespace {

std::string find_at_start() {
  ExportedModel exported;
  saltus_exported_model(exported);
  modeling::DescribedModel& model = *exported.model;
  const auto variables = model.variables();
  if (model.is_explicit() ||
      std::none_of(variables.begin(), variables.end(), is_continuous_input)) {
    return "";
  }
  ReducedModel reduced(model, exported.reduction);
  Radau integrator(reduced);
  IntegratedModel system(reduced, integrator);
  const double start = model.info().start;
  ModeController(system).run({.start = start, .stop = start, .tolerance = model.info().tolerance});
  std::string text;
  for (const DifferentiatedInput& found :
       differentiated_inputs(model, reduced.analysis(), start, system.unknowns())) {
    text += (text.empty() ? "" : "; ") + ("the derivative of the input " + found.input) +
            " is needed, because \"" + found.equation +
            "\" is differentiated, and is taken as zero between changes of the input: give the "
            "model that derivative as an input of its own";
  }
  return text;
}

}  // namespace

std::unique_ptr<modeling::DescribedModel> reduced_equations(
    std::unique_ptr<modeling::DescribedModel> model, const ReductionOptions& options) {
  return modeling::with_reduction(std::move(model), options);
}

std::string input_derivatives_needed() {
  try {
    return find_at_start();
  } catch (const std::exception&) {
    return "";  // whoever starts the model is told why it cannot start
  }
}

}  // namespace saltus::fmu_export
