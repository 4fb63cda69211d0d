// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/integrators/integrator.hpp"

namespace saltus {

/// For an integrator that lets others do steps.
inline void add(IntegratorStats& sum, const IntegratorStats& part) {
  for (const auto count :
       {&IntegratorStats::steps, &IntegratorStats::rejected, &IntegratorStats::abandoned,
        &IntegratorStats::refined, &IntegratorStats::checked, &IntegratorStats::repeated,
        &IntegratorStats::rhs_evaluations, &IntegratorStats::restarts, &IntegratorStats::jacobians,
        &IntegratorStats::factorizations, &IntegratorStats::newton_iterations}) {
    sum.*count += part.*count;
  }
}

}  // namespace saltus
