// SPDX-License-Identifier: BSD-2-Clause
#include "sized_network.hpp"

#include "saltus/fmu_export/export_fmu.hpp"

#ifdef SALTUS_SIZED_EQUATIONS
SALTUS_EXPORT_FMU(saltus::test::SizedEquations)
#else
SALTUS_EXPORT_FMU(saltus::test::SizedNetwork)
#endif
