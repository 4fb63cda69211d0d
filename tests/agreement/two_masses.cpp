// SPDX-License-Identifier: BSD-2-Clause
#include "problems/two_masses.hpp"

#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(saltus::problems::TwoMasses)
