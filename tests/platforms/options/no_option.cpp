// SPDX-License-Identifier: BSD-2-Clause
#if defined(FIRST) || defined(SECOND)
#error "there is an option that this file has not"
#endif
