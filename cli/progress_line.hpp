// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include "saltus/core/model.hpp"

namespace saltus::cli {

/// One line on the standard error that is written over and over, while that is a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(const Experiment& experiment) : experiment_(experiment) {}
  ~ProgressLine() { erase(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether there is a terminal to draw on.
  static bool is_possible();

  void draw(double t, std::size_t events);
  /// Leaves the terminal as it was.
  void erase();

 private:
  Experiment experiment_;
  bool drawn_ = false;
};

}  // namespace saltus::cli
