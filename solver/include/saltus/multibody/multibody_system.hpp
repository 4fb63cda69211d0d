// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "saltus/core/types.hpp"

namespace saltus {

/// What is known of the constraints at (t, q, v); with n coordinates and m constraints, the
/// non-holonomic ones first, as everywhere. Matrices are stored row by row.
struct ConstraintValues {
  /// m numbers: the non-holonomic Phi(t, q, v), then the holonomic phi(t, q).
  Vec residual;
  /// One number a holonomic constraint: d phi/dt = phi_q v + phi_t.
  Vec rate;
  /// m rows of n numbers: dPhi/dv, then dphi/dq. All zero when the caller hands it over.
  Vec jacobian;
  /// m numbers: what d Phi/dt and d2 phi/dt2 would be without accelerations, so that with them they
  /// are jacobian * a + drift. That is Phi_q v + Phi_t, and (phi_q v)_q v + 2 phi_qt v + phi_tt.
  Vec drift;
};

/// A mechanical system as its coordinates q and velocities v = q' describe it:
///
///     M(t, q) v' = forces(t, q, v) + J^T lambda
///     0 = Phi(t, q, v)    non-holonomic constraints (rolling), J = dPhi/dv
///     0 = phi(t, q)       holonomic constraints (joints), J = dphi/dq
///
/// `MultibodyModel` makes a `Model` of it. All functions depend on their arguments alone; where one
/// cannot be evaluated it gives NaN, and the integrator tries a shorter step.
///
/// Whoever writes the constraints as templates derives from `DifferentiatedMultibody` and leaves
/// the derivatives to it; whoever has them derives from this class. The forces contain what comes
/// of moving coordinates (centrifugal, Coriolis, gyroscopic terms).
class MultibodySystem {
 public:
  MultibodySystem() = default;
  MultibodySystem(const MultibodySystem&) = delete;
  MultibodySystem& operator=(const MultibodySystem&) = delete;
  virtual ~MultibodySystem() = default;

  /// Names, for messages and to know how many there are. They do not change.
  virtual std::vector<std::string> coordinates() const = 0;
  virtual std::vector<std::string> nonholonomic_constraints() const { return {}; }
  virtual std::vector<std::string> holonomic_constraints() const { return {}; }

  /// Where the motion begins. It need not satisfy the constraints, see
  /// `MultibodyOptions::reaching`.
  virtual void start(Vec q, Vec v) const = 0;

  /// The mass matrix, symmetric and positive definite, row by row. All zero when the caller hands
  /// it over.
  virtual void mass(double t, ConstVec q, Vec matrix) const = 0;
  /// All forces but those of the constraints.
  virtual void forces(double t, ConstVec q, ConstVec v, Vec force) const = 0;
  virtual void constraints(double t, ConstVec q, ConstVec v, ConstraintValues values) const = 0;

  /// The energy of the forces that have one.
  virtual double potential_energy(double /*t*/, ConstVec /*q*/) const { return 0.0; }
  /// What the energy monitor watches: v^T M v / 2 plus the potential energy. Override it where
  /// something else is conserved.
  virtual double energy(double t, ConstVec q, ConstVec v) const;
};

}  // namespace saltus
