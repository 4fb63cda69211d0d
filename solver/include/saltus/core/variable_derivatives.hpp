// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "saltus/core/capabilities.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

class DerivativeArray;

/// In the place of a variable's position: the time.
inline constexpr std::size_t kTimePosition = std::numeric_limits<std::size_t>::max();

/// The derivatives of the variables that a model computes (slopes of states, outputs, locals) by
/// those that it computes them from: total ones, exact, and in the configuration in force. They are
/// given as the entries of a sparse matrix, so that a product with it from either side costs one
/// evaluation:
///
///     std::vector<double> values(derivatives.entries().size());
///     if (derivatives.evaluate(t, y, values) == Eval::ok) ...  // values[e] belongs to
///     entries()[e]
///
/// Variables are called by their positions in `NamedVariables::variables`. What is not among the
/// entries is zero.
class VariableDerivatives {
 public:
  virtual ~VariableDerivatives() = default;

  struct Entry {
    std::size_t variable = 0;
    std::size_t by = 0;  ///< a state, an input, a parameter; or `kTimePosition`
  };
  virtual std::span<const Entry> entries() const = 0;
  virtual Eval evaluate(double t, ConstVec y, Vec values) = 0;
};

/// The equations F(t, x, x') = 0 of an implicit model, and behind them the variables that are
/// computed from their solution, as functions of the unknowns and of what is given from outside:
/// what whoever solves the equations needs to differentiate the solution.
class EquationDerivatives {
 public:
  virtual ~EquationDerivatives() = default;

  /// Its unknowns are those of the model, then the given numbers, and the time last. Its rows are
  /// those of the model's own derivative array, then the computed variables.
  virtual DerivativeArray& array() = 0;
  /// The positions of the given numbers, and their present values.
  virtual std::span<const std::size_t> given() const = 0;
  virtual ConstVec given_values() const = 0;
  /// The positions of the computed variables.
  virtual std::span<const std::size_t> computed() const = 0;
};

/// How a variable depends on another one: FMI's dependency kinds. All but `dependent` say that the
/// dependency is linear, and when its factor may change.
enum class DependencyKind { constant, fixed, tunable, discrete, dependent };

/// What one computed variable depends on, in any configuration, in event mode too, and while the
/// motion slides. What is not listed has no influence.
struct VariableDependencies {
  struct Dependency {
    std::size_t on = 0;  ///< a state or an input; or `kTimePosition`
    DependencyKind kind = DependencyKind::dependent;
    bool operator==(const Dependency&) const = default;
  };
  std::size_t variable = 0;
  std::vector<Dependency> dependencies;  ///< in the order of positions, the time last
};

}  // namespace saltus
