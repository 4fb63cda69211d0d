// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "saltus/modeling/inspection.hpp"

/// The equations of a model as a person would read them.
namespace saltus::modeling {

/// What one pass over the equations states, in its order: "der(h) = v", "x*x + y*y = L*L". What is
/// computed in between, without being a variable, stands where it is used.
using EquationLines = std::vector<std::string>;

struct EquationTexts {
  /// At the start values.
  EquationLines lines;
  /// How that changes with one condition, or one Boolean variable, alone.
  struct Other {
    std::string where;         ///< "resting is true", "h > 0 does not hold"
    EquationLines lines;       ///< what is stated there only
    EquationLines instead_of;  ///< what is not
    std::string failure = {};  ///< why it is not known; else empty
  };
  std::vector<Other> others;
  /// An expression was too long to be written down.
  bool cut = false;
  /// There are more conditions, or more Boolean variables, than were turned.
  bool incomplete = false;
};

/// By passes at the start values. Equations that change with several conditions at once, or with
/// integers, are shown as they are for one change at a time, and for the first value.
EquationTexts equation_texts(const SymbolicModel& model, double start);

/// Of a class template over its scalar.
template <template <class> class M, class Unit = M<Symbolic>>
EquationTexts equation_texts(double start) {
  ModelOf<M, Symbolic> symbolic;
  return equation_texts(
      {.members = symbolic.members,
       .equations = [&](Equations<Symbolic>& eq) { symbolic.model.equations(eq); },
       .events = {}},
      start);
}

}  // namespace saltus::modeling
