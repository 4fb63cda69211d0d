// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "../platforms.hpp"
#include "findings.hpp"
#include "saltus/importer/fmu.hpp"

namespace saltus::importer::validation {

/// One finding for each id, library and subject: what happens at every step, or in both interfaces,
/// is said once.
class RunFindings {
 public:
  explicit RunFindings(Findings& findings) : findings_(findings) {}

  /// Findings are about the library of this interface from now on.
  void be_about(const Interface& interface) {
    library_ = fmt::format("binaries/{}/{}{}", host_platform(), interface.model_identifier,
                           kLibrarySuffix);
  }

  void add(Rule rule, Severity severity, const std::string& what, const std::string& remedy = {},
           const Variable* variable = nullptr) {
    const std::string subject = variable != nullptr ? variable->name : "";
    if (!said_.insert(fmt::format("{} {} {}", rule.id, library_, subject)).second) return;
    Finding finding{.rule = rule.number, .id = rule.id, .severity = severity, .file = library_};
    if (variable != nullptr) finding.file = "modelDescription.xml";
    if (variable != nullptr) finding.line = variable->line;
    finding.what = what;
    finding.remedy = remedy;
    findings_.add(finding);
  }

 private:
  Findings& findings_;
  std::string library_;
  std::set<std::string> said_;
};

inline Experiment experiment_of(const ModelDescription& description) {
  const DefaultExperiment& given = description.default_experiment;
  Experiment experiment;
  experiment.start = given.start_time.value_or(0.0);
  experiment.stop = std::max(given.stop_time.value_or(experiment.start + 1.0), experiment.start);
  return experiment;
}

/// Rule 40 on a running FMU: the equations behind FMI-LS-DAE, if it has them.
void check_dae_run(const Fmu& fmu, const ValidationOptions&, RunFindings& findings);

}  // namespace saltus::importer::validation
