// SPDX-License-Identifier: BSD-2-Clause
#include "saved_fmu.hpp"

#include <exception>
#include <utility>

namespace saltus::importer {

SavedFmu::SavedFmu(std::unique_ptr<State> state) : state_(std::move(state)) {}

SavedFmu::~SavedFmu() {
  try {
    state_->instance->release(state_->state);
  } catch (const std::exception&) {  // an FMU that fails even here has nothing more to give back
  }
}

}  // namespace saltus::importer
