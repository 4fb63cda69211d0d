// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include "find_dae_form.hpp"

namespace saltus::fmu_export {

/// What a self-test of both modes has seen.
struct DaeSelfTest {
  std::size_t points = 0;  ///< at which they were compared
  double largest = 0.0;    ///< difference, in the size of the variable
};

/// A self-test of both modes, before an FMU is built: at the start and along the first steps of the
/// default experiment the residuals vanish for what the model finds as an ODE, and who solves them
/// from beside finds the same algebraics and slopes. Throws `std::runtime_error` where they are
/// others. Where nothing is found from beside, the form is dropped, and says why.
DaeSelfTest check_dae_form(FoundDaeForm& found);

}  // namespace saltus::fmu_export
