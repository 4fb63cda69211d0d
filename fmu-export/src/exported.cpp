// SPDX-License-Identifier: BSD-2-Clause
#include "exported.hpp"

#include <utility>

#include "dae_mode.hpp"
#include "implicit_equations.hpp"
#include "saltus/control/prepared_model.hpp"
#include "switching_equations.hpp"

namespace saltus::fmu_export {

ExportedModel exported_ode(Interface interface) {
  ExportedModel exported;
  saltus_exported_model(exported);
  exported.is_implicit = !exported.model->is_explicit();
  exported.may_slide = modeling::decides_in_equations(*exported.model);
  exported.model = modeling::prepared(std::move(exported.model),
                                      {.reduction = exported.reduction,
                                       .own_integrator = interface == Interface::co_simulation,
                                       .reduce = &reduced_equations,
                                       .slide = &switching_equations});
  return exported;
}

ExportedModel exported_model(Interface interface) {
  ExportedModel exported = exported_ode(interface);
  exported.model = with_dae_mode(std::move(exported.model), interface);
  return exported;
}

}  // namespace saltus::fmu_export
