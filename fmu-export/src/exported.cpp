// SPDX-License-Identifier: BSD-2-Clause
#include "exported.hpp"

#include <cstddef>
#include <utility>

#include "saltus/modeling/reduced_described_model.hpp"
#include "saltus/modeling/sliding_described_model.hpp"

namespace saltus::fmu_export {

namespace {

bool decides_in_equations(modeling::DescribedModel& model) {
  Sides* const sides = model.sides();
  for (std::size_t i = 0; sides != nullptr && i < model.shape().indicators; ++i) {
    if (sides->may_switch_equations(i)) {
      return true;
    }
  }
  return false;
}

}  // namespace

// What may slide is driven in an explicit form, since nothing else has two sides that could be
// mixed.
ExportedModel exported_model(Interface interface) {
  ExportedModel exported;
  saltus_exported_model(exported);
  const bool own_integrator = interface == Interface::co_simulation;
  const bool slides = exported.model->is_explicit() || decides_in_equations(*exported.model);
  if (!exported.model->is_explicit()) {
    exported.reduction.form = own_integrator && !slides ? ReductionOptions::Form::implicit_form
                                                        : ReductionOptions::Form::explicit_form;
    exported.model = std::make_unique<modeling::ReducedDescribedModel>(std::move(exported.model),
                                                                       exported.reduction);
  }
  if (slides) {
    exported.model = std::make_unique<modeling::SlidingDescribedModel>(
        std::move(exported.model), SlidingOptions{.projecting_driver = own_integrator});
  }
  return exported;
}

}  // namespace saltus::fmu_export
