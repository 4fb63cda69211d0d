// SPDX-License-Identifier: BSD-2-Clause
#include "instantiate.hpp"

#include <exception>
#include <string_view>

#include "call_error.hpp"

namespace saltus::fmu_export {

void check(const Introduction& importer) {
  if (importer.instance_name == nullptr ||
      std::string_view(importer.instance_name).find_first_not_of(" \t\r\n") ==
          std::string_view::npos) {
    throw CallError("instanceName is empty");
  }
  const std::string name = importer.token_name;
  if (importer.token == nullptr) {
    throw CallError(name + " is NULL");
  }
  const std::string& own = importer.own_token();
  if (importer.token != own) {
    throw CallError("the " + name + " \"" + importer.token + "\" is not that of this FMU, \"" +
                    own + "\": modelDescription.xml and binary do not belong together");
  }
}

void tell_failure(const Log& log, const Introduction& importer) noexcept {
  try {
    throw;
  } catch (const std::exception& error) {
    try {
      log.write(LogCategory::error, std::string(importer.function) + ": " + error.what());
    } catch (...) {
      log.write(LogCategory::error, "out of memory");
    }
  } catch (...) {
    log.write(LogCategory::error, "instantiation failed with an exception of unknown type");
  }
}

}  // namespace saltus::fmu_export
