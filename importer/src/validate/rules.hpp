// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "findings.hpp"
#include "loose_description.hpp"
#include "saltus/importer/archive_entry.hpp"

namespace saltus::importer {
class Archive;
}

namespace saltus::importer::validation {

/// An opened archive with the list of its entries.
struct Package {
  const Archive& archive;
  std::string fmu;  ///< for messages
  std::vector<ArchiveEntry> entries;
  /// The first entry of each name; `index_names` fills it anew when names have changed.
  std::unordered_map<std::string, std::size_t> by_name = {};

  void index_names();
  bool has(const std::string& name) const { return by_name.contains(name); }
  /// Throws `FmuError` if the entry is damaged or not there.
  std::string content(const std::string& name) const;
  /// Parses an entry. Reports what is wrong with it as XML, and answers with nothing if it cannot
  /// be parsed.
  std::unique_ptr<XmlFile> parse(const std::string& name, Findings& findings) const;
};

/// The numbers behind the functions are those of the rules in docs/validation.md.

/// False if it is too large to be looked into.
bool check_archive(const Package& package, Findings& findings);                     // 1
void check_binaries(const LooseDescription&, const Package&, Findings& findings);   // 2, 3, 5
void check_encoding(const std::string& entry, const std::string& text, Findings&);  // 6
void check_version(const LooseDescription& model, Findings& findings);              // 7
void check_interfaces(const LooseDescription& model, Findings& findings);           // 4, 8, 34
void check_sources(const LooseDescription&, const Package&, Findings& findings);    // 7, 9
void check_names(const LooseDescription& model, Findings& findings);                // 10, 22
void check_references(const LooseDescription& model, Findings& findings);           // 11
void check_attributes(const LooseDescription& model, Findings& findings);           // 12 to 16, 18
void check_start_values(const LooseDescription& model, Findings& findings);         // 17
void check_dimensions(const LooseDescription& model, Findings& findings);           // 19
void check_types(const LooseDescription& model, Findings& findings);                // 20
void check_units(const LooseDescription& model, Findings& findings);                // 21
void check_derivatives(const LooseDescription& model, Findings& findings);          // 23, 24
void check_clocked_variables(const LooseDescription& model, Findings& findings);    // 25
void check_clocks(const LooseDescription& model, Findings& findings);               // 26
void check_access(const LooseDescription& model, Findings& findings);               // 27
void check_lists(const LooseDescription& model, Findings& findings);                // 28, 29
void check_structure(const LooseDescription& model, Findings& findings);            // 30 to 32
void check_dependencies(const LooseDescription& model, Findings& findings);         // 33

void check_manifest(const Package& package, Findings& findings);  // 40

/// Runs the FMU at `path` for its default experiment, as long as that takes few steps.
void check_run(const std::string& path, const ValidationOptions&,
               Findings& findings);  // 24, 35 to 40

/// Whether `name` follows the grammar of structured names (FMI 3.0, 2.4.7.6).
bool is_structured_name(std::string_view name);
bool is_c_identifier(std::string_view name);

}  // namespace saltus::importer::validation
