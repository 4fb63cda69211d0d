// SPDX-License-Identifier: BSD-2-Clause
#include "exported.hpp"
#include "fmi2/description.hpp"
#include "own_description.hpp"

const std::string& saltus::fmu_export::own_guid() {
  static const std::string guid = fmi2::guid(exported_model(Interface::model_exchange));
  return guid;
}
