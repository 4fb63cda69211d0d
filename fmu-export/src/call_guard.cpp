// SPDX-License-Identifier: BSD-2-Clause
#include "call_guard.hpp"

#include <exception>
#include <new>

namespace saltus::fmu_export {
namespace {

fmi3Status end_with_error(Instance& instance, Function function, const std::string& reason) {
  instance.log().write(LogCategory::error, std::string(to_string(function)) + ": " + reason);
  instance.end_after_error();
  return fmi3Error;
}

fmi3Status end_with_fatal_error(Instance& instance, Function function,
                                const char* reason) noexcept {
  instance.end_after_fatal_error();
  try {
    instance.log().write(LogCategory::fatal, std::string(to_string(function)) + ": " + reason);
  } catch (...) {
    instance.log().write(LogCategory::fatal, reason);
  }
  return fmi3Fatal;
}

}  // namespace

fmi3Status refuse(Instance& instance, Function function) noexcept {
  if (instance.mode() == Mode::broken) {
    return fmi3Fatal;
  }
  try {
    if (const char* reason = never_because(function)) {
      return end_with_error(instance, function, std::string("not available: ") + reason);
    }
    if (allowed_modes(instance.interface(), function) == 0) {
      return end_with_error(instance, function,
                            std::string("not a function of ") + to_string(instance.interface()));
    }
    return end_with_error(instance, function,
                          std::string("not allowed in ") + to_string(instance.mode()) + " of " +
                              to_string(instance.interface()));
  } catch (...) {
    return end_with_fatal_error(instance, function, "out of memory");
  }
}

fmi3Status fail(Instance& instance, Function function) noexcept {
  if (instance.mode() == Mode::broken) {  // by a call within this one
    return fmi3Fatal;
  }
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return end_with_fatal_error(instance, function, "out of memory");
  } catch (const std::exception& error) {
    try {
      return end_with_error(instance, function, error.what());
    } catch (...) {
      return end_with_fatal_error(instance, function, "out of memory");
    }
  } catch (...) {
    return end_with_fatal_error(instance, function, "an exception of unknown type");
  }
}

fmi3Status discard(Instance& instance, Function function) noexcept {
  if (instance.log().wants(LogCategory::discard)) {
    try {
      instance.log().write(LogCategory::discard,
                           std::string(to_string(function)) +
                               ": the model cannot be evaluated at this point (a result is not "
                               "finite); try one nearer to the last good one");
    } catch (...) {  // NOLINT(bugprone-empty-catch): the status says enough
    }
  }
  return fmi3Discard;
}

}  // namespace saltus::fmu_export
