// SPDX-License-Identifier: BSD-2-Clause
#include "../support/timed_waves.hpp"

#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(saltus::test::TimedWaves)
