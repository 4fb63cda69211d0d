// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace saltus::fmu_export {

/// An implicit model F(t, x, x', z) = 0 of any index as FMI-LS-DAE wants it: explicit slopes
/// x' = f(t, x, a), residuals 0 = g(t, x, a) that determine the algebraics a for given states x,
/// and invariants that follow from neither but hold along every solution.
///
/// Where equations may be others after an event, the form is the same in all configurations, and of
/// index 1: all equations are residuals, and all derivatives are algebraics.
///
/// All of it is made of the equations and their derivatives with respect to time: no equation is
/// written anew. The algebraics are the unknowns z without a derivative, and those derivatives that
/// no equation gives by itself. The others are computed: each from an equation that contains it
/// with a constant factor, and beside it nothing that comes later.
struct DaeForm {
  /// A derivative of an unknown, or with order 0 the unknown itself.
  struct Derivative {
    int unknown = 0;
    int order = 0;
    bool operator==(const Derivative&) const = default;
  };
  /// An equation, differentiated `level` times.
  struct Row {
    int equation = 0;
    int level = 0;
    bool operator==(const Row&) const = default;
  };
  struct Computed {
    Row row;
    Derivative derivative;
    int layer = 0;  ///< those of one layer need nothing of each other
  };

  /// An equation to which a multiple of another one is added, before anything else is done.
  struct Combination {
    int equation = 0;
    int added = 0;
    double factor = 1.0;
  };

  std::vector<Combination> combinations;
  std::vector<int> levels;  ///< how often each equation is differentiated
  std::vector<Derivative> algebraics;
  std::vector<Row> residuals;
  std::vector<Row> invariants;
  std::vector<Computed> computed;  ///< in the order of their layers

  bool switched = false;  ///< the equations may be others after an event

  /// There is none: the model is explicit, or cannot be brought into this form.
  bool empty() const { return levels.empty(); }

  /// What is for descriptions alone, and not among the numbers below.
  struct Named {
    std::string description;
    double nominal = 1.0;
  };
  std::vector<Named> named_residuals, named_invariants;
};

/// As numbers, for a source that is linked with the FMU; and back.
std::vector<unsigned> numbers_of(const DaeForm& form);
DaeForm dae_form_of(const unsigned* numbers);

}  // namespace saltus::fmu_export
