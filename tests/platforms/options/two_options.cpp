// SPDX-License-Identifier: BSD-2-Clause
#if !defined(FIRST) || !defined(SECOND)
#error "an option of this file is missing"
#endif
