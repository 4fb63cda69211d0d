// SPDX-License-Identifier: BSD-2-Clause
#include "output_derivatives.hpp"

#include "call_error.hpp"

namespace saltus::fmu_export {

using modeling::Variable;

void check_output_derivative(const Values& values, Reference output, std::int32_t order) {
  const Variable* v = values.variable(output);
  const bool moves = v != nullptr && v->causality == Variable::Causality::output &&
                     v->is_number() && v->role != Variable::Role::discrete;
  if (!moves) {
    throw CallError(values.described(output) + " has no derivative: continuous real outputs have");
  }
  if (order != 1) {
    throw CallError("derivative " + std::to_string(order) + " of " + values.described(output) +
                    " was asked for: maxOutputDerivativeOrder is 1, and 0 is not allowed");
  }
}

OutputMotion output_motion(const modeling::DescribedModel& model) {
  OutputMotion motion;
  motion.knowns.push_back(0);
  motion.seed.push_back(1.0);
  const std::span<const Variable> all = model.variables();
  for (std::size_t slope = 0; slope < all.size(); ++slope) {
    if (all[slope].role != Variable::Role::derivative) continue;
    for (std::size_t state = 0; state < all.size(); ++state) {
      if (all[state].role == Variable::Role::state && all[state].index == all[slope].index) {
        motion.knowns.push_back(static_cast<Reference>(state + 1));
        motion.seed.push_back(model.number(slope));
      }
    }
  }
  return motion;
}

}  // namespace saltus::fmu_export
