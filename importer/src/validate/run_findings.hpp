// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
  void be_about(const Fmu& fmu, const Interface& interface) {
    const std::vector<std::string>& offered = fmu.platforms();
    const std::vector<std::string> ours = host_folders(fmu.description().major_version);
    const auto used = std::find_first_of(ours.begin(), ours.end(), offered.begin(), offered.end());
    library_ = fmt::format("binaries/{}/{}{}", used != ours.end() ? *used : ours.front(),
                           interface.model_identifier, kLibrarySuffix);
  }
  const std::string& library() const { return library_; }

  /// About the library, or, where there is a variable, about its line.
  void add(Rule rule, Severity severity, const std::string& what, const std::string& remedy = {},
           const Variable* variable = nullptr) {
    if (variable != nullptr) {
      add_in_line(rule, severity, variable->line, variable->name, what, remedy);
    } else if (is_new(rule, "")) {
      findings_.add(rule, severity, library_, what, remedy);
    }
  }
  /// About one of several calls; each is said.
  void add_call(Rule rule, Severity severity, const std::string& call, const std::string& remedy) {
    if (is_new(rule, call)) findings_.add(rule, severity, library_, call, remedy);
  }
  /// About a line of the description that speaks of `subject`.
  void add_in_line(Rule rule, Severity severity, std::size_t line, const std::string& subject,
                   const std::string& what, const std::string& remedy) {
    if (!is_new(rule, subject)) return;
    findings_.add({.rule = rule.number,
                   .id = rule.id,
                   .severity = severity,
                   .file = "modelDescription.xml",
                   .line = line,
                   .what = what,
                   .remedy = remedy});
  }

 private:
  bool is_new(Rule rule, const std::string& subject) {
    return said_.insert(fmt::format("{} {} {}", rule.id, library_, subject)).second;
  }

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

/// A step that the FMU can make over and over.
inline double communication_step(const ModelDescription& description) {
  const Experiment experiment = experiment_of(description);
  if (description.default_experiment.step_size) return *description.default_experiment.step_size;
  const double step = (experiment.stop - experiment.start) / 50;
  const double inner = description.co_simulation->fixed_internal_step_size.value_or(0.0);
  return inner > 0.0 ? std::max(1.0, std::round(step / inner)) * inner : step;
}

}  // namespace saltus::importer::validation
