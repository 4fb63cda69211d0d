// SPDX-License-Identifier: BSD-2-Clause
#include "index_description.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <vector>

#include "input_derivatives.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/derivative_array.hpp"
#include "saltus/core/error.hpp"
#include "saltus/dae/index_analysis.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/fmu_export/export_fmu.hpp"
#include "saltus/integrators/radau.hpp"

namespace saltus::fmu_export {
namespace {

// How many unknowns occur in no equation.
int unmentioned(const DerivativeArray& array) {
  std::vector<char> occurs(array.unknowns(), 0);
  for (const DerivativeArray::Entry& entry : array.entries()) {
    occurs[entry.unknown] = 1;
  }
  return static_cast<int>(std::count(occurs.begin(), occurs.end(), 0));
}

bool has_one_configuration(const modeling::DescribedModel& model) {
  const auto variables = model.variables();
  return model.shape().indicators == 0 &&
         std::none_of(variables.begin(), variables.end(), [](const modeling::Variable& v) {
           return v.role == modeling::Variable::Role::discrete;
         });
}

std::string analysis_at_start(modeling::DescribedModel& model, std::vector<Warning>& warnings) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.shape().unknowns(); ++i) {
    names.push_back(model.unknown_name(i));
  }
  ReducedModel reduced(model);
  Radau integrator(reduced);
  IntegratedModel system(reduced, integrator);
  const double start = model.info().start;
  ModeController controller(system);
  const RunResult run =
      controller.run({.start = start, .stop = start, .tolerance = model.info().tolerance});
  warnings.insert(warnings.end(), run.warnings.begin(), run.warnings.end());
  const auto& values = reduced.analysis().values;
  // A run holds what is free; an FMU is for others. What this configuration does not mention may
  // belong to another one, if there are any.
  const auto spare = has_one_configuration(model) ? 0 : unmentioned(*model.derivative_array());
  if (values.n - values.m > spare) {
    require_regular(reduced.analysis(), *model.derivative_array(), start, names);
  }
  std::string text =
      "differential-algebraic equations, analysed at their start\n" +
      describe(reduced.analysis(), *model.derivative_array(), names, reduced.states());
  for (const DifferentiatedInput& found :
       differentiated_inputs(model, reduced.analysis(), start, system.unknowns())) {
    text += "derivative taken as zero  of the input " + found.input + ", in \"" + found.equation +
            "\"\n";
  }
  return text;
}

// Other parameters or start values may do: a warning.
std::string not_found(const std::exception& error, std::vector<Warning>& warnings) {
  const std::string text = "their index could not be found at the start: ";
  warnings.push_back({.time = kBeforeTheRun,
                      .subject = "differential-algebraic equations",
                      .message = text + error.what()});
  return "differential-algebraic equations; " + text + error.what() + "\n";
}

}  // namespace

std::string index_description(std::vector<Warning>& warnings) {
  ExportedModel exported;
  saltus_exported_model(exported);
  if (exported.model->is_explicit()) return "ordinary differential equations, index 0\n";
  try {
    return analysis_at_start(*exported.model, warnings);
  } catch (const modeling::ModelMistake&) {
    throw;
  } catch (const DaeError& error) {
    if (error.reason() == DaeError::Reason::not_square) {
      throw;  // whatever the values, an equation is missing
    }
    return not_found(error, warnings);
  } catch (const std::exception& error) {
    return not_found(error, warnings);
  }
}

}  // namespace saltus::fmu_export
