// SPDX-License-Identifier: BSD-2-Clause
#include <stdexcept>

#include "saltus/modeling/inspection.hpp"
#include "switching_equations.hpp"

// In FMUs of equations without conditions alone. Whether there are any is found when a model is
// made, and does not change with its values: here and in the program that describes the FMU alike.
namespace saltus::fmu_export {

std::unique_ptr<modeling::DescribedModel> switching_equations(
    std::unique_ptr<modeling::DescribedModel> model, const SlidingOptions&) {
  throw std::logic_error("the equations of " + model->name() +
                         " had no conditions when its FMU was built and have some now: build the "
                         "FMU again");
}

}  // namespace saltus::fmu_export

namespace saltus::modeling {

// Nothing stands behind conditions that do not exist.
void find_paths(Inspection&) {}
DecisionPaths::Path DecisionPaths::Finder::taken(DecisionPaths&, std::span<const std::int64_t>,
                                                 std::span<const Lock>, const SymbolicRun&) {
  return nullptr;
}
DecisionPaths::Path DecisionPaths::Finder::along(DecisionPaths&, std::span<const std::int64_t>,
                                                 std::span<const Lock>, const SymbolicRun&) {
  return nullptr;
}

}  // namespace saltus::modeling

/// By this name `saltus_add_fmu` asks for this file.
extern "C" const char saltus_unswitched_equations = 0;
