// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "mode.hpp"
#include "saltus/core/described_model.hpp"

/// FMI-LS-DAE in an FMU: one more part that only a model of implicit equations has, see
/// `implicit_equations.hpp`.
namespace saltus::fmu_export {

struct DaeForm;
class Values;

/// The structural parameter that makes a DAE of an FMU.
struct DaeSwitch {
  std::size_t position = 0;  ///< of the variable
  bool on = false;           ///< in Co-Simulation never: there it says nothing
};

/// The model with what FMI-LS-DAE adds to it, in the form that the FMU's description knows; where
/// that is none, as it is.
std::unique_ptr<modeling::DescribedModel> with_dae_mode(
    std::unique_ptr<modeling::DescribedModel> model, Interface interface);
std::unique_ptr<modeling::DescribedModel> with_dae_mode(
    std::unique_ptr<modeling::DescribedModel> model, Interface interface, const DaeForm& form);

/// Of a model that has a DAE mode; it lives as long as the model. Null for all others.
const DaeSwitch* dae_switch(const modeling::DescribedModel& model);

/// Throws `CallError` for variables that FMI-LS-DAE adds while the FMU is an ODE, of which they are
/// no unknowns.
void check_differentiable(const DaeSwitch* dae, const Values& values, std::uint32_t reference);

}  // namespace saltus::fmu_export
