// SPDX-License-Identifier: BSD-2-Clause
#include "documentation/reference_result.hpp"

#include <filesystem>

#include "xml_writer.hpp"

namespace saltus::fmu_export {

std::string reference_manifest() {
  XmlWriter xml;
  xml.open("fmiReferences")
      .attribute("xmlns:fmi-ls", "http://fmi-standard.org/fmi-ls-manifest")
      .attribute("fmi-ls:fmi-ls-name", "org.fmi-standard.fmi-ls-ref")
      .attribute("fmi-ls:fmi-ls-version", "1.0.0-alpha.1")
      .attribute("fmi-ls:fmi-ls-description",
                 "Layered Standard providing information on related files included in an FMU.");
  xml.open("Related")
      .attribute("type", "text/csv")
      .attribute("source", std::filesystem::path(kReferenceResult).filename().string())
      .attribute("role", "result")
      .attribute("description", "Result of the default experiment, by Saltus " SALTUS_VERSION)
      .close("Related");
  xml.close("fmiReferences");
  return xml.text();
}

}  // namespace saltus::fmu_export
