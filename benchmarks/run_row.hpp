// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <vector>

#include "figure.hpp"
#include "problem_run.hpp"

namespace saltus::benchmarks {

/// One problem at one tolerance, with what the authors of the problem published beside it.
struct RunRow {
  problems::Problem problem;
  double tolerance = 0.0;
  Outcome outcome;
  std::optional<problems::Published> published;
};

/// Prints the rows: one JSON object a line with `--json`, else a table. In it, `x / y` is ours
/// beside the published number.
void print(const std::vector<RunRow>& rows, const Arguments& arguments);

}  // namespace saltus::benchmarks
