// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mode.hpp"
#include "saltus/core/described_model.hpp"
#include "values.hpp"

namespace saltus::fmu_export {

/// A second model in the state of the one that the importer drives, with all decisions frozen:
/// whatever is tried on it, the first one does not notice.
class ModelCopy {
 public:
  explicit ModelCopy(Interface interface) : interface_(interface) {}

  /// Brings it to where `model` is. `revision` counts what happened there: without news nothing is
  /// done.
  modeling::DescribedModel& follow(const modeling::DescribedModel& model, const Situation& now,
                                   std::uint64_t revision);

 private:
  Interface interface_;
  std::unique_ptr<modeling::DescribedModel> model_;
  std::uint64_t revision_ = 0;
};

/// A variable that moves: its position, or `kTimePosition`, and how fast.
struct Moved {
  std::size_t position = 0;
  double rate = 0.0;
};

/// How fast the variables at `unknowns` change at the point `now` while those of `direction` move,
/// by central differences of decreasing width, extrapolated to none (Ridders, Advances in
/// Engineering Software 4 (1982) 75). The model is left as it was.
Eval differences(modeling::DescribedModel& model, const Situation& now,
                 std::span<const Moved> direction, std::span<const std::size_t> unknowns,
                 Vec rates);

}  // namespace saltus::fmu_export
