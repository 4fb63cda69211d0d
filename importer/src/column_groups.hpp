// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "saltus/core/linearization.hpp"

namespace saltus::importer {

/// The columns from `first` on in groups of which no two share a row from `first` on: each group is
/// found from one evaluation (Curtis, Powell, Reid, J. Inst. Maths Applics 13 (1974) 117-119).
std::vector<std::vector<std::size_t>> column_groups(const Pattern& pattern, std::size_t first = 0);

}  // namespace saltus::importer
