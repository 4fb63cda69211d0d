// SPDX-License-Identifier: BSD-2-Clause
// What needy.c needs, in a library that its FMU does not bring along.

__attribute__((visibility("default"))) int saltus_test_provided(void);

int saltus_test_provided(void) { return 1; }
