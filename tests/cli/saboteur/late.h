// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stdbool.h>

/// What an FMU leaves behind for later: threads that fail while another call is under way or when
/// all calls are done, handlers for the end of the process, a timer, destructors of its threads.
///
///     crash_meanwhile, exit_meanwhile   a thread does it while the call takes half a second
///     crash_after_N, exit_after_N       a thread does it after N microseconds
///     atexit_DEED                       a handler of atexit, which unloading the library calls
///     kept_atexit_DEED                  the same, and the library cannot be unloaded
///     on_exit_DEED                      a handler of on_exit: only the end of the process calls it
///     exit_over_DEED                    such a handler of atexit, and then exit(3)
///     key_DEED                          the destructor of what this thread keeps for itself
///     timer                             a signal every half millisecond
///
/// A DEED is segv, abort, loop, sleep, print, exit3, exit0, _exit0 or _exit7.
///
/// True: the way is one of these, and is prepared.
bool prepare_for_later(const char* way);
