// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "documentation/default_run.hpp"

namespace saltus::fmu_export {

/// The curves of a run as a picture in HTML (inline SVG), one above the other over the same time;
/// outputs first, then states and what else may change. Empty where there is nothing to show.
std::string curves(const DefaultRun& run);

}  // namespace saltus::fmu_export
