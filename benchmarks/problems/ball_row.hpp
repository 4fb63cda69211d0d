// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "saltus/model.hpp"

namespace saltus::problems {

/// A row of a hundred balls, each dropped a nanometre higher than the one before, on a ground of
/// springs and dampers: impacts follow each other within 2.3e-10 s (Compere 2001, 5.3.3).
///
/// The print gives neither the ground nor the end of the run; these make six impacts and six
/// releases of each ball, as published: 1200 events.
class BallRow : public OdeModel {
 public:
  static constexpr std::size_t kBalls = 100;
  static constexpr double kGravity = 9.81;
  static constexpr double kSpring = 2.0e4;
  static constexpr double kDamper = 30.0;
  static constexpr double kStop = 2.43;

  Shape shape() const override { return {.states = 2 * kBalls, .indicators = kBalls}; }

  void initialize(const Experiment&, Vec y) override {
    for (std::size_t i = 0; i < kBalls; ++i) {
      y[2 * i] = 1.0 + 1e-9 * static_cast<double>(i);
      y[2 * i + 1] = 0.0;
    }
    in_contact_.assign(kBalls, false);
  }
  EventUpdate update_discrete_states(double, Vec y) override {
    EventUpdate update;
    for (std::size_t i = 0; i < kBalls; ++i) {
      const bool contact = !(y[2 * i] > 0.0);
      update.iterate = update.iterate || contact != in_contact_[i];
      changes_ += contact != in_contact_[i] ? 1 : 0;
      in_contact_[i] = contact;
    }
    return update;
  }
  Eval derivatives(double, ConstVec y, Vec yp) override {
    for (std::size_t i = 0; i < kBalls; ++i) {
      const double height = y[2 * i];
      const double speed = y[2 * i + 1];
      yp[2 * i] = speed;
      yp[2 * i + 1] = -kGravity - (in_contact_[i] ? kSpring * height + kDamper * speed : 0.0);
    }
    return Eval::ok;
  }
  Eval indicators(double, ConstVec y, Vec z) override {
    for (std::size_t i = 0; i < kBalls; ++i) {
      z[i] = y[2 * i];
    }
    return Eval::ok;
  }

  /// How often a ball has met or left the ground.
  std::size_t changes() const { return changes_; }

 private:
  std::vector<bool> in_contact_;
  std::size_t changes_ = 0;
};

/// Published for 1200 events: right-hand sides and located events without and with the region of
/// concurrency, and right-hand sides of a solver that looks for no events.
struct BallRowPublished {
  static constexpr double rhs_one_by_one = 31423.0;
  static constexpr double rhs_together = 685.0;
  static constexpr double events_together = 18.0;
  static constexpr double rhs_smooth = 4963.0;
};

}  // namespace saltus::problems
