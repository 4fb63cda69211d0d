// SPDX-License-Identifier: BSD-2-Clause
#include "charge_pump.hpp"

#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(saltus::reference::ChargePump)
