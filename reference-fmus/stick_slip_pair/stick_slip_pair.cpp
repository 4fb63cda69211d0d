// SPDX-License-Identifier: BSD-2-Clause
#include "stick_slip_pair.hpp"

#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(saltus::reference::StickSlipPair)
