// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "saltus/dae/index_analysis.hpp"

namespace saltus::index {

/// The condition of the equilibrated system Jacobian J_ij = dF_i / dx_j^(d_j - c_i): the offsets
/// are right where it is regular (Pryce 2001, section 4). `derivatives` holds one value an entry.
/// Infinite if singular. By singular values for a few hundred equations, above that by a sparse LU
/// factorisation and the estimate of Hager and Higham (FORTRAN codes for estimating the one-norm of
/// a real or complex matrix, ACM TOMS 14, 1988).
double system_jacobian_condition(const StructuralOffsets& offsets,
                                 std::span<const DerivativeArray::Entry> entries,
                                 std::span<const double> derivatives);

}  // namespace saltus::index
