// SPDX-License-Identifier: BSD-2-Clause
#include "rubbing_bodies.hpp"
#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(saltus::truth::RubbingBodies)
