// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/multibody/multibody_system.hpp"

namespace saltus {

/// How far post-stabilisation may move a point that the integrator accepted, in the largest of its
/// components. What is moved farther than the integration can have erred is not corrected but
/// steered: the constraints hold and the motion is wrong.
struct AdjustmentBound {
  /// Greater than 0: the bound is factor * h^(order - 1), h being the length of the step: the bound
  /// of Compere for an integrator of this order with steps of fixed length. 0: it is
  /// factor * tolerance * max(1, |y|), with the tolerance of the `Experiment`.
  int order = 0;
  double factor = 100.0;

  static AdjustmentBound of_order(int p) { return {.order = p, .factor = 1.0}; }
  static AdjustmentBound none() { return {.order = 0, .factor = kNever}; }
};

/// How a `MultibodyModel` keeps to its constraints. The defaults suit error-controlled integrators.
struct MultibodyOptions {
  /// Where points are moved onto the constraints.
  enum class Stabilize {
    /// The end of each step and nothing else, as in the dissertation: between, reports lie on the
    /// integrator's curve, off the constraints by its error. Costs one evaluation a step, for the
    /// slope at the moved point. It works by `Model::settle`, which a decorator around this model
    /// need not hand on.
    accepted_points,
    /// Every stage and every point that is kept or shown (`Model::project`). The constraints hold
    /// to rounding wherever anybody looks; with six stages a step that is six times the work of
    /// moving points. An adjustment has no bound then: stages may be far off.
    every_point,
    nowhere,
  };
  Stabilize stabilize = Stabilize::accepted_points;
  /// How often positions, then velocities are moved. One pass squares the error; after two,
  /// rounding is left.
  int passes = 2;
  /// The distance to the constraints in which a point is moved: the Euclidean one of the
  /// coordinates, or the one that the mass matrix gives, which does not depend on units.
  bool mass_weighted = false;
  /// By which constraints positions are moved: by the holonomic ones, or by all as (3.27) is
  /// printed, although a residual of a velocity is no distance.
  enum class Positions { holonomic, all };
  Positions positions = Positions::holonomic;
  AdjustmentBound bound = {};

  /// How fast a violated holonomic constraint decays, in 1/s: one number for all, or one for each.
  /// Its surface is s = phi' + sigma phi. Keep sigma times the step well below 1.
  std::vector<double> sigma = {10.0};
  /// What to do with a start that violates constraints. Empty: it is moved onto them at once.
  /// Otherwise the speed at which each surface is approached, one number for all or one for each
  /// (non-holonomic first): s' = -reaching sgn(s), so that s = 0 is reached after |s(0)| /
  /// reaching, which is an event.
  std::vector<double> reaching = {};
  /// When the surface of a holonomic constraint is reached, phi itself is not yet zero: about
  /// reaching / sigma^2. `jump` moves the positions at once; `decay` lets it fall by itself, and
  /// moves positions when that is within the bound of an adjustment, or within the tolerance.
  enum class Arrival { jump, decay };
  Arrival arrival = Arrival::jump;
  /// How near to a constraint, as a part of the size of the state, a point counts as on it.
  double consistency = 1e-8;
};

/// A constraint that was violated at the start.
struct Reaching {
  std::string constraint;
  double predicted = 0.0;  ///< when its surface should be reached
  double reached = kNever;
};

/// The energy at the points kept since it was last put in or taken out, which is what the start, an
/// approach to a constraint and a jump onto it do.
struct EnergyRecord {
  double first = std::numeric_limits<double>::quiet_NaN();
  double last = first;
  double least = kNever;
  double largest = -kNever;
  double drift() const { return largest - least; }
};

/// How well the constraints held, over all points kept.
struct StabilizationRecord {
  std::size_t points = 0;
  double largest_residual = 0.0;    ///< of the constraints, without those being reached
  double largest_surface = 0.0;     ///< of phi' + sigma phi, and of non-holonomic constraints
  double largest_adjustment = 0.0;  ///< at accepted points
  double largest_ratio = 0.0;       ///< of an adjustment to its bound
};

/// A multibody system as an explicit model with y = [q; v]: index reduction by Lagrange multipliers
/// and post-stabilisation, after M. D. Compere, Simulation of engineering systems described by
/// high-index DAE and discontinuous ODE using single step methods, University of Texas, 2001,
/// chapters 2 and 3.
///
///  - At each evaluation the multipliers are those that keep the surfaces S = [Phi; phi' + sigma
///    phi] where they are: the equivalent control of sliding mode control.
///  - Points are moved onto constraints and surfaces; a move beyond its bound is a `DaeError` that
///    names the constraint.
///  - A start that violates constraints is moved onto them, with a warning, or, with `reaching`,
///  driven to them in
///    finite time: `indicator_name` "reach ..." announces each arrival.
///  - Redundant constraints are allowed (least squares decide) as long as they do not contradict
///    each other; if they do, a `DaeError` names them.
///
///     Pendulum pendulum;
///     MultibodyModel model{pendulum};
///     DormandPrince integrator{model};
///     IntegratedModel system{model, integrator};
///     ModeController{system}.run({.stop = 5.0});
///     double drift = model.energy_record().drift();
class MultibodyModel : public OdeModel, public Consistency {
 public:
  /// `system` must outlive this one.
  explicit MultibodyModel(const MultibodySystem& system, MultibodyOptions options = {});
  ~MultibodyModel() override;

  Shape shape() const override;
  std::string unknown_name(std::size_t i) const override;
  std::string indicator_name(std::size_t i) const override;
  void initialize(const Experiment& experiment, Vec y) override;
  EventUpdate update_discrete_states(double t, Vec y) override;
  Eval derivatives(double t, ConstVec y, Vec yp) override;
  Eval make_consistent(double t, Vec y, Vec yp) override;
  Eval indicators(double t, ConstVec y, Vec z) override;
  Capabilities capabilities() override { return {.is_explicit = true, .consistency = this}; }
  bool projects() const override;
  Eval project(double t, Vec y) override;
  StepVerdict completed_step(double t, ConstVec y) override;

  /// The Lagrange multipliers lambda, non-holonomic first: J^T lambda are the constraint forces.
  /// Of redundant constraints, the smallest ones that do.
  Eval multipliers(double t, ConstVec y, Vec lambda) const;
  /// The surfaces S, zero where the constraints hold.
  Eval surfaces(double t, ConstVec y, Vec s) const;
  double energy(double t, ConstVec y) const;

  const EnergyRecord& energy_record() const;
  const StabilizationRecord& stabilization_record() const;
  /// The constraints that the start violated, where `MultibodyOptions::reaching` is given.
  const std::vector<Reaching>& reaching() const;

 private:
  void warn_of_moves(const Experiment& experiment, ConstVec given, ConstVec y) const;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace saltus
