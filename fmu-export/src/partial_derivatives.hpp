// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "difference_derivatives.hpp"
#include "saltus/core/described_model.hpp"
#include "values.hpp"

namespace saltus::fmu_export {

/// The matrix J of partial derivatives of computed variables by those that are known, multiplied
/// from either side: FMI's directional and adjoint derivatives (3.0, 2.2.11).
///
/// It comes from the equations as they are written down, exactly; all products at one point share
/// one evaluation. Only where the motion slides, or an equation decides without an event, there is
/// nothing to write down, and extrapolated differences take its place.
///
/// Derivatives are those with all decisions frozen. Where the importer is not in continuous time
/// (in Event Mode, in Initialization Mode), they are frozen as the events that are due now leave
/// them, on a copy of the model.
///
/// In DAE mode algebraics are known, and all derivatives are partial ones.
class PartialDerivatives {
 public:
  explicit PartialDerivatives(Interface interface) : copy_(interface) {}

  struct Question {
    modeling::DescribedModel& model;
    const Values& values;
    const Situation& now;
    bool is_implicit;
    References unknowns;
    References knowns;
  };
  /// sensitivity = J seed. Throws `CallError` where a variable is neither of both kinds.
  Eval directional(const Question& question, ConstVec seed, Vec sensitivity);
  /// sensitivity = J' seed.
  Eval adjoint(const Question& question, ConstVec seed, Vec sensitivity);

 private:
  struct Places;
  Eval prepare(const Question& question, Places& places);
  template <class Add>
  void for_each_entry(const Places& places, const Add& add) const;

  ModelCopy copy_;
  // The entries at the point asked for last.
  VariableDerivatives* derivatives_ = nullptr;
  std::uint64_t revision_ = 0;
  bool by_all_ = false;
  std::vector<double> entries_;
};

}  // namespace saltus::fmu_export
