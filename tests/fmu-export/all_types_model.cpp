// SPDX-License-Identifier: BSD-2-Clause
#include "all_types.hpp"
#include "saltus/fmu_export/export_fmu.hpp"

#ifdef SALTUS_WITHOUT_BINARIES
SALTUS_EXPORT_FMU(all_types::AllTypes)
#elif defined(SALTUS_WITH_SWITCH)
SALTUS_EXPORT_FMU(all_types::AllTypesThatSwitch)
#else
SALTUS_EXPORT_FMU(all_types::AllTypesOfFmi3)
#endif
