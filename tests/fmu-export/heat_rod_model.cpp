// SPDX-License-Identifier: BSD-2-Clause
// A rod whose number of cells importers may choose.
#include <saltus/fmu_export/export_fmu.hpp>

#include "heat_rod.hpp"

SALTUS_EXPORT_FMU(saltus::test::HeatRod)
