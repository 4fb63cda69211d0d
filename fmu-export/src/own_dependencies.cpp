// SPDX-License-Identifier: BSD-2-Clause
#include "own_description.hpp"

std::vector<saltus::VariableDependencies> saltus::fmu_export::own_dependencies(
    modeling::DescribedModel& model) {
  return model.dependencies();
}
