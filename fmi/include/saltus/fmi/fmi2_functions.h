// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/fmi/fmi2.h"

/// The prototypes of all FMI 2.0 functions, for whoever implements an FMU, as `fmi3_functions.h`
/// has those of FMI 3.0. One source may include both, and one library may show both.

#ifdef __cplusplus
extern "C" {
#endif

#define SALTUS_FMI2_PROTOTYPE(Return, Name, Parameters) \
  __attribute__((visibility("default"))) Return Name Parameters;
SALTUS_FMI2_FUNCTIONS(SALTUS_FMI2_PROTOTYPE)
#undef SALTUS_FMI2_PROTOTYPE

#ifdef __cplusplus
}
#endif
