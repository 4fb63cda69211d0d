// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "constrained_motion.hpp"
#include "post_stabilization.hpp"
#include "saltus/multibody/multibody_model.hpp"

namespace saltus {

/// What a multibody model remembers. Its functions are in two files: multibody_model.cpp answers
/// whoever drives it, multibody_points.cpp keeps points on the constraints.
struct MultibodyModel::State {
  State(const MultibodySystem& s, MultibodyOptions o);

  const MultibodySystem& system;
  MultibodyOptions options;
  multibody::ConstrainedMotion motion;
  multibody::PostStabilization stabilization;

  std::vector<multibody::Phase> phases;
  multibody::Vector speed;  // of the surfaces: zero but for those being reached
  std::vector<Reaching> reaching;
  std::vector<std::size_t> reaching_entry;  // of a constraint

  double tolerance = 1e-6;
  // The last point kept, and the longer of the last two steps: one may have been cut by an event.
  double last_time = 0.0, last_step = 0.0, step = 0.0;
  bool step_completed = false;  // and not yet stabilised
  EnergyRecord energy;
  StabilizationRecord record;

  bool is_reaching(multibody::Index i) const {
    return phases[std::size_t(i)] == multibody::Phase::reaching;
  }
  void begin(double t, Vec y);
  bool arrive(double t, Vec y);
  void arrived(multibody::Index i, double distance, double size);

  /// Moves a point onto the constraints, however far that is, or throws.
  void converge(double t, Vec y);
  Eval stabilize(double t, Vec y);
  void stabilize_accepted(double t, Vec y);
  bool open_gates(double t, ConstVec y);
  double bound(ConstVec y) const;
  void keep(double t, ConstVec y);
  [[noreturn]] void fail_to_evaluate(double t, ConstVec y);
  [[noreturn]] void contradicts(double t, multibody::Index i);
};

}  // namespace saltus
