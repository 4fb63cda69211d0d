// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/multibody/multibody_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "multibody_state.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {

using namespace multibody;
using Stabilize = MultibodyOptions::Stabilize;

double MultibodySystem::energy(double t, ConstVec q, ConstVec v) const {
  const std::size_t n = q.size();
  std::vector<double> matrix(n * n, 0.0);
  mass(t, q, matrix);
  double twice_kinetic = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      twice_kinetic += v[i] * matrix[i * n + j] * v[j];
    }
  }
  return 0.5 * twice_kinetic + potential_energy(t, q);
}

MultibodyModel::State::State(const MultibodySystem& s, MultibodyOptions o)
    : system(s),
      options(std::move(o)),
      motion(s, options.sigma),
      stabilization(motion, options),
      phases(std::size_t(motion.constraints()), Phase::holding) {
  speed.setZero(motion.constraints());
  reaching_entry.resize(phases.size());
  if (options.reaching.size() == 1) {
    options.reaching.assign(phases.size(), options.reaching.front());
  }
  if (!options.reaching.empty() && options.reaching.size() != phases.size()) {
    throw std::invalid_argument(
        "MultibodyOptions::reaching needs one number, or one for each constraint");
  }
  if (std::any_of(options.reaching.begin(), options.reaching.end(),
                  [](double eta) { return !(eta > 0.0); })) {
    throw std::invalid_argument("MultibodyOptions::reaching needs positive numbers");
  }
  if (options.passes < 1) {
    throw std::invalid_argument("MultibodyOptions::passes must be at least 1");
  }
}

// Figure 2.1 of the dissertation: which surfaces have to be reached, and from which side.
void MultibodyModel::State::begin(double t, Vec y) {
  if (motion.read_constraints(t, y) == Eval::discard) {
    fail_to_evaluate(t, y);
  }
  reaching.clear();
  speed.setZero();
  std::fill(phases.begin(), phases.end(), Phase::holding);
  if (!options.reaching.empty()) {
    const double size = size_of(y);
    for (Index i = 0; i < motion.constraints(); ++i) {
      const double length = motion.jacobian.row(i).norm();
      const double s = motion.surface(i);
      if (std::fabs(s) > options.consistency * size * length) {
        const double eta = options.reaching[std::size_t(i)];
        phases[std::size_t(i)] = Phase::reaching;
        speed[i] = s > 0.0 ? -eta : eta;
        reaching_entry[std::size_t(i)] = reaching.size();
        reaching.push_back(
            {.constraint = motion.constraint_name(i), .predicted = t + std::fabs(s) / eta});
      } else {
        arrived(i, std::fabs(motion.residual()[i]), size * length);
      }
    }
  }
  converge(t, y);
}

void MultibodyModel::State::arrived(Index i, double distance, double size) {
  const bool waits = i >= motion.nonholonomic() &&
                     options.arrival == MultibodyOptions::Arrival::decay &&
                     distance > options.consistency * size;
  phases[std::size_t(i)] = waits ? Phase::decaying : Phase::holding;
  speed[i] = 0.0;
}

// The surfaces whose sign has changed are reached: they hold from now on.
bool MultibodyModel::State::arrive(double t, Vec y) {
  if (reaching.empty()) {
    return false;
  }
  if (motion.read_constraints(t, y) == Eval::discard) {
    fail_to_evaluate(t, y);
  }
  const double size = size_of(y);
  bool any = false;
  for (Index i = 0; i < motion.constraints(); ++i) {
    if (is_reaching(i) && motion.surface(i) * speed[i] >= 0.0) {
      arrived(i, std::fabs(motion.residual()[i]), size * motion.jacobian.row(i).norm());
      reaching[reaching_entry[std::size_t(i)]].reached = t;
      any = true;
    }
  }
  if (any) {
    converge(t, y);
    energy = {};
  }
  return any;
}

MultibodyModel::MultibodyModel(const MultibodySystem& system, MultibodyOptions options)
    : state_(std::make_unique<State>(system, std::move(options))) {}
MultibodyModel::~MultibodyModel() = default;

Shape MultibodyModel::shape() const {
  const State& s = *state_;
  return {.states = 2 * std::size_t(s.motion.coordinates()),
          .indicators = s.options.reaching.empty() ? 0 : s.phases.size()};
}

std::string MultibodyModel::unknown_name(std::size_t i) const {
  const Index n = state_->motion.coordinates();
  const Index k = Index(i);
  return k < n ? state_->motion.coordinate_name(k)
               : "der(" + state_->motion.coordinate_name(k - n) + ")";
}

std::string MultibodyModel::indicator_name(std::size_t i) const {
  return "reach " + state_->motion.constraint_name(Index(i));
}

