// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "truth.hpp"

/// The roads that an implicit model may take: natively with every integrator that serves, and as an
/// FMU of its own, through both interfaces.
namespace saltus::truth {

enum class Road { radau, bdf, dormand_prince, taylor, model_exchange, sliding, event_mode, steps };
constexpr Road kNativeRoads[] = {Road::radau, Road::bdf, Road::dormand_prince, Road::taylor};
constexpr Road kFmuRoads[] = {Road::model_exchange, Road::sliding, Road::event_mode, Road::steps};
const char* to_string(Road road);

struct ImplicitRun {
  std::unique_ptr<modeling::DescribedModel> (*native)() = nullptr;
  std::string fmu;                            ///< the file's name without its ending
  std::map<std::string, double> values = {};  ///< of parameters and start values
  std::string inputs = {};                    ///< a table, for FMUs alone
  std::vector<std::string> recorded = {};     ///< changes nothing
  double stop = 1.0;
  double tolerance = 1e-6;
  double report_interval = 0.1;
};

/// All variables at the end. Throws what the run throws.
std::map<std::string, double> end_of(const ImplicitRun& run, Road road);

}  // namespace saltus::truth
