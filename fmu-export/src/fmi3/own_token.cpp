// SPDX-License-Identifier: BSD-2-Clause
#include "exported.hpp"
#include "fmi3/description.hpp"
#include "own_description.hpp"

const std::string& saltus::fmu_export::own_instantiation_token() {
  static const std::string token =
      fmi3::instantiation_token(exported_model(Interface::model_exchange));
  return token;
}
