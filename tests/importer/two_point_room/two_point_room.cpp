// SPDX-License-Identifier: BSD-2-Clause
#include "two_point_room.hpp"

#include "saltus/fmu_export/export_fmu.hpp"

SALTUS_EXPORT_FMU(saltus::test::TwoPointRoom)
