// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/fmu_export/export_fmu.hpp"
#include "tanks.hpp"

SALTUS_EXPORT_FMU(saltus::truth::Tanks)
