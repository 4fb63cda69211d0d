// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include "instance.hpp"
#include "log.hpp"

namespace saltus::fmu_export {

/// What every importer says when it asks for an instance.
struct Introduction {
  const char* function;                 ///< that it called
  const char* instance_name = nullptr;  ///< as it was passed, NULL included
  const char* token_name;               ///< how this version of FMI calls the token
  const char* token = nullptr;          ///< as it stands in the description that the importer read
  const std::string& (*own_token)() = nullptr;
};

/// Throws `CallError` on an introduction that is none.
void check(const Introduction& importer);
/// Tells the exception that is being handled.
void tell_failure(const Log& log, const Introduction& importer) noexcept;

/// How instances come to be. It does not throw: a null pointer is the answer to what cannot be, and
/// the log says why (FMI 3.0, 2.3.1; 2.0, 2.1.5).
template <class MakeLog, class Make>
Instance* instantiate(const Introduction& importer, const MakeLog& make_log,
                      const Make& make) noexcept {
  try {
    const Log log = make_log();
    try {
      check(importer);
      return make(log).release();
    } catch (...) {
      tell_failure(log, importer);
    }
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is no memory to tell anybody
  }
  return nullptr;
}

}  // namespace saltus::fmu_export
