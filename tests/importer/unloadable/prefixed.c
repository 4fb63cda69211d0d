// SPDX-License-Identifier: BSD-2-Clause
// A binary whose functions have the model identifier in front of their names, as FMI wants it of
// static libraries alone.

__attribute__((visibility("default"))) const char* small_fmi3GetVersion(void);

const char* small_fmi3GetVersion(void) { return "3.0"; }