void MultibodyModel::initialize(const Experiment& experiment, Vec y) {
  State& s = *state_;
  const std::size_t n = std::size_t(s.motion.coordinates());
  s.system.start(y.first(n), y.subspan(n));
  s.tolerance = experiment.tolerance;
  s.last_time = experiment.start;
  s.step = s.last_step = 0.0;
  s.step_completed = false;
  s.energy = {};
  s.record = {};
  // What is not finite is reported by whoever asked, with the name of the unknown.
  if (std::all_of(y.begin(), y.end(), [](double value) { return std::isfinite(value); })) {
    const std::vector<double> given(y.begin(), y.end());
    s.begin(experiment.start, y);
    warn_of_moves(experiment, given, y);
  }
}

void MultibodyModel::warn_of_moves(const Experiment& experiment, ConstVec given, ConstVec y) const {
  // What moves by no more than a few tolerances counts as kept, as for other models.
  constexpr double kNoticed = 10.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (std::fabs(y[i] - given[i]) >
        kNoticed * experiment.tolerance * (1.0 + std::fabs(given[i]))) {
      warn(experiment, {.time = experiment.start,
                        .subject = unknown_name(i),
                        .message = "its start value " + number_text(given[i]) + " was moved to " +
                                   number_text(y[i]) + ", onto the constraints"});
    }
  }
}

EventUpdate MultibodyModel::update_discrete_states(double t, Vec y) {
  EventUpdate update;
  update.states_changed = state_->arrive(t, y);
  return update;
}

Eval MultibodyModel::derivatives(double t, ConstVec y, Vec yp) {
  State& s = *state_;
  const std::size_t n = std::size_t(s.motion.coordinates());
  std::copy(y.begin() + std::ptrdiff_t(n), y.end(), yp.begin());
  return s.motion.accelerate(t, y, s.speed, yp.subspan(n));
}

// The beginning of a phase, and with `accepted_points` the end of each step.
Eval MultibodyModel::make_consistent(double t, Vec y, Vec yp) {
  State& s = *state_;
  if (s.options.stabilize == Stabilize::accepted_points && s.step_completed) {
    s.stabilize_accepted(t, y);
    s.step_completed = false;
  } else if (s.options.stabilize != Stabilize::nowhere && s.stabilize(t, y) == Eval::discard) {
    s.fail_to_evaluate(t, y);
  }
  s.keep(t, y);
  if (derivatives(t, y, yp) == Eval::discard) {
    s.fail_to_evaluate(t, y);
  }
  if (s.motion.contradiction() >= 0) {
    s.contradicts(t, s.motion.contradiction());
  }
  return Eval::ok;
}

// Positive until the surface is reached from the side on which the motion began.
Eval MultibodyModel::indicators(double t, ConstVec y, Vec z) {
  State& s = *state_;
  if (z.empty()) {
    return Eval::ok;
  }
  if (s.motion.read_constraints(t, y) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t i = 0; i < z.size(); ++i) {
    const Index row = Index(i);
    z[i] = !s.is_reaching(row) ? 1.0
           : s.speed[row] < 0  ? s.motion.surface(row)
                               : -s.motion.surface(row);
  }
  return Eval::ok;
}

bool MultibodyModel::projects() const {
  return state_->options.stabilize == Stabilize::every_point && state_->motion.constraints() > 0;
}

Eval MultibodyModel::project(double t, Vec y) { return state_->stabilize(t, y); }

StepVerdict MultibodyModel::completed_step(double t, ConstVec y) {
  State& s = *state_;
  s.last_step = s.step;
  s.step = t - s.last_time;
  s.last_time = t;
  const bool opened = s.open_gates(t, y);
  s.step_completed = s.options.stabilize == Stabilize::accepted_points;
  if (s.step_completed || opened) {
    // The driver restarts here, which calls `make_consistent` with a point that may be moved.
    return {.equations_changed = true};
  }
  s.keep(t, y);
  return {};
}

Eval MultibodyModel::multipliers(double t, ConstVec y, Vec lambda) const {
  State& s = *state_;
  std::vector<double> acceleration(std::size_t(s.motion.coordinates()));
  if (s.motion.accelerate(t, y, s.speed, acceleration) == Eval::discard) {
    return Eval::discard;
  }
  const Vector found = s.motion.multipliers();
  std::copy(found.begin(), found.end(), lambda.begin());
  return Eval::ok;
}

Eval MultibodyModel::surfaces(double t, ConstVec y, Vec values) const {
  State& s = *state_;
  if (s.motion.read_constraints(t, y) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = s.motion.surface(Index(i));
  }
  return Eval::ok;
}

double MultibodyModel::energy(double t, ConstVec y) const {
  const std::size_t n = y.size() / 2;
  return state_->system.energy(t, y.first(n), y.subspan(n));
}

const EnergyRecord& MultibodyModel::energy_record() const { return state_->energy; }
const StabilizationRecord& MultibodyModel::stabilization_record() const { return state_->record; }
const std::vector<Reaching>& MultibodyModel::reaching() const { return state_->reaching; }

}  // namespace saltus
