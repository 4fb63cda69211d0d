// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "problems/daes/dae_problem.hpp"
#include "robertson/robertson_equations.hpp"

namespace saltus::problems {

/// The end of the Bari set ("Problem ROBER"), with y3 from y1 + y2 + y3 = 1, which its third value
/// misses by 1e-14.
inline DaeProblem robertson() {
  return {.name = "Robertson",
          .index = 1,
          .stop = 1e11,
          .reference = {2.083340149701255e-8, 8.333360770334713e-14, 0.99999997916651517},
          .scale = {1e-8, 1e-13, 1.0}};
}

}  // namespace saltus::problems
