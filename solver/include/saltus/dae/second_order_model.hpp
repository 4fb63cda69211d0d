// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "saltus/dae/linear_model.hpp"

namespace saltus {

namespace modeling {
class TapeArray;
}

/// M(t), C(t), K(t) and f(t) as one writes them down, entry by entry, beginning with zeros.
class SecondOrderTerms {
 public:
  SecondOrderTerms(std::size_t equations, std::size_t unknowns, Coefficient t);

  const Coefficient time;
  Coefficient& M(std::size_t equation, std::size_t unknown);
  Coefficient& C(std::size_t equation, std::size_t unknown);
  Coefficient& K(std::size_t equation, std::size_t unknown);
  Coefficient& f(std::size_t equation);

 private:
  friend class SecondOrderModel;
  std::size_t equations_;
  std::size_t unknowns_;
  CoefficientTable M_, C_, K_;
  std::vector<Coefficient> f_;
};

/// M(t) x'' + C(t) x' + K(t) x = f(t), with as many equations as one likes. What is not said here
/// is as in `LinearSystem`.
struct SecondOrderSystem {
  std::size_t equations = 0;
  std::size_t unknowns = 0;
  std::vector<std::vector<double>> M = {};
  std::vector<std::vector<double>> C = {};
  std::vector<std::vector<double>> K = {};
  /// Called twice.
  std::function<void(SecondOrderTerms&)> terms = {};

  std::vector<double> start = {};
  std::vector<double> start_velocity = {};  ///< of all unknowns; looked at where x'' occurs
  std::vector<double> nominal = {};         ///< of the unknowns and of their velocities
  std::vector<std::string> unknown_names = {};
  std::vector<std::string> equation_names = {};
  IndexOptions index = {};
};

/// A linear system of second order as a model, of any index; else as `LinearModel`. Its unknowns
/// are x, and behind them the velocities of those whose second derivative occurs, "x1'", ...: where
/// M has a column of zeros no velocity is introduced, which would raise the index.
///
///     SecondOrderModel model{{.M = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}},     // two masses,
///                             .K = {{4, 0, 1}, {0, 9, -1}, {1, -1, 0}},   // joined: x1 = x2
///                             .start = {1, 1, 0}}};
class SecondOrderModel : public LinearModel {
 public:
  explicit SecondOrderModel(SecondOrderSystem system);
  ~SecondOrderModel() override;

  /// Where the velocity of an unknown stands among the unknowns, if it is one of them.
  std::optional<std::size_t> velocity(std::size_t unknown) const;
  /// The equations as they were given, with second derivatives: for `SecondOrderReduction`.
  DerivativeArray& second_order();

 private:
  /// What stands for the q-th derivative of an unknown.
  using Derivative = std::function<Coefficient(std::size_t unknown, int q)>;
  static std::vector<Coefficient> rows(const SecondOrderSystem& system,
                                       const Derivative& derivative, const Coefficient& time);

  std::unique_ptr<modeling::TapeArray> second_order_;
  std::vector<std::optional<std::size_t>> velocity_;
};

}  // namespace saltus
