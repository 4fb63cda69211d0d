// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "saltus/importer/variable_access.hpp"
#include "saltus/observer.hpp"

namespace saltus::cli {

/// Looks whether a run begins with the start values that were asked for. An FMU may move them: its
/// equations may not allow what was given, or an event at the start may change it.
class StartCheck : public Observer {
 public:
  /// `values` as texts, by name; what moves by more than `tolerance`, relative to its size or to
  /// one, is told.
  StartCheck(const importer::VariableAccess& variables,
             const std::map<std::string, std::string>& values, double tolerance)
      : variables_(variables), values_(values), tolerance_(tolerance) {}

  void sample(double t, Moment moment) override;

  /// "start value x = 3 became 2", one for each that moved.
  std::span<const std::string> warnings() const { return warnings_; }

 private:
  importer::VariableAccess variables_;
  std::map<std::string, std::string> values_;
  double tolerance_;
  std::vector<std::string> warnings_;
};

}  // namespace saltus::cli
