// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <cstdlib>
#include <exception>

// What the C++ runtime inside an FMU does where no handler is left for an exception, as in a
// function that must not throw. The one that it brings along spells the type of the exception, and
// needs 47 kB for that.
namespace __gnu_cxx {  // NOLINT(bugprone-reserved-identifier): the name that the runtime asks for

void __verbose_terminate_handler();  // NOLINT(bugprone-reserved-identifier)

void __verbose_terminate_handler() {  // NOLINT(bugprone-reserved-identifier)
  std::fputs("an FMU ends the process: an exception was not handled", stderr);
  try {
    if (std::current_exception() != nullptr) {
      throw;
    }
  } catch (const std::exception& error) {
    std::fputs(": ", stderr);
    std::fputs(error.what(), stderr);
  } catch (...) {  // NOLINT(bugprone-empty-catch): it says nothing of itself
  }
  std::fputs("\n", stderr);
  std::abort();
}

}  // namespace __gnu_cxx
