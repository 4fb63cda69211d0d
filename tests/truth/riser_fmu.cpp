// SPDX-License-Identifier: BSD-2-Clause
#include "riser.hpp"
#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(saltus::truth::Riser)
