// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "run_plan.hpp"
#include "run_record.hpp"

namespace saltus::cli {

/// The run as JSON, for programs:
///
///     {"model": "bouncing_ball", "interface": "me", "solver": "auto",
///      "start_time": 0, "stop_time": 3, "tolerance": 1e-06, "output_interval": 0.01,
///      "outcome": "reached_stop", "error": null, "time": 3, "rows": 323,
///      "steps": 56, "rejected": 2, "restarts": 12, "rhs_evaluations": 362,
///      "jacobians": 0, "factorizations": 0, "indicator_evaluations": 410,
///      "methods": [{"time": 0, "method": "dormand-prince", "why": "..."}],
///      "events": [{"time": 0.45, "kind": "state", "indicators": ["h <= 0"],
///                  "changes": ["became true"]}]}
///
/// Outcomes are "reached_stop", "terminated_by_model", "failed" and "interrupted"; the last two
/// have an error. What is not known is null: a co-simulation FMU does not tell its steps. There are
/// no wall times in it: the same run makes the same file.
std::string stats_json(const RunPlan& plan, const RunRecord& record);

}  // namespace saltus::cli
