// SPDX-License-Identifier: BSD-2-Clause
// In FMUs that do not offer Scheduled Execution, in place of `se_instance.cpp`.
#include "call_error.hpp"
#include "se_instance.hpp"

namespace saltus::fmu_export {

std::unique_ptr<Instance> scheduled_instance(const Log&, const Dialect&, const ScheduledSettings&) {
  throw CallError("this FMU offers Model Exchange and Co-Simulation only");
}

// Nobody has an instance to call these with.
void activate_partition(Instance&, Reference, double) {}
Eval take_ticks(Instance&, References, const WholeArray&) { return Eval::discard; }
void allow_preemption(Instance&, bool) {}

}  // namespace saltus::fmu_export

/// By this name `saltus_add_fmu` asks for this file.
extern "C" const char saltus_no_scheduled_execution = 0;
