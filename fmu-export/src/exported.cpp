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
    using Form = ReductionOptions::Form;
    exported.model = std::make_unique<modeling::ReducedDescribedModel>(
        std::move(exported.model),
        ReductionOptions{.form = own_integrator ? Form::implicit_form : Form::explicit_form});
  }
  return exported;
}

}  // namespace saltus::fmu_export
