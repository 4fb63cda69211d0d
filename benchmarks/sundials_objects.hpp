// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

/// What every run of SUNDIALS needs, freed at its end.
namespace saltus::benchmarks {

inline void check_sundials(int flag, const char* call) {
  if (flag < 0) {
    throw std::runtime_error(std::string(call) + " failed with " + std::to_string(flag));
  }
}

class SundialsContext {
 public:
  SundialsContext() { check_sundials(SUNContext_Create(nullptr, &context_), "SUNContext_Create"); }
  ~SundialsContext() { SUNContext_Free(&context_); }
  SundialsContext(const SundialsContext&) = delete;
  SundialsContext& operator=(const SundialsContext&) = delete;
  operator SUNContext() const { return context_; }

 private:
  SUNContext context_ = nullptr;
};

class SundialsVector {
 public:
  SundialsVector(const std::vector<double>& values, SUNContext context)
      : vector_(N_VNew_Serial(static_cast<sunindextype>(values.size()), context)) {
    std::copy(values.begin(), values.end(), data());
  }
  ~SundialsVector() { N_VDestroy(vector_); }
  SundialsVector(const SundialsVector&) = delete;
  SundialsVector& operator=(const SundialsVector&) = delete;
  operator N_Vector() const { return vector_; }
  double* data() const { return NV_DATA_S(vector_); }
  std::vector<double> values() const { return {data(), data() + NV_LENGTH_S(vector_)}; }

 private:
  N_Vector vector_;
};

/// A linear solver with its matrix.
struct SundialsLinear {
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;

  SundialsLinear(SUNMatrix of, SUNLinearSolver by) : matrix(of), solver(by) {}
  ~SundialsLinear() {
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
  }
  SundialsLinear(const SundialsLinear&) = delete;
  SundialsLinear& operator=(const SundialsLinear&) = delete;
};

}  // namespace saltus::benchmarks
