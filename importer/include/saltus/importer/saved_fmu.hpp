// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

namespace saltus::importer {

/// An FMU at a moment of a run, with its mode, time, states and inputs, as `FmuModel::save` and
/// `CoSimulationFmu::save` hand it out; the FMU itself keeps it. It keeps the instance alive, and
/// with it the library and the call log's need to exist.
class SavedFmu {
 public:
  ~SavedFmu();
  SavedFmu(const SavedFmu&) = delete;
  SavedFmu& operator=(const SavedFmu&) = delete;

 private:
  friend class FmuModel;
  friend class CoSimulationFmu;
  friend class ScheduledExecutionFmu;
  struct State;
  explicit SavedFmu(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace saltus::importer
