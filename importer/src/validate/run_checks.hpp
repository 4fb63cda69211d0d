// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "guarded_checks.hpp"

namespace saltus::importer::validation {

/// Each runs the FMU in its own way. The numbers behind the functions are those of the rules in
/// docs/validation.md.

void run_model_exchange(RunContext& context);  // 24, 35 to 38
void run_co_simulation(RunContext& context);   // 35
void check_dae_run(RunContext& context);       // 40

/// Calls that the standard forbids, one check for each of them and each mode; then those that it
/// allows and few importers make.
void add_illegal_calls(const Fmu& fmu, std::vector<RunCheck>& checks);  // 35
void check_legal_calls(RunContext& context, InterfaceType type);        // 35
void check_step_answers(RunContext& context);                           // 36, Co-Simulation
void check_event_flags(RunContext& context);                            // 36
void check_sizes(RunContext& context, InterfaceType type);              // 38
void check_saved_run(RunContext& context);                              // 39, Model Exchange
void check_saved_steps(RunContext& context);                            // 39, Co-Simulation
void check_partial_derivatives(RunContext& context);                    // 39
void check_measured_dependencies(RunContext& context);                  // 39

/// Reports an exception of an FMU that was asked for what it has to do.
void report_failure(RunFindings& findings);

/// Does the work and reports how it failed.
template <class Work>
void watch(RunFindings& findings, const Work& work) {
  try {
    work();
  } catch (...) {
    report_failure(findings);
  }
}

}  // namespace saltus::importer::validation
