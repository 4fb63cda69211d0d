// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace saltus::importer {

/// `error`: the standard forbids it. `warning`: the standard advises against it, or importers
/// differ in what they make of it. `note`: legal, but some importers refuse it, or it could not be
/// checked.
enum class Severity { error, warning, note };

/// "error", "warning", "note".
const char* to_string(Severity severity);

/// One thing that is wrong with an FMU.
struct Finding {
  int rule = 0;  ///< the number of the rule, as in docs/validation.md
  std::string
      id;  ///< what exactly is broken, in words that do not change: "variables.start.missing"
  Severity severity = Severity::error;
  std::string file = {};   ///< the entry of the archive; empty: the archive as a whole
  std::size_t line = 0;    ///< in that file, from 1; 0 where lines have no meaning
  std::size_t column = 0;  ///< only for XML that is not well-formed; 0 elsewhere
  std::string what = {};
  std::string remedy = {};  ///< what to do; empty where nothing applies
};

/// One line as compilers write it:
/// `modelDescription.xml:17: error: "p" has no start value; give it one [15
/// variables.start.missing]`. `fmu` stands for findings about the archive as a whole.
std::string to_string(const Finding& finding, const std::string& fmu);

struct ValidationOptions {
  /// Load the binary and run it for a moment, in a process of its own. Without it nothing of the
  /// FMU is executed, not even the initializers of its library.
  bool run = false;
  /// For the run: how long one check may take, in seconds of the clock; 0: for ever.
  double time_limit = 60.0;
  /// For the run: as `InstanceOptions::start_values`.
  std::map<std::string, std::string> start_values = {};
};

/// All that was found, ordered by file, line and rule; the archive as a whole comes first.
struct Validation {
  std::string fmi_version;  ///< as modelDescription.xml says; empty if it cannot be read
  std::vector<Finding> findings;

  std::size_t count(Severity severity) const;
  bool has_errors() const { return count(Severity::error) > 0; }
  /// Whether no check of the run was left out, given up or ended by a crash.
  bool is_complete() const;
};

/// Checks an FMU by the rules of docs/validation.md. Whatever is wrong with it becomes a finding,
/// also that it is no archive at all, or that it crashes; nothing is thrown for it. FMI 3.0 is
/// checked by all rules, FMI 2.0 by those that exist there, FMI 1.0 as an archive and as XML.
Validation validate(const std::filesystem::path& fmu, const ValidationOptions& options = {});

}  // namespace saltus::importer
