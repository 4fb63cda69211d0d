// SPDX-License-Identifier: BSD-2-Clause
#include "boost_converter.hpp"

#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(saltus::reference::BoostConverter)
