// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "check_dae_form.hpp"
#include "documentation/default_run.hpp"
#include "find_dae_form.hpp"

namespace saltus::fmu_export {

/// What was found out about the model while it was described.
struct DocumentedModel {
  std::string index;  ///< the analysis of its equations
  const FoundDaeForm& dae;
  DaeSelfTest self_test;
  const DefaultRun& run;
};

/// documentation/index.html: one page in HTML 5 that needs nothing else, neither a network nor a
/// program. The same model gives the same bytes.
std::string documentation_page(const DocumentedModel& documented);

}  // namespace saltus::fmu_export
