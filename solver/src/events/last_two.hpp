// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <utility>

namespace saltus {

/// The smaller one of the last two estimates: one of them may be large by chance.
struct LastTwo {
  double before, last;

  double smaller() const { return std::min(before, last); }
  void add(double estimate) { before = std::exchange(last, estimate); }
};

}  // namespace saltus
