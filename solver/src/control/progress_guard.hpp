// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/accumulation.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/hybrid_system.hpp"
#include "saltus/core/standstill.hpp"

namespace saltus {

/// Tells a run with many events from one in which time stands still, and says which indicators are
/// to blame.
class ProgressGuard {
 public:
  ProgressGuard(const HybridSystem& system, const ControllerOptions& options);

  void begin(const Experiment& experiment);
  /// Throws `EventError` when this event is one too many.
  void event(const Arrival& arrival);
  /// The error for a discrete update that never settles.
  [[noreturn]] void iteration_failed(double t, int passes) const;

 private:
  [[noreturn]] void chattering(double t) const;
  struct Limit {
    double time, ratio;
    const char* addition = "";
  };
  [[noreturn]] void zeno(double t, const Limit& limit) const;
  void follow(double t, std::size_t series);
  void look_for_limit(double t, const Accumulation& series) const;
  std::vector<std::string> blamed() const;

  const HybridSystem& system_;
  const ControllerOptions& options_;
  Standstill standstill_;
  double stop_ = kNever;
  std::vector<std::size_t> indicators_;  // of the last event that had any
  // Each indicator's own events, whatever happens in between; the first are those of no indicator.
  std::vector<Accumulation> series_;
  int below_rounding_ = 0;  // events in a row
};

}  // namespace saltus
