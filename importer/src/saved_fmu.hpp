// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <any>
#include <memory>
#include <utility>

#include "instance.hpp"
#include "saltus/importer/saved_fmu.hpp"

namespace saltus::importer {

struct SavedFmu::State {
  /// Saves the instance as it is.
  State(std::shared_ptr<Instance> of, std::any what_else)
      : instance(std::move(of)), notes(std::move(what_else)) {
    instance->save(state);
    instance->expect_return();
  }

  std::shared_ptr<Instance> instance;
  Instance::FmuState state;
  std::any notes;  ///< what the importer knows of that moment and the FMU does not tell
};

}  // namespace saltus::importer
