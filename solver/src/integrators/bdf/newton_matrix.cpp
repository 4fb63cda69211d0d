// SPDX-License-Identifier: BSD-2-Clause
#include "newton_matrix.hpp"

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <stdexcept>

namespace saltus::bdf {
namespace {

// Below, and with more entries than this, a dense factorization is the faster one.
constexpr std::size_t kSparseFrom = 50;
constexpr double kSparseDensity = 0.25;

bool prefers_sparse(const Pattern& pattern) {
  const auto n = static_cast<double>(pattern.columns());
  return pattern.columns() >= kSparseFrom &&
         static_cast<double>(pattern.entries()) <= kSparseDensity * n * n;
}

}  // namespace

NewtonMatrix::NewtonMatrix(Equations& equations, BdfMatrix kind, SUNContext context)
    : equations_(equations), model_vector_(make_vector(equations.size(), context)) {
  Linearization* linearization = equations.n > 0 ? equations.model.linearization() : nullptr;
  exact_ = linearization != nullptr;
  if (exact_) {
    pattern_ = linearization->pattern();
    by_value_.resize(pattern_.entries());
    by_slope_.resize(pattern_.entries());
  } else if (kind == BdfMatrix::sparse) {
    throw std::invalid_argument(
        "Bdf: the sparse solver needs a model that offers its linearization(); use "
        "BdfMatrix::dense");
  }
  sparse_ = kind == BdfMatrix::sparse || (kind == BdfMatrix::automatic && prefers_sparse(pattern_));
  const auto n = static_cast<sunindextype>(equations.size());
  if (sparse_) {
    matrix_ = owned<Matrix>(
        SUNSparseMatrix(n, n, static_cast<sunindextype>(pattern_.entries()), CSC_MAT, context));
    solver_ = owned<Solver>(SUNLinSol_KLU(model_vector_.get(), matrix_.get(), context));
  } else {
    matrix_ = owned<Matrix>(SUNDenseMatrix(n, n, context));
    solver_ = owned<Solver>(SUNLinSol_Dense(model_vector_.get(), matrix_.get(), context));
  }
}

bool NewtonMatrix::fits() const {
  Linearization* linearization = equations_.n > 0 ? equations_.model.linearization() : nullptr;
  if (linearization == nullptr || !exact_) {
    return (linearization != nullptr) == exact_;
  }
  const Pattern& now = linearization->pattern();
  return now.rows == pattern_.rows && now.first == pattern_.first && now.row == pattern_.row;
}

Eval NewtonMatrix::linearize(double t, const double* y, const double* yp) {
  const std::size_t n = equations_.n;
  ++equations_.stats.jacobians;
  const Eval answer = equations_.model.linearization()->evaluate(t, ConstVec(y, n), ConstVec(yp, n),
                                                                 by_value_, by_slope_);
  if (answer == Eval::discard ||
      equations_.finite(by_value_.data(), by_value_.size()) != Eval::ok) {
    return Eval::discard;
  }
  return equations_.finite(by_slope_.data(), by_slope_.size());
}

// Writes entry(k) to the place of the k-th entry of the pattern.
template <class Entry>
void NewtonMatrix::fill(SUNMatrix target, Entry entry) const {
  const std::size_t n = pattern_.columns();
  if (!sparse_) {
    SUNMatZero(target);
    for (std::size_t j = 0; j < n; ++j) {
      double* column = SUNDenseMatrix_Column(target, static_cast<sunindextype>(j));
      for (auto k = static_cast<std::size_t>(pattern_.first[j]);
           k < static_cast<std::size_t>(pattern_.first[j + 1]); ++k) {
        column[pattern_.row[k]] = entry(k);
      }
    }
    return;
  }
  std::copy(pattern_.first.begin(), pattern_.first.end(), SUNSparseMatrix_IndexPointers(target));
  std::copy(pattern_.row.begin(), pattern_.row.end(), SUNSparseMatrix_IndexValues(target));
  double* out = SUNSparseMatrix_Data(target);
  for (std::size_t k = 0; k < pattern_.entries(); ++k) {
    out[k] = entry(k);
  }
}

Eval NewtonMatrix::evaluate(double t, const double* y, const double* yp, double c,
                            SUNMatrix target) {
  if (linearize(t, y, yp) == Eval::discard) return Eval::discard;
  slope_factor_ = c;
  fill(target, [&](std::size_t k) { return by_value_[k] + c * by_slope_[k]; });
  return Eval::ok;
}

bool NewtonMatrix::is_differential(std::size_t unknown) const {
  return std::any_of(by_slope_.begin() + pattern_.first[unknown],
                     by_slope_.begin() + pattern_.first[unknown + 1],
                     [](double entry) { return entry != 0.0; });
}

bool NewtonMatrix::spread(N_Vector errors, N_Vector result) {
  double* right = values(model_vector_);
  std::fill_n(right, equations_.size(), 0.0);
  for (std::size_t j = 0; j < pattern_.columns(); ++j) {
    for (auto k = static_cast<std::size_t>(pattern_.first[j]);
         k < static_cast<std::size_t>(pattern_.first[j + 1]); ++k) {
      right[pattern_.row[k]] += slope_factor_ * by_slope_[k] * values(errors)[j];
    }
  }
  return SUNLinSolSolve(solver_.get(), matrix_.get(), result, model_vector_.get(), 0.0) == 0;
}

Eval NewtonMatrix::evaluate_explicit(double t, const double* y, const double* yp,
                                     SUNMatrix target) {
  if (linearize(t, y, yp) == Eval::discard) return Eval::discard;
  for (std::size_t j = 0, k = 0; j < pattern_.columns(); ++j) {
    for (; k < static_cast<std::size_t>(pattern_.first[j + 1]); ++k) {
      if (by_slope_[k] != (static_cast<std::size_t>(pattern_.row[k]) == j ? 1.0 : 0.0)) {
        throw std::logic_error(
            "Bdf: the residual of an explicit model has to be y' - f; its linearization() says "
            "otherwise");
      }
    }
  }
  fill(target, [&](std::size_t k) { return -by_value_[k]; });
  return Eval::ok;
}

}  // namespace saltus::bdf
