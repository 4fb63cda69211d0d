// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ranks.hpp"

namespace saltus::index {

/// A = U diag(sigma) V^T, with sigma in descending order, and U and V square where they were asked
/// for. Not numbers where A has entries that are none.
struct SingularVectors {
  Vector sigma;
  Matrix U, V;
};

enum class WhichVectors { none, left, both };

/// By Jacobi's method from one side, on the factor of a QR with pivots (Drmac and Veselic, New fast
/// and accurate Jacobi SVD algorithm, SIAM J. Matrix Anal. Appl. 29, 2008), which begins with the
/// eigenvectors of its columns' products. Divide and conquer as Eigen (3.4) has it returns vectors
/// that are off by their own size on some matrices of ones and zeros, and on tiny blocks reads
/// beside its storage, without a word; its Jacobi method is right, and slow.
SingularVectors singular_vectors(const Matrix& A, WhichVectors wanted);

}  // namespace saltus::index
