// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "values.hpp"

namespace saltus::fmu_export {

/// What an unknown depends on, by value references.
struct DependencyList {
  struct Dependency {
    Reference on = 0;
    DependencyKind kind = DependencyKind::dependent;
    /// Of the unknown, and of what it depends on: as FMI counts them, from 1; of a scalar the
    /// first.
    std::size_t element = 1;
    std::size_t element_of_on = 1;
  };
  std::vector<Dependency> members;
};

/// The dependencies of a model's variables, found out when the first is asked for.
class DependencyTable {
 public:
  /// Throws `CallError` where the variable is no unknown. At the `start`, before initialisation has
  /// ended, an unknown may depend on everything that is given there, parameters too; later on
  /// states, inputs and the time, of which the list may leave out some. In DAE mode (`dae`)
  /// algebraics are known as well.
  DependencyList of(modeling::DescribedModel& model, const Values& values, Reference unknown,
                    bool start, bool dae);

  /// Others than those of the description, of other sizes.
  void know(std::vector<VariableDependencies> found) { known_ = std::move(found); }

 private:
  std::optional<std::vector<VariableDependencies>> known_;
};

}  // namespace saltus::fmu_export
