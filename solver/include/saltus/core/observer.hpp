// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>

#include "saltus/core/hybrid_system.hpp"

namespace saltus {

/// At what point of a run an observer is asked to look. An event is seen twice, as left and right
/// limit; a report that falls on an event is those two looks and no third.
enum class Moment { initial, report, before_event, after_event, final };

/// One stay in event mode. `indicators` and `changes`, one for each of them or none at all, are
/// valid during the call.
struct EventRecord {
  double time = 0.0;
  EventKind kind = EventKind::state;
  std::span<const std::size_t> indicators = {};
  std::span<const IndicatorChange> changes = {};
};

/// Looks at a system while it rests. It receives no values: it reads what it was built with.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  virtual void sample(double t, Moment moment) = 0;
  /// Called once per event, between its left and its right limit; not for the end of
  /// initialisation.
  virtual void event(const EventRecord& record);
  /// Called when something doubtful is first met, at any point of a run.
  virtual void warning(const Warning& warning);
};

}  // namespace saltus
