// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "saltus/autodiff/time_comparisons.hpp"

namespace saltus::modeling {

/// Looks ahead for the first change of comparisons that time alone moves, along a curve:
/// `sin(50 * time) > 0`. Margins and their rates at both ends of an interval make a cubic; where
/// one more sample lies on it, the cubic tells what the margin does in between, and the next
/// interval is longer. Otherwise it is shorter. No interval is a matter of a step size, so that
/// nothing is passed over because nothing else moves as fast.
///
/// Samples tell nothing of a pulse between them where all of them lie on a straight line: what is
/// as good as constant over a long time, and not in a short one, may be passed over.
class TimeCurves {
 public:
  /// `which` of the comparisons that `look` meets are looked at, as they are at `now`.
  TimeCurves(double now, const ComparisonPass& look, std::vector<std::size_t> which);

  /// The first number after `now` at which one of them has changed, if it is before `until`. Where
  /// many samples show none, the time up to which there is none: to look again from there.
  double first_change(double until);

 private:
  struct Sample {
    double time = 0.0;
    std::vector<Comparison> met;
  };
  /// What the cubic of one comparison says, as it is computed from the ends of an interval.
  struct Cubic;

  bool take(double time, Sample& at);
  double possible_growth(const Sample& a, const Sample& m, const Sample& b) const;
  double change_between(const Sample& a, const Sample& m, const Sample& b);
  double change_on_cubic(std::size_t i, const Sample& a, const Sample& b, double error);
  double enclose(std::size_t i, Sample a, Sample b);
  bool has_changed(std::size_t i, const Sample& at) const {
    return at.met[i].holds() != now_.met[i].holds();
  }

  const ComparisonPass& look_;
  std::vector<std::size_t> which_;
  Sample now_;
  int passes_ = 0;
};

}  // namespace saltus::modeling
