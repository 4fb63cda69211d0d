// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "saltus/core/linearization.hpp"

namespace saltus {

/// An order of the columns in which elimination creates few new entries: the column of each place.
/// By approximate minimum degree where the pattern has a full diagonal and is nearly symmetric, by
/// its counterpart for columns (Davis, Gilbert, Larimore, Ng, ACM TOMS 30 (2004) 353-376)
/// elsewhere.
std::vector<int> column_order(const Pattern& pattern);

}  // namespace saltus
