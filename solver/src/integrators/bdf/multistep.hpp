// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "equations.hpp"
#include "newton_matrix.hpp"

namespace saltus::bdf {

struct Settings {
  const Tolerances& tolerances;
  double max_step;
  BdfMatrix matrix;
};

/// What CVODE and IDA have in common but for the names of their functions.
struct Package {
  const char* name;
  int (*last_order)(void*, int*);
  int (*current_time)(void*, double*);
  int (*last_step)(void*, double*);
  int (*next_step)(void*, double*);
  int (*derivative)(void*, double, int, N_Vector);
  int (*errors)(void*, N_Vector);
  int (*weights)(void*, N_Vector);
  int (*steps)(void*, long*);
  int (*error_test_failures)(void*, long*);
  int (*convergence_failures)(void*, long*);
  int (*factorizations)(void*, long*);
  int (*newton_iterations)(void*, long*);
  int (*jacobians)(void*, long*);
  int (*set_most_convergence_failures)(void*, int);
  int (*set_most_error_test_failures)(void*, int);
  int (*set_max_step)(void*, double);
  int (*set_linear_solver)(void*, SUNLinearSolver, SUNMatrix);
  void (*free)(void**);
};

/// CVODE or IDA: what Bdf needs of either. Time is counted from the last `begin`.
class Multistep {
 public:
  Multistep(const Package& package, Equations& equations, const Settings& settings);
  Multistep(const Multistep&) = delete;
  Multistep& operator=(const Multistep&) = delete;
  virtual ~Multistep();

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
  const double* unknowns() const { return values(y_); }
  const std::string& failure() const { return failure_; }

  /// The solution on the last step is a polynomial: its order, and its k-th derivative at
  /// `anchor()`, the end of the step to rounding.
  int order() const { return read<int>(package_.last_order); }
  double anchor() const { return read<double>(package_.current_time); }
  double last_step() const { return read<double>(package_.last_step); }
  void derivative(int k, double* out);

  /// The step to be tried next.
  double next_step() const { return read<double>(package_.next_step); }
  /// Estimated errors of the last attempt, in parts of what is allowed.
  void scaled_errors(double* out);

  /// Since `begin`.
  struct Counters {
    long steps = 0, error_test_failures = 0, convergence_failures = 0;
    long factorizations = 0, newton_iterations = 0, difference_jacobians = 0;
  };
  Counters counters() const;

  /// For SUNDIALS' error handler: keeps the message instead of printing it.
  static void keep_message(int code, const char* module, const char* function, char* message,
                           void* self);

  NewtonMatrix& newton_matrix() { return *newton_; }

 protected:
  /// Throws where SUNDIALS does not accept a setting.
  void require(int flag) const;
  /// The settings of a new `memory_`.
  void set_up();
  /// The matrix of the present configuration, and whether it is another one than before.
  bool attach_matrix();

  const Package& package_;
  Equations& equations_;
  Settings settings_;
  Context context_;
  Vector y_ = make_vector(equations_.size(), context_);
  void* memory_ = nullptr;
  std::unique_ptr<NewtonMatrix> newton_;
  double time_ = 0.0;
  std::string failure_;

 private:
  template <class Number>
  Number read(int (*question)(void*, Number*)) const {
    Number answer{};
    question(memory_, &answer);
    return answer;
  }

  Vector work_ = make_vector(equations_.size(), context_);
  Vector weights_ = make_vector(equations_.size(), context_);
};

std::unique_ptr<Multistep> make_cvode(Equations& equations, const Settings& settings);
std::unique_ptr<Multistep> make_ida(Equations& equations, const Settings& settings);

}  // namespace saltus::bdf
