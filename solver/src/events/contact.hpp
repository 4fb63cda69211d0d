// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "saltus/core/model.hpp"

namespace saltus {

/// One contact of a resting motion: where the indicator shows a distance h, and J, the direction in
/// which an impact moves the states, as long as the largest impact so far.
///
/// The distance is read at y - J, as an approaching body sees it. h does not depend on speeds, so
/// that makes no difference to it; but in a condition such as `h <= 0 && v < 0`, whose indicator is
/// the smaller of two margins and has a kink where both vanish, it brings out the first.
struct Contact {
  std::size_t indicator = 0;
  double side = 1.0;  ///< h = side * z is positive in flight
  std::vector<double> j;
  std::vector<double> lift = {};  ///< what J does to the slope: the direction in which h is mended
  bool leaves = false;
};

/// Distances of contacts, and their derivatives along the flow of a model.
class ContactMotion {
 public:
  explicit ContactMotion(Model& model) : model_(model) {}

  /// Differences look neither before the last event (FMI 3.0, 3.2.1: time does not go back there)
  /// nor beyond the barrier.
  void set_window(double last_event, double barrier) {
    last_event_ = last_event;
    barrier_ = barrier;
  }
  void resize(const Shape& shape);

  /// h at (t, y), read at y - part * J.
  double distance(const Contact& contact, double t, ConstVec y, double part = 1.0);
  /// h' at (t, y) with slope f.
  double rate(const Contact& contact, double t, ConstVec y, ConstVec f, double part = 1.0);
  /// h'' of all contacts. Returns whether the slopes around could be evaluated.
  bool accelerations(const std::vector<Contact>& contacts, double t, ConstVec y, ConstVec f,
                     std::vector<double>& result);
  /// What each J_k does to each h_i' (row i), and `lift`.
  bool responses(std::vector<Contact>& contacts, double t, ConstVec y, ConstVec f,
                 std::vector<double>& matrix);

 private:
  double stride(double t, ConstVec y, ConstVec f, double size) const;

  Model& model_;
  double last_event_ = -kNever;
  double barrier_ = kNever;
  std::vector<double> nominal_, point_, shifted_, slope_, z_;
};

/// Solves a small system by elimination with pivots; `matrix` is row by row. What is singular gives
/// numbers that are not finite.
std::vector<double> solve(std::vector<double> matrix, std::vector<double> right);

}  // namespace saltus
