// SPDX-License-Identifier: BSD-2-Clause
#include "exported.hpp"

#include <utility>

#include "saltus/modeling/reduced_described_model.hpp"
#include "saltus/modeling/sliding_described_model.hpp"

namespace saltus::fmu_export {

ExportedModel exported_model(Interface interface) {
  ExportedModel exported;
  saltus_exported_model(exported);
  const bool own_integrator = interface == Interface::co_simulation;
  if (exported.model->is_explicit()) {
    exported.model = std::make_unique<modeling::SlidingDescribedModel>(
        std::move(exported.model), SlidingOptions{.projecting_driver = own_integrator});
  } else {
    exported.reduction.form = own_integrator ? ReductionOptions::Form::implicit_form
                                             : ReductionOptions::Form::explicit_form;
    exported.model = std::make_unique<modeling::ReducedDescribedModel>(std::move(exported.model),
                                                                       exported.reduction);
  }
  return exported;
}

}  // namespace saltus::fmu_export
