// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/fmi/fmi3.h"

/// The prototypes of all FMI 3.0 functions, for whoever implements an FMU.
///
/// A source that defines the functions includes this header, and the compiler then checks each
/// definition against the standard's signature. The prototypes also make the functions visible: an
/// FMU is compiled with hidden visibility, so that these functions and nothing else leave its
/// library and two FMUs in one process cannot bind to each other's symbols. Importers do not want
/// this header: they reach the functions through pointers, by the table of `fmi3.h`.

#ifdef __cplusplus
extern "C" {
#endif

#define SALTUS_FMI3_PROTOTYPE(Return, Name, Parameters) \
  __attribute__((visibility("default"))) Return Name Parameters;
SALTUS_FMI3_FUNCTIONS(SALTUS_FMI3_PROTOTYPE)
#undef SALTUS_FMI3_PROTOTYPE

#ifdef __cplusplus
}
#endif
