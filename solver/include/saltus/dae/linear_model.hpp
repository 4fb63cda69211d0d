// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "saltus/autodiff/recorded.hpp"
#include "saltus/core/model.hpp"
#include "saltus/dae/index_analysis.hpp"
#include "saltus/dae/linear_reduction.hpp"

namespace saltus {

/// The scalar of coefficients: it knows + - * / and the usual functions, and writes down what is
/// computed, once. So derivatives of every order by time are exact. Coefficients are smooth:
/// comparisons, `abs`, `min` and `max` of it are refused.
using Coefficient = modeling::Recorded;

/// Coefficients by row and column; those never mentioned are zero.
using CoefficientTable = std::map<std::pair<std::size_t, std::size_t>, Coefficient>;

/// E(t), A(t) and f(t) as one writes them down, entry by entry, beginning with zeros.
class LinearTerms {
 public:
  LinearTerms(std::size_t equations, std::size_t unknowns, Coefficient t);

  const Coefficient time;
  Coefficient& E(std::size_t equation, std::size_t unknown);
  Coefficient& A(std::size_t equation, std::size_t unknown);
  Coefficient& f(std::size_t equation);

 private:
  friend class LinearModel;
  std::size_t equations_;
  std::size_t unknowns_;
  CoefficientTable E_, A_;
  std::vector<Coefficient> f_;
};

/// E(t) x' = A(t) x + f(t), with as many equations as one likes.
struct LinearSystem {
  /// Of `terms`; where E or A are given below, they say it.
  std::size_t equations = 0;
  std::size_t unknowns = 0;
  /// Constant matrices, row by row; an empty one is zero.
  std::vector<std::vector<double>> E = {};
  std::vector<std::vector<double>> A = {};
  /// All else: called once, with E and A as above and f = 0.
  std::function<void(LinearTerms&)> terms = {};

  std::vector<double> start = {};                ///< of the unknowns; those without one begin at 0
  std::vector<double> nominal = {};              ///< typical sizes; 1 for those without one
  std::vector<std::string> unknown_names = {};   ///< "x1", "x2", ... where there is none
  std::vector<std::string> equation_names = {};  ///< "equation 1", ...
  /// For systems that are not regular.
  IndexOptions index = {};
};

/// A linear system with coefficients that may depend on time, of any index, as a model. Put a
/// `ReducedModel` around it:
///
///     LinearModel model{{.equations = 2, .unknowns = 2,
///                        .terms = [](LinearTerms& s) {
///                          s.E(0, 0) = 1.0;             // x1' - t x2' = 0
///                          s.E(0, 1) = -s.time;
///                          s.A(1, 0) = -1.0;            // 0 = -x1 + t x2 + exp(-t)
///                          s.A(1, 1) = s.time;
///                          s.f(1) = exp(-s.time);
///                        }}};
///     ReducedModel reduced{model};
///     Radau integrator{reduced};
///
/// What is not mentioned costs nothing, so that large sparse systems stay sparse.
///
/// *Too many or too few equations.* Where equations repeat or contradict each other or leave
/// unknowns free, which includes every system that is not square, the model stands for the nearest
/// one that is solvable, as `LinearReduction` finds it: contradictory equations hold in the sense
/// of least squares (each equation scaled to the size one), undetermined unknowns keep their start
/// values. `report()` tells, and a warning of the run does: at the start, and at the first step
/// where equations contradict each other that did not before. The projections that make it
/// square are found at each time anew, as long as the characteristic values stay those of the
/// start; where they change, `DaeError` (`index_changed`).
class LinearModel : public Model, public Derivatives {
 public:
  /// Throws `std::invalid_argument` for sizes that contradict each other, coefficients that are not
  /// finite, and comparisons of coefficients.
  explicit LinearModel(LinearSystem system);
  ~LinearModel() override;

  Shape shape() const override;
  void nominals(Vec y) const override;
  std::string unknown_name(std::size_t i) const override;
  /// Analyses the system at the start time; throws as `analyze_index`.
  void initialize(const Experiment& experiment, Vec y) override;
  Eval residual(double t, ConstVec y, ConstVec yp, Vec r) override;
  Linearization* linearization() override;
  DerivativeArray* derivative_array() override;
  StepVerdict completed_step(double t, ConstVec y) override;
  Capabilities capabilities() override { return {.derivatives = this}; }

  /// The equations as they were given, for `characteristic_values` or `LinearReduction`.
  DerivativeArray& given();
  /// What a system with too many or too few equations made necessary, as known after the last step.
  const LeastSquaresReport& report() const;

 protected:
  struct State;
  LinearModel();  ///< whoever derives fills `state_`
  std::unique_ptr<State> state_;
};

}  // namespace saltus
