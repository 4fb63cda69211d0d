// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/control/prepared_model.hpp"

#include <cstddef>
#include <utility>

namespace saltus::modeling {

bool decides_in_equations(DescribedModel& model) {
  Configurations* const sides = model.capabilities().configurations;
  for (std::size_t i = 0; sides != nullptr && i < model.shape().indicators; ++i) {
    if (sides->may_switch_equations(i)) {
      return true;
    }
  }
  return false;
}

std::unique_ptr<DescribedModel> prepared(std::unique_ptr<DescribedModel> model,
                                         const Preparation& how) {
  const bool slides = how.sliding && decides_in_equations(*model);
  if (!model->is_explicit()) {
    ReductionOptions reduction = how.reduction;
    reduction.form = how.own_integrator && !slides && !how.explicit_form
                         ? ReductionOptions::Form::implicit_form
                         : ReductionOptions::Form::explicit_form;
    reduction.projecting_driver = how.own_integrator;
    model = how.reduce(std::move(model), reduction);
  }
  if (slides) {
    model = how.slide(std::move(model), SlidingOptions{.projecting_driver = how.own_integrator});
  }
  return model;
}

}  // namespace saltus::modeling
