// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "saltus/core/directional.hpp"

namespace saltus::modeling {

/// Looks for events that follow each other within what a tolerance leaves open, such as a clock and
/// a crossing at one instant: which of them a run meets first is a matter of rounding, and so may
/// be what derivatives come of it.
///
///     const bool meets = near.meets({.time = t, .blur = blur, .changed = changed});
class NearEvents {
 public:
  struct Event {
    double time = 0.0;
    double blur = 0.0;                      ///< how far it might be from there
    std::vector<std::size_t> changed = {};  ///< indicators; a clock has none
  };
  /// At the start of a run; or after an event of a saved one.
  void restart() { restart({.time = -kNever}); }
  void restart(Event last) { last_ = std::move(last); }
  const Event& last() const { return last_; }
  /// Whether it might as well have come before the last one, which is another. Not where the last
  /// one has changed the same indicators: that is the way back over one surface.
  bool meets(Event event);
  /// The rest of the sentence about one of both.
  static const char* why();

  /// How an indicator changes along a direction at the point of an event.
  using Along = std::function<Eval(const Direction& along, Vec rates)>;
  /// By how much the time of an event is not known, if unknowns are known up to `tolerance`.
  /// `slope` is that of the motion before the event.
  static double blur(const DescribedModel& model, ConstVec y, ConstVec slope,
                     const std::vector<std::size_t>& changed, double tolerance, const Along& along);

 private:
  Event last_{.time = -kNever};
};

}  // namespace saltus::modeling
