// SPDX-License-Identifier: BSD-2-Clause
// Rules 7 and 9: sources/buildDescription.xml, and the version of the other XML files.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rules.hpp"
#include "schema.hpp"

namespace saltus::importer::validation {
namespace {

constexpr const char* kBuildDescription = "sources/buildDescription.xml";
constexpr const char* kTerminals = "terminalsAndIcons/terminalsAndIcons.xml";

void check_same_version(const LooseDescription& model, const Element& root, Findings& findings) {
  const std::string version = model.root.text("fmiVersion");
  if (!root.has("fmiVersion")) {
    findings.error({7, "version.missing"}, root, fmt::format("<{}> has no fmiVersion", root.name()),
                   "add it");
  } else if (model.root.has("fmiVersion") && root.text("fmiVersion") != version) {
    findings.error({7, "version.mismatch"}, Place(root, "fmiVersion"),
                   fmt::format("fmiVersion is \"{}\" here and \"{}\" in modelDescription.xml",
                               root.text("fmiVersion"), version),
                   "make them equal");
  }
}

/// Paths are relative to sources/, and may go through other folders.
void check_source_file(const Element& file, const Package& package, Findings& findings) {
  if (!file.has("name")) return;  // rule 6 says so
  std::string path = "sources/" + file.text("name");
  if (path.starts_with("sources/./")) path.erase(8, 2);
  if (package.has(path)) return;
  findings.error({9, "build.file.missing"}, Place(file, "name"),
                 fmt::format("{} is not in the archive", path), "pack it, or do not list it");
}

void check_options(const Element& definition, Findings& findings) {
  const std::vector<Element> options = definition.children("Option");
  if (options.empty()) return;
  const std::string value = definition.text("value");
  const bool is_option = std::any_of(options.begin(), options.end(), [&](const Element& option) {
    return option.text("value") == value;
  });
  if (is_option) return;
  findings.error(
      {9, "build.option.default"}, Place(definition, "value"),
      fmt::format("the value \"{}\" of {} is none of its options", value, definition.text("name")),
      "add it as an <Option>");
}

void check_configuration(const LooseDescription& model, const Element& configuration,
                         const Package& package, Findings& findings) {
  const std::string identifier = configuration.text("modelIdentifier");
  const bool is_known = std::any_of(
      model.interfaces.begin(), model.interfaces.end(),
      [&](const Element& interface) { return interface.text("modelIdentifier") == identifier; });
  if (!is_known && configuration.has("modelIdentifier")) {
    findings.error(
        {9, "build.identifier"}, Place(configuration, "modelIdentifier"),
        fmt::format("no interface of modelDescription.xml has the modelIdentifier \"{}\"",
                    identifier));
  }
  const std::vector<Element> sets = configuration.children("SourceFileSet");
  if (sets.empty()) {
    findings.warning({9, "build.set.missing"}, configuration,
                     "a build configuration has no SourceFileSet", "list the files to compile");
  }
  for (const Element& set : sets) {
    for (const Element& file : set.children("SourceFile")) {
      check_source_file(file, package, findings);
    }
    for (const Element& definition : set.children("PreprocessorDefinition")) {
      check_options(definition, findings);
    }
  }
}

void check_build_description(const LooseDescription& model, const Package& package,
                             Findings& findings) {
  const std::unique_ptr<XmlFile> file = package.parse(kBuildDescription, findings);
  if (!file) return;
  const Element root(*file, file->root());
  check_schema(build_schema(), root, false, findings);
  check_same_version(model, root, findings);
  std::set<std::string> fallbacks;
  for (const Element& configuration : root.children("BuildConfiguration")) {
    check_configuration(model, configuration, package, findings);
    // One for each model identifier: an importer builds one of them.
    if (configuration.has("platform")) continue;
    if (fallbacks.insert(configuration.text("modelIdentifier")).second) continue;
    findings.error({9, "build.configuration.repeated"}, configuration,
                   "a second build configuration has no platform", "say which platform it is for");
  }
}

void check_headers(const Package& package, Findings& findings) {
  for (const ArchiveEntry& entry : package.entries) {
    const std::string name = entry.name.substr(entry.name.rfind('/') + 1);
    for (const char* header : {"fmi3PlatformTypes.h", "fmi3FunctionTypes.h", "fmi3Functions.h"}) {
      if (name != header || !entry.name.starts_with("sources/")) continue;
      findings.add({9, "build.header.shipped"}, Severity::warning, entry.name,
                   "a header of FMI is in the archive; the importer brings its own",
                   "leave it out");
    }
  }
}

}  // namespace

void check_sources(const LooseDescription& model, const Package& package, Findings& findings) {
  if (!model.is_fmi3()) {
    for (const Element& interface : model.interfaces) {
      for (const Element& list : interface.children("SourceFiles")) {
        for (const Element& file : list.children("File")) {
          check_source_file(file, package, findings);
        }
      }
    }
    return;
  }
  if (package.has(kBuildDescription)) {
    check_build_description(model, package, findings);
  } else if (std::any_of(package.entries.begin(), package.entries.end(),
                         [](const ArchiveEntry& entry) {
                           return entry.name.starts_with("sources/") && !entry.is_directory;
                         })) {
    findings.add({9, "build.description.missing"}, Severity::error, "sources/",
                 "there are sources and no sources/buildDescription.xml",
                 "say there how they are compiled");
  }
  check_headers(package, findings);
  if (!package.has(kTerminals)) return;
  if (const std::unique_ptr<XmlFile> terminals = package.parse(kTerminals, findings)) {
    check_same_version(model, Element(*terminals, terminals->root()), findings);
  }
}

}  // namespace saltus::importer::validation
