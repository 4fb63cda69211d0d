// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <vector>

#include "../instance.hpp"

namespace saltus::importer::validation {

/// A call that is wrong in a mode.
struct IllegalCall {
  const char* function;  ///< without fmi2 or fmi3
  std::vector<Instance::Mode> modes;
  std::function<void(Instance&)> call;
  bool is_fmi3_only = false;
  const char* argument = "";  ///< what is wrong with it, where the mode is right
};

/// Those of Model Exchange and of Co-Simulation, after the tables "Allowed Function Calls" of the
/// state machines.
std::vector<IllegalCall> illegal_calls(InterfaceType type, const ModelDescription& description);

/// "Initialization Mode".
const char* mode_name(Instance::Mode mode);

}  // namespace saltus::importer::validation
