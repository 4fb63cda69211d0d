// SPDX-License-Identifier: BSD-2-Clause
#include "joined_rests.hpp"
#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(saltus::truth::JoinedRests)
