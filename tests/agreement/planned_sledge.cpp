// SPDX-License-Identifier: BSD-2-Clause
#include "planned_sledge.hpp"

#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(PlannedSledge)
