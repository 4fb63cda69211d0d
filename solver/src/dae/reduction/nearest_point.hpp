// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "point_solver.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

/// Moves z to the solution of F_R(t, z) = 0 whose unknowns with `counts` are nearest to where they
/// are, each in units of its weight, by Gauss-Newton steps in the states of the solver's selection:
/// these only serve as coordinates, the result does not depend on which they are. For points that
/// are nearly consistent already. Where it fails, z is left as it was.
PointSolver::End find_nearest_point(PointSolver& solver, double t, Vec z, ConstVec weight,
                                    std::span<const char> counts);

}  // namespace saltus
