// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "script.hpp"

namespace saltus::importer::validation {

/// One check of a running FMU. What it throws is its own affair: it catches what an FMU can cause.
struct RunCheck {
  std::string about;           ///< "the run as Model Exchange", for what could not be checked
  const Interface& interface;  ///< through which the FMU is run
  std::function<void(RunContext&)> work;
  bool is_first = false;    ///< of its interface: if it breaks, so would the others
  bool is_illegal = false;  ///< asks for what the standard forbids: a crash is the FMU's right
};

/// Does the checks one after the other, each in a process of its own, and calls that are illegal in
/// one for all of them, as long as it lives. A crash, or a call that does not return, is a finding.
void run_guarded(const std::vector<RunCheck>& checks, Fmu& fmu, const ValidationOptions& options,
                 Findings& findings);

}  // namespace saltus::importer::validation
