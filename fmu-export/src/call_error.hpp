// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stdexcept>

namespace saltus::fmu_export {

/// The importer called with something it may not: a wrong count, an unknown variable, a time in the
/// past. It becomes a logged message and `fmi3Error`.
class CallError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace saltus::fmu_export
