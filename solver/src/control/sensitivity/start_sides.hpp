// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "saltus/core/described_model.hpp"

namespace saltus::modeling {

/// Looks for runs that start on a surface: with slightly other parameters they would start on one
/// side of it or on the other. Where the sides disagree, derivatives by such parameters do not
/// exist, and those of the side that the run takes would be wrong on the other.
///
///     sides.look(experiment, parameters);            // before `Model::initialize`
///     if (auto loss = sides.loss(slides)) ...        // once the first phase has begun
///     if (sides.is_at_stop(t)) ...                   // at an event
///
/// Nothing but starts tells what happens beside one: the model is started once, and where it is on
/// a surface then, four times for each parameter. FMUs are not looked at.
class StartSides {
 public:
  explicit StartSides(DescribedModel& model) : model_(model) {}

  struct Parameter {
    std::size_t variable = 0;  ///< a parameter, or a state, whose start value is meant
    double size = 1.0;
    std::string name;
  };
  void look(const Experiment& experiment, const std::vector<Parameter>& parameters);

  /// Why there are no derivatives: of what, and the rest of the sentence. What slides from its
  /// start is drawn to the surfaces on which it slides; only the other ones matter then.
  struct Loss {
    std::string subject;
    std::string why;
  };
  std::optional<Loss> loss(bool slides) const;

  /// Whether an event at this time is where the run ends.
  bool is_at_stop(double t) const;
  static const char* why_at_stop();
  /// How much of a shift in time is none.
  double least_shift() const;

 private:
  struct Point {
    std::vector<double> indicators;
    std::vector<double> compared;  // what may be another on the other side
    std::vector<double> sizes;     // of these
  };
  Point start(const Experiment& experiment);
  void find_surfaces(double t, ConstVec y, const Point& point);
  void compare(const Experiment& experiment, const Parameter& parameter, const Point& here);

  DescribedModel& model_;
  Experiment experiment_;
  std::vector<std::size_t> on_;  // indicators that vanish at the start
  std::optional<Loss> loss_;
  bool also_while_sliding_ = false;
};

}  // namespace saltus::modeling
