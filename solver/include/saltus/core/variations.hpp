// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>

#include "saltus/core/linearization.hpp"
#include "saltus/core/model.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

/// What a model says of itself whose unknowns are y = [x; s_1; ...; s_p]: those of another model,
/// and behind them, in p parts of the same size, how they change with each of p parameters. With
/// F(t, x, x', p) = 0 the equations of the other, s_k solves the variational equations
///
///     F_x s_k + F_x' s_k' + F_k = 0.
///
/// They are linear and all have the matrices of F, so that whoever solves for x by Newton's method
/// has factorised what he needs for every s_k (Caracotsios, Stewart: Sensitivity analysis of
/// initial value problems with mixed ODEs and algebraic equations, Comput. Chem. Eng. 9, 1985;
/// Feehery, Tolsma, Barton: Efficient sensitivity analysis of large-scale differential-algebraic
/// systems, Appl. Numer. Math. 25, 1997). An integrator that does not know of this treats y as a
/// whole, and is right.
///
///     if (Variations* parts = variations_of(model)) {
///       Model& own = parts->equations();             // x, and the matrices of its steps
///       parts->linearization()->evaluate(t, x, xp, by_value, by_slope);
///
/// It belongs to the configuration in force: whoever uses it asks anew after each event and
/// restart.
class Variations {
 public:
  virtual ~Variations() = default;

  /// The model whose unknowns are x.
  virtual Model& equations() = 0;
  /// How many parts follow those.
  virtual std::size_t parameters() const = 0;
  /// The derivatives of F by x and x' in as many columns, and behind them those by each parameter,
  /// F_k, which stand among the derivatives by values. A point is one of x and x'. Null: not known;
  /// to ask for it may take a while, in each configuration once.
  virtual Linearization* linearization() = 0;
};

/// The equations of an implicit model, as they are integrated, by parameters: what its variations
/// are made of.
class ParameterDerivatives {
 public:
  virtual ~ParameterDerivatives() = default;

  /// `parameters` are positions in `NamedVariables::variables`; of one that is none of the given
  /// numbers of the equations (a state, for its start value) the column is zero. The result is as
  /// `Variations::linearization`; null: it cannot be had here. Valid until the next event or
  /// restart.
  virtual Linearization* linearization_by(std::span<const std::size_t> parameters) = 0;
  /// At the point that the model made consistent, or projected, last: `s` has how the states move
  /// with a parameter of the last `linearization_by`, and gets how all other unknowns follow, and
  /// `slopes` how x' does, as far as x is differentiated.
  virtual Eval follow(std::size_t parameter, Vec s, Vec slopes) = 0;
};

/// Null: the model is no such one, in the configuration in force.
inline Variations* variations_of(Model& model) {
  Derivatives* const derivatives = model.capabilities().derivatives;
  return derivatives != nullptr ? derivatives->variations() : nullptr;
}
/// Whose motion decides how steps are taken: the variations of a model are as stiff as it is, and
/// cost as many times more as there are parameters, whatever the method.
inline Model& equations_of(Model& model) {
  Variations* const variations = variations_of(model);
  return variations != nullptr ? variations->equations() : model;
}

}  // namespace saltus
