// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/core/described_model.hpp"

namespace saltus::fmu_export {

/// Whether a model that asks for Scheduled Execution consists of what happens at ticks of clocks.
/// Throws `std::invalid_argument` saying what else there is. The model is run at its start.
void check_scheduled(modeling::DescribedModel& model);

}  // namespace saltus::fmu_export
