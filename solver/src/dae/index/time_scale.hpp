// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/core/derivative_array.hpp"
#include "saltus/core/types.hpp"

namespace saltus::index {

/// The unit of time in which x' is of the size of x: the s for which the coefficients of each
/// equation, those of x^(q) divided by s^q, are as near to each other as units of the equations and
/// of the unknowns can bring them. That is a fit of their logarithms by one number an equation, one
/// an unknown and one for the time (Curtis and Reid: On the automatic scaling of matrices for
/// Gaussian elimination, J. Inst. Maths Applics 10, 1972, with the time added).
///
/// It depends on the equations at (t, c) alone, c being Taylor coefficients of the unit 1, and not
/// on how long anybody wants to integrate them. A power of two, so that a change of units rounds
/// nothing; 1 where the equations do not say.
double time_scale(DerivativeArray& array, double t, ConstVec c);

}  // namespace saltus::index
