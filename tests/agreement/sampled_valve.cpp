// SPDX-License-Identifier: BSD-2-Clause
#include "sampled_valve.hpp"

#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(SampledValve)
