// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "equations.hpp"
#include "newton_matrix.hpp"

namespace saltus::bdf {

/// CVODE or IDA: what Bdf needs of either. Time is counted from the last `begin`.
class Multistep {
 public:
  Multistep() = default;
  Multistep(const Multistep&) = delete;
  Multistep& operator=(const Multistep&) = delete;
  virtual ~Multistep() = default;

  /// Begins anew at time zero; the matrix is that of the present configuration.
  virtual void begin(const double* y, const double* yp, double first_step) = 0;

  enum class Outcome {
    stepped,
    at_stop,  ///< exactly
    error_test_failed,
    not_converged,
    not_evaluable,
    not_factorized,
    too_accurate,  ///< the tolerance is below rounding
    failed,        ///< anything else; `failure()` says what
  };
  /// One step, not beyond `stop`; where it ends is `time()`.
  virtual Outcome step(double stop) = 0;
  double time() const { return time_; }
  /// The unknowns at `time()`.
  virtual const double* unknowns() const = 0;
  const std::string& failure() const { return failure_; }

  /// The solution on the last step is a polynomial: its order, and its k-th derivative at
  /// `anchor()`, the end of the step to rounding.
  virtual int order() const = 0;
  virtual double anchor() const = 0;
  virtual double last_step() const = 0;
  virtual void derivative(int k, double* out) = 0;

  /// The step to be tried next.
  virtual double next_step() const = 0;
  /// Estimated errors of the last attempt, in parts of what is allowed.
  virtual void scaled_errors(double* out) = 0;

  /// Since `begin`.
  struct Counters {
    long steps = 0, error_test_failures = 0, convergence_failures = 0;
    long factorizations = 0, newton_iterations = 0, difference_jacobians = 0;
  };
  virtual Counters counters() const = 0;

  /// For SUNDIALS' error handler: keeps the message instead of printing it.
  static void keep_message(int code, const char* module, const char* function, char* message,
                           void* self);

  NewtonMatrix& newton_matrix() { return *newton_; }

 protected:
  std::unique_ptr<NewtonMatrix> newton_;
  double time_ = 0.0;
  std::string failure_;
};

struct Settings {
  const Tolerances& tolerances;
  double max_step;
  BdfMatrix matrix;
};
std::unique_ptr<Multistep> make_cvode(Equations& equations, const Settings& settings);
std::unique_ptr<Multistep> make_ida(Equations& equations, const Settings& settings);

}  // namespace saltus::bdf
