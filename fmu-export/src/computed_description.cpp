// SPDX-License-Identifier: BSD-2-Clause
#include "exported.hpp"
#include "fmi2/description.hpp"
#include "fmi3/description.hpp"
#include "own_description.hpp"

namespace saltus::fmu_export {

const std::string& own_instantiation_token() {
  static const std::string token =
      fmi3::instantiation_token(exported_model(Interface::model_exchange));
  return token;
}

const std::string& own_guid() {
  static const std::string guid = fmi2::guid(exported_model(Interface::model_exchange));
  return guid;
}

std::vector<VariableDependencies> own_dependencies(modeling::DescribedModel& model) {
  return model.dependencies();
}

}  // namespace saltus::fmu_export
