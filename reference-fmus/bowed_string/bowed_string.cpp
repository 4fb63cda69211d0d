// SPDX-License-Identifier: BSD-2-Clause
#include "bowed_string.hpp"

#include "saltus/fmu_export/export_fmu.hpp"

// Bow and string take the mean of their speeds where they stick, as published.
SALTUS_EXPORT_FMU(saltus::reference::BowedString,
                  .after_event = saltus::ReductionOptions::Start::nearest)
