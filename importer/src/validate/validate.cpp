// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/validate.hpp"

#include <algorithm>

#include "../archive.hpp"
#include "rules.hpp"
#include "schema.hpp"

namespace saltus::importer {
namespace validation {
namespace {

/// Minor versions after 3.0 may add elements and attributes, which must be ignored (FMI 3.0, 2.6).
bool is_newer_minor(const Element& root) {
  const std::string version = root.text("fmiVersion");
  return version.starts_with("3.") && version != "3.0" && !version.starts_with("3.0.") &&
         !version.starts_with("3.0-");
}

void check_description(const Element& root, const Package& package, Findings& findings) {
  const LooseDescription model = read_loosely(root, version_of(root));
  check_version(model, findings);
  if (model.version != FmiVersion::fmi2 && model.version != FmiVersion::fmi3) return;
  check_schema(model.is_fmi3() ? fmi3_schema() : fmi2_schema(), root, is_newer_minor(root),
               findings);
  check_interfaces(model, findings);
  check_binaries(model, package, findings);
  check_sources(model, package, findings);
  for (const auto check :
       {check_names, check_references, check_attributes, check_start_values, check_types,
        check_units, check_derivatives, check_lists, check_structure, check_dependencies}) {
    check(model, findings);
  }
  if (!model.is_fmi3()) return;
  for (const auto check : {check_dimensions, check_clocked_variables, check_clocks, check_access}) {
    check(model, findings);
  }
}

/// Names as they were meant. Rule 1 has said what is wrong with them, and the rules about files
/// shall not say that these are missing.
void mend_names(Package& package) {
  for (ArchiveEntry& entry : package.entries) {
    std::replace(entry.name.begin(), entry.name.end(), '\\', '/');
    if (entry.name.starts_with("./")) entry.name.erase(0, 2);
  }
  package.index_names();
}

void check_package(Package package, Findings& findings, Validation& result) {
  package.index_names();
  if (!check_archive(package, findings)) return;
  mend_names(package);
  if (!package.has("modelDescription.xml")) return;
  const std::unique_ptr<XmlFile> file = package.parse("modelDescription.xml", findings);
  if (!file) return;
  const Element root(*file, file->root());
  result.fmi_version = root.text("fmiVersion");
  check_description(root, package, findings);
  if (version_of(root) == FmiVersion::fmi3) check_manifest(package, findings);
}

}  // namespace
}  // namespace validation

Validation validate(const std::filesystem::path& fmu, const ValidationOptions& options) {
  Validation result;
  validation::Findings findings;
  try {
    const Archive archive(fmu);
    validation::check_package(
        {.archive = archive, .fmu = fmu.string(), .entries = archive.entries()}, findings, result);
  } catch (const FmuError& error) {
    findings.add({1, "archive.unreadable"}, Severity::error, std::string(), error.reason());
  }
  if (options.run) validation::check_run(fmu.string(), options, findings);
  result.findings = findings.take_sorted();
  return result;
}

}  // namespace saltus::importer
