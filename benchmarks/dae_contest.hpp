// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "dae_case.hpp"
#include "figure.hpp"

namespace saltus::benchmarks {

/// One run of one solver on one problem.
struct DaeRow {
  std::string problem;
  double tolerance = 0.0;
  DaeRun run;
  double scd = 0.0;
  double mescd = 0.0;
};

/// Runs Saltus and its peer on a problem, each at tighter and tighter tolerances until it has the
/// digits asked for, and then compares their times there. A peer that never has them is compared at
/// the most digits it got. Every run becomes a row.
std::vector<Figure> compare(const DaeCase& of, int rounds, std::vector<DaeRow>& rows);

/// Prints the rows: one JSON object a line with `--json`, else a table.
void print(const std::vector<DaeRow>& rows, const Arguments& arguments);

}  // namespace saltus::benchmarks
