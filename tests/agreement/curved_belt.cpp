// SPDX-License-Identifier: BSD-2-Clause
#include "problems/curved_belt.hpp"

#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(saltus::problems::CurvedBelt)
