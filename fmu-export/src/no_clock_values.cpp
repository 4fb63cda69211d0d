// SPDX-License-Identifier: BSD-2-Clause
// In FMUs whose models declare no clocks, in place of `clock_values.cpp`.
#include "call_error.hpp"
#include "instance.hpp"

namespace saltus::fmu_export {

void Instance::ask_clocks(const ClockCall& call) {
  if (!call.clocks.empty()) {
    throw CallError("the FMU has no variables of type Clock");
  }
}

void Instance::warn_of_clocks(bool, bool) const {}
bool Instance::finds_clocks() const { return false; }

}  // namespace saltus::fmu_export

/// By this name `saltus_add_fmu` asks for this file.
extern "C" const char saltus_no_clock_values = 0;
