// SPDX-License-Identifier: BSD-2-Clause
// How points of a multibody model come onto their constraints and stay there.
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "multibody_state.hpp"
#include "saltus/core/error.hpp"

namespace saltus {

using namespace multibody;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// An adjustment of this many roundings of the state is never too large.
constexpr double kRoundings = 1e4;
constexpr int kMostPasses = 50;

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

// Compere, section 3.4.1: an adjustment is to be below the error of the integration, O(h^(p-1)).
double MultibodyModel::State::bound(ConstVec y) const {
  const AdjustmentBound& b = options.bound;
  const double size = size_of(y);
  const double limit = b.order > 0 ? b.factor * std::pow(std::max(step, last_step), b.order - 1)
                                   : b.factor * tolerance * size;
  return std::max(limit, kRoundings * kEpsilon * size);
}

Eval MultibodyModel::State::stabilize(double t, Vec y) {
  for (int pass = 0; pass < options.passes; ++pass) {
    if (stabilization.move_once(t, y, phases) == Eval::discard) {
      return Eval::discard;
    }
  }
  return Eval::ok;
}

void MultibodyModel::State::converge(double t, Vec y) {
  const double near = options.consistency * size_of(y);
  double before = kNever;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    if (stabilization.move_once(t, y, phases) == Eval::discard) {
      fail_to_evaluate(t, y);
    }
    const double distance = stabilization.distance();
    // Below that, passes that bring nothing more have met rounding.
    if (distance <= kEpsilon * size_of(y) || (distance <= near && distance >= 0.5 * before)) {
      return;
    }
    before = distance;
  }
  if (before <= near) {
    return;
  }
  const Index worst = stabilization.farthest();
  const std::string& name = motion.constraint_name(worst);
  throw DaeError(DaeError::Reason::no_consistent_point, t, {name}, {},
                 "at t = " + number(t) + " no point near the present one satisfies all " +
                     "constraints: \"" + name + "\" stays " + number(before) +
                     " away; give start values nearer to them, or look for constraints that "
                     "contradict each other");
}

// The point at the end of a step: two passes usually, and their bound.
void MultibodyModel::State::stabilize_accepted(double t, Vec y) {
  const std::vector<double> before(y.begin(), y.end());
  double distance = 0.0;
  Index farthest = -1;
  for (int pass = 0; pass < options.passes; ++pass) {
    if (stabilization.move_once(t, y, phases) == Eval::discard) {
      fail_to_evaluate(t, y);
    }
    if (pass == 0) {
      distance = stabilization.distance();
      farthest = stabilization.farthest();
    }
  }
  double adjustment = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    adjustment = std::max(adjustment, std::fabs(y[i] - before[i]));
  }
  const double limit = bound(y);
  record.largest_adjustment = std::max(record.largest_adjustment, adjustment);
  record.largest_ratio = std::max(record.largest_ratio, adjustment / limit);
  if (adjustment > limit) {
    const std::string& name = motion.constraint_name(farthest);
    throw DaeError(
        DaeError::Reason::adjustment_too_large, t, {name}, {},
        "at t = " + number(t) + " post-stabilisation would move the state by " +
            number(adjustment) + ", more than the " + number(limit) +
            " that the integration may have erred; the constraint \"" + name + "\" was missed by " +
            number(distance) +
            ". Check its Jacobian and drift and the forces, take shorter steps or a smaller "
            "tolerance, or set MultibodyOptions::bound");
  }
}

// What is left of phi moves positions by so much and, as phi' = -sigma phi, velocities by sigma
// times that. Returns whether a constraint holds from now on.
bool MultibodyModel::State::open_gates(double t, ConstVec y) {
  bool opened = false;
  const double gate = options.bound.order > 0 ? bound(y) : tolerance * size_of(y);
  for (Index i = motion.nonholonomic(); i < motion.constraints(); ++i) {
    Phase& phase = phases[std::size_t(i)];
    if (phase == Phase::decaying && motion.read_constraints(t, y) == Eval::ok &&
        std::fabs(motion.residual()[i]) * std::max(1.0, motion.sigma(i)) <=
            gate * motion.jacobian.row(i).norm()) {
      phase = Phase::holding;
      energy = {};
      opened = true;
    }
  }
  return opened;
}

void MultibodyModel::State::keep(double t, ConstVec y) {
  ++record.points;
  if (motion.read_constraints(t, y) == Eval::ok) {
    for (Index i = 0; i < motion.constraints(); ++i) {
      if (!is_reaching(i)) {
        record.largest_surface = std::max(record.largest_surface, std::fabs(motion.surface(i)));
      }
      if (phases[std::size_t(i)] == Phase::holding) {
        record.largest_residual =
            std::max(record.largest_residual, std::fabs(motion.residual()[i]));
      }
    }
  }
  const std::size_t n = std::size_t(motion.coordinates());
  energy.last = system.energy(t, y.first(n), y.subspan(n));
  if (!(energy.least <= energy.largest)) {
    energy.first = energy.last;
  }
  energy.least = std::min(energy.least, energy.last);
  energy.largest = std::max(energy.largest, energy.last);
}

void MultibodyModel::State::fail_to_evaluate(double t, ConstVec y) {
  const std::string culprit = motion.not_finite(t, y);
  if (!culprit.empty()) {
    throw ModelError("multibody system", t,
                     culprit +
                         " is not finite at a point that the motion has reached; look for a "
                         "root, logarithm or division that leaves its domain");
  }
  const Index bad = motion.bad_pivot();
  const std::string name = bad >= 0 ? motion.coordinate_name(bad) : "";
  throw DaeError(DaeError::Reason::singular, t, {}, {name},
                 "at t = " + number(t) + " the mass matrix is not positive definite: \"" + name +
                     "\" has no inertia of its own; give it one, or choose other coordinates");
}

void MultibodyModel::State::contradicts(double t, Index i) {
  const std::string& name = motion.constraint_name(i);
  throw DaeError(DaeError::Reason::singular, t, {name}, {},
                 "at t = " + number(t) +
                     " constraints depend on each other and ask for different accelerations: \"" +
                     name +
                     "\" contradicts the others. The mechanism is in a singular position, or a "
                     "redundant constraint moves differently; remove it");
}

}  // namespace saltus
