// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>

#include "saltus/core/types.hpp"
#include "step_memory.hpp"

namespace saltus {

/// The phases between events that were integrated, the latest of each configuration of the
/// model: what the next one like it will be like. A ball on springs is now in flight, where one
/// step does, now on the ground, where the solution is a thousand times as fast; what was learned
/// of the one says nothing about the other.
class KnownPhases {
 public:
  explicit KnownPhases(StepMemory::Phases& of) : known_(of) {}

  const KnownPhase* in(double configuration) const {
    const KnownPhase* found = find(configuration);
    return found != known_.end() ? found : nullptr;
  }
  /// The shortest first step that was right for any of them; `kNever` where none is known.
  double shortest_opening() const {
    double shortest = kNever;
    for (const KnownPhase& each : known_) {
      shortest = each.certain ? std::min(shortest, each.opening) : shortest;
    }
    return shortest;
  }
  /// A phase has ended. The latest stands first; where there is no room, the oldest is forgotten.
  /// One that was merely passed through says nothing.
  void keep(const KnownPhase& phase) {
    if (phase.length <= kPassedThrough * phase.opening) {
      return;
    }
    KnownPhase* at = find(phase.configuration);
    at = at == known_.end() ? at - 1 : at;
    std::move_backward(known_.begin(), at, at + 1);
    // One by one: a copy by larger pieces would wait for the length, which has just been written.
    KnownPhase& latest = known_.front();
    latest.configuration = phase.configuration;
    latest.opening = phase.opening;
    latest.length = phase.length;
    latest.certain = phase.certain;
  }

 private:
  // A phase that ended within a thousandth of its first step tells nothing of how long its like
  // will last.
  static constexpr double kPassedThrough = 1e-3;

  KnownPhase* find(double configuration) const {
    return std::find_if(known_.begin(), known_.end(), [configuration](const KnownPhase& each) {
      return each.configuration == configuration;
    });
  }

  StepMemory::Phases& known_;
};

}  // namespace saltus
