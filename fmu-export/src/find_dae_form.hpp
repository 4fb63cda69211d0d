// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "dae_form.hpp"
#include "saltus/core/variable_derivatives.hpp"

namespace saltus::fmu_export {

/// What an unknown of the form depends on: positions of states and algebraics of the form, in
/// `DaeModel`'s terms, and what is known about the factor.
struct DaeDependencies {
  struct On {
    std::size_t state_or_algebraic = 0;  ///< the algebraics behind the states
    bool linear = false;                 ///< with a factor that only parameters change
  };
  std::vector<std::vector<On>> slopes;     ///< in the order of the states
  std::vector<std::vector<On>> residuals;  ///< likewise; none: on everything
};

/// The form as a DAE of the exported model, as it is at its start.
struct FoundDaeForm {
  DaeForm form;
  DaeDependencies dependencies;
  std::string why_not;  ///< where there is none
};
FoundDaeForm find_dae_form();

}  // namespace saltus::fmu_export
