// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus::problems {

/// What the balls fall on, and how long.
struct Ground {
  double spring;
  double damper;
  double stop;
};

/// A row of a hundred balls, each dropped a nanometre higher than the one before, on a ground of
/// springs and dampers: impacts follow each other within 2.3e-10 s (Compere 2001, 5.3.3). Each ball
/// lands and leaves six times before the run ends, which makes the published 1200 events.
///
/// The print does not give the ground. With each flight the row gets longer, the more so the more
/// of its speed a ball keeps: from 2.3e-8 s at the first landing, each bounce by a part `e` adds
/// twice that times a power of `e`. Two grounds stand for two cases:
///  - on the dull one (e = 0.6) the row never outgrows the published region of 1e-7 s, so that 12
///    events are to be located;
///  - on the lively one (e = 0.79) it does from the fourth landing on, which gives the 18 located
///    events of the publication.
/// With a tolerance of 1e-3 m for positions, much harder grounds, on which balls sink by less than
/// a centimetre, make no sense.
class BallRow : public OdeModel {
 public:
  static constexpr Ground kDull{.spring = 1e5, .damper = 100.0, .stop = 1.77};
  static constexpr Ground kLively{.spring = 1e4, .damper = 15.0, .stop = 3.0};
  /// As published, 5.3.3. The error test there has one tolerance for all: that of the largest
  /// unknown, or of 1.
  static constexpr IntegratorOptions kTolerance{.relative_tolerance = 1e-3,
                                                .absolute_tolerance = 1e-3};
  static constexpr EventOptions kRegion{.concurrency_time = 1e-7, .concurrency_amplitude = 1e-6};

  static constexpr std::size_t kBalls = 100;
  static constexpr double kGravity = 9.81;

  explicit BallRow(const Ground& ground) : ground_(ground) {}

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
      yp[2 * i + 1] =
          -kGravity - (in_contact_[i] ? ground_.spring * height + ground_.damper * speed : 0.0);
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
  Ground ground_;
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
