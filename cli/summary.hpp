// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "run_plan.hpp"
#include "run_record.hpp"

namespace saltus::cli {

/// What a person wants to know of a run that is over: how it was done, how it ended, its events,
/// its cost (`detailed`: all of it) and the files it wrote, a line each in `files`.
std::string summary(const RunPlan& plan, const RunRecord& record,
                    const std::vector<std::string>& files, double wall_seconds, bool detailed);

}  // namespace saltus::cli
