// SPDX-License-Identifier: BSD-2-Clause
#if !defined(FIRST) || defined(SECOND)
#error "the option of this file is missing, or there is another one"
#endif
