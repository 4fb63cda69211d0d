// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <Eigen/Dense>
#include <span>

#include "saltus/core/linearization.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

/// Where differentiated unknowns may jump at an event: F(t, x, x') = 0 integrated over an instant
/// in which x' and the unknowns without a derivative may be impulses leaves
/// dF/dx' (jump of x) + dF/da (impulse of a) = 0. So forces of a clutch, currents of a switch or
/// tensions of a rope act as they must, and momentum, charge and flux are conserved. Equations that
/// are not linear in these are linearised at (t, x, x').
///
/// Orthonormal columns, in units of `weight`; one row for each unknown that `may_jump`, ascending.
/// Other differentiated unknowns are held by something outside that takes up any impulse. Not
/// evaluable: no columns.
Eigen::MatrixXd impulse_directions(Linearization& equations, double t, ConstVec x, ConstVec slopes,
                                   std::span<const char> differentiated,
                                   std::span<const char> may_jump, ConstVec weight);

}  // namespace saltus
