// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "array_matrix.hpp"

namespace saltus::index {

/// The numerical half of `analyze_index`: characteristic values from ranks, and the levels of the
/// equations from the rows that take part.
void analyze_ranks(ArrayPoint& point, IndexAnalysis& analysis);

}  // namespace saltus::index
