// SPDX-License-Identifier: BSD-2-Clause
// A binary that needs another library, whether it says which (linked with provider.c) or not.

#include "saltus/fmi/fmi3_functions.h"

extern int saltus_test_provided(void);

const char* fmi3GetVersion(void) { return saltus_test_provided() != 0 ? fmi3Version : "0"; }
