// SPDX-License-Identifier: BSD-2-Clause
#include <stdexcept>

#include "dae_mode.hpp"
#include "implicit_equations.hpp"
#include "saltus/autodiff/tape_array.hpp"
#include "saltus/core/solution_series.hpp"

// In FMUs of explicit equations alone. Whether they are is found when a model is made, and does not
// change with its values: here and in the program that describes the FMU alike.
namespace saltus::fmu_export {

std::unique_ptr<modeling::DescribedModel> reduced_equations(
    std::unique_ptr<modeling::DescribedModel> model, const ReductionOptions&) {
  throw std::logic_error("the equations of " + model->name() +
                         " are implicit, and its FMU is built for explicit ones: leave EXPLICIT "
                         "out of saltus_add_fmu, or build the FMU again if the model has changed");
}

std::string input_derivatives_needed() { return {}; }

std::unique_ptr<modeling::DescribedModel> with_dae_mode(
    std::unique_ptr<modeling::DescribedModel> model, Interface) {
  return model;
}

const DaeSwitch* dae_switch(const modeling::DescribedModel&) { return nullptr; }

void check_differentiable(const DaeSwitch*, const Values&, std::uint32_t) {}

}  // namespace saltus::fmu_export

// Series serve the reduction of implicit equations, and a method that no FMU contains.
namespace saltus {
std::unique_ptr<SolutionSeries> explicit_series(DerivativeArray&) { return nullptr; }
namespace modeling {
std::unique_ptr<EquationSeries> TapeArray::series(std::span<const int>, std::span<const int>, int) {
  return nullptr;
}
}  // namespace modeling
}  // namespace saltus

/// By this name `saltus_add_fmu` asks for this file.
extern "C" const char saltus_explicit_equations = 0;
