// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>

#include "saltus/core/observer.hpp"
#include "saltus/importer/variable_access.hpp"

namespace saltus::cli {

/// Looks whether a run begins with the start values that were asked for. An FMU may move them: its
/// equations may not allow what was given, or an event at the start may change it.
class StartCheck : public Observer {
 public:
  /// `values` as texts, by name; what moves by more than the experiment's tolerance allows,
  /// relative to its size or to one, becomes a warning of the experiment.
  StartCheck(const importer::VariableAccess& variables,
             const std::map<std::string, std::string>& values, const Experiment& experiment)
      : variables_(variables), values_(values), experiment_(experiment) {}

  void sample(double t, Moment moment) override;

 private:
  importer::VariableAccess variables_;
  std::map<std::string, std::string> values_;
  Experiment experiment_;
};

}  // namespace saltus::cli
