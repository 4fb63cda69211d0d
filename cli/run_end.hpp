// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "exit_code.hpp"
#include "run_record.hpp"
#include "simulation.hpp"

namespace saltus::cli {

/// Somebody asked the program to stop.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// How a run that has begun ended.
struct RunEnd {
  RunRecord::Outcome outcome = RunRecord::Outcome::failed;
  int exit_code = kFailed;
  std::string error = {};
  bool is_dae = false;           ///< in DAE mode
  bool uses_event_mode = false;  ///< in Co-Simulation
  std::optional<RunCost> cost = {};
  std::vector<MethodChoice> methods = {};
};

/// What is said of an exception with this text that left the FMU's function.
std::string left_by_exception(const std::string& function, const std::string& text);

/// Runs, whatever may come. `watch` throws `Interrupted` where the run is to stop because of
/// `stop_request`, a signal.
RunEnd run_to_the_end(Simulation& simulation, const RunPlan& plan, Observer& watch,
                      const std::function<int()>& stop_request,
                      const std::function<double()>& time);

}  // namespace saltus::cli
