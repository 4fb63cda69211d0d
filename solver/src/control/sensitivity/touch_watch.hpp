// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "saltus/core/directional.hpp"

namespace saltus::modeling {

/// Looks for surfaces that are touched, or all but touched: whether an event is there depends on
/// less than the run knows, and derivatives that go on as if it were clear would be wrong.
///
///     watch.begin(t, y, tolerance);                // where a phase begins
///     if (auto touch = watch.step(t, y)) ...       // after each step without an event
///     if (watch.is_flat(t, y, i, slope)) ...       // at an event of the indicator i
///
/// Only where the model knows its derivatives exactly; others are not watched.
class TouchWatch {
 public:
  explicit TouchWatch(DescribedModel& model) : model_(model) {}

  void begin(double t, ConstVec y, double tolerance);
  /// Until the next phase.
  void stop() { watch_ = {}; }
  struct Touch {
    std::size_t indicator = 0;
    double time = 0.0;
    /// What is to be said of it: "is touched, ...".
    std::string why() const;
  };
  std::optional<Touch> step(double t, ConstVec y);
  /// Whether an indicator is met so flatly that it might as well turn back. `slope` is that of the
  /// motion before the event.
  bool is_flat(double t, ConstVec y, std::size_t indicator, ConstVec slope);
  static const char* why_flat();

  /// The directions of the model where it knows them exactly, else null.
  static Directional* exact(DescribedModel& model);

  void append_to(std::vector<std::byte>& bytes) const;
  /// Takes back what was appended. False where it is of another model.
  bool take_from(std::span<const std::byte>& bytes, std::size_t unknowns);

 private:
  Eval look(double t, ConstVec y, Vec z, Vec rates);
  bool can_follow(double end, ConstVec y, int parts);
  std::optional<Touch> check_touch(std::size_t indicator, double end, ConstVec y_end, double side);
  bool follow(double t, double step, std::vector<double>& y);
  double roundings_of(std::size_t indicator);
  std::pair<double, std::vector<double>> point_before(double t, ConstVec y, ConstVec slope);

  DescribedModel& model_;
  double tolerance_ = 0.0;
  std::vector<double> nominals_;
  // Where the last step has ended, the indicators there and how fast they change; and how large
  // they have been in this phase.
  struct Watch {
    double begin = 0.0;  // of the phase
    double time = 0.0;
    std::vector<double> y, z, rates, sizes;
  };
  Watch watch_;
  // Where the motion is looked at now.
  std::vector<double> z_, rates_;
  Direction motion_;
};

}  // namespace saltus::modeling
