// SPDX-License-Identifier: BSD-2-Clause
#include "call_guard.hpp"

#include <exception>
#include <new>
#include <string>

#include "call_error.hpp"

namespace saltus::fmu_export {
namespace {

Status end_with_error(Instance& instance, const CallRule& call, const std::string& reason) {
  instance.log().write(LogCategory::error, std::string(call.name) + ": " + reason);
  instance.end_after_error();
  return Status::error;
}

Status end_with_fatal_error(Instance& instance, const CallRule& call, const char* reason) noexcept {
  instance.end_after_fatal_error();
  try {
    instance.log().write(LogCategory::fatal, std::string(call.name) + ": " + reason);
  } catch (...) {
    instance.log().write(LogCategory::fatal, reason);
  }
  return Status::fatal;
}

}  // namespace

Status refuse(Instance& instance, const CallRule& call) noexcept {
  if (instance.mode() == Mode::broken) {
    return Status::fatal;
  }
  try {
    if (const char* reason = call.never_because) {
      return end_with_error(instance, call, std::string("not available: ") + reason);
    }
    if (call.allowed(instance.interface()) == 0) {
      return end_with_error(instance, call,
                            std::string("not offered in ") + to_string(instance.interface()));
    }
    return end_with_error(instance, call,
                          std::string("not allowed in ") +
                              mode_word(instance.dialect(), instance.mode()) + " of " +
                              to_string(instance.interface()));
  } catch (...) {
    return end_with_fatal_error(instance, call, "out of memory");
  }
}

Status fail(Instance& instance, const CallRule& call) noexcept {
  if (instance.mode() == Mode::broken) {  // by a call within this one
    return Status::fatal;
  }
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return end_with_fatal_error(instance, call, "out of memory");
  } catch (const std::exception& error) {
    try {
      return end_with_error(instance, call, error.what());
    } catch (...) {
      return end_with_fatal_error(instance, call, "out of memory");
    }
  } catch (...) {
    return end_with_fatal_error(instance, call, "an exception of unknown type");
  }
}

Status discard(Instance& instance, const CallRule& call) noexcept {
  if (instance.log().wants(LogCategory::discard)) {
    try {
      instance.log().write(LogCategory::discard,
                           std::string(call.name) +
                               ": the model cannot be evaluated at this point (a result is not "
                               "finite); try one nearer to the last good one");
    } catch (...) {  // NOLINT(bugprone-empty-catch): the status says enough
    }
  }
  return Status::discard;
}

void refuse_null(const char* name) { throw CallError(std::string(name) + " is NULL"); }

}  // namespace saltus::fmu_export
