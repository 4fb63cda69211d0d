// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <cstddef>
#include <memory>
#include <new>

namespace saltus::bdf {

// SUNDIALS' objects, each freed by its owner.

class Context {
 public:
  Context() {
    if (SUNContext_Create(nullptr, &context_) != 0) throw std::bad_alloc();
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { SUNContext_Free(&context_); }
  operator SUNContext() const { return context_; }  // NOLINT(google-explicit-constructor)

 private:
  SUNContext context_ = nullptr;
};

struct Free {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
};
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, Free>;
using Matrix = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, Free>;
using Solver = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, Free>;

template <class Owner>
Owner owned(typename Owner::pointer object) {
  if (object == nullptr) throw std::bad_alloc();
  return Owner(object);
}

inline Vector make_vector(std::size_t size, SUNContext context) {
  Vector vector = owned<Vector>(N_VNew_Serial(static_cast<sunindextype>(size), context));
  N_VConst(0.0, vector.get());
  return vector;
}
inline double* values(N_Vector vector) { return NV_DATA_S(vector); }
inline double* values(const Vector& vector) { return NV_DATA_S(vector.get()); }

}  // namespace saltus::bdf
