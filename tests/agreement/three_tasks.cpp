// SPDX-License-Identifier: BSD-2-Clause
#include "three_tasks.hpp"

#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(ThreeTasks)
