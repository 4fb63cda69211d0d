// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/reduced_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "reduction_state.hpp"

namespace saltus {

ReducedModel::ReducedModel(Model& model, ReductionOptions options)
    : ModelDecorator(model), state_(std::make_unique<State>(model, std::move(options))) {
  State& s = *state_;
  s.n = model.shape().unknowns();
  s.fixed.assign(s.n, 0);
  for (const std::string& name : s.options.fixed) {
    std::size_t j = 0;
    while (j < s.n && model.unknown_name(j) != name) {
      ++j;
    }
    if (j == s.n) {
      throw std::invalid_argument("there is no unknown '" + name + "' to be fixed at the start");
    }
    s.fixed[j] = 1;
  }
}
ReducedModel::~ReducedModel() = default;

Shape ReducedModel::shape() const {
  Shape shape = wrapped().shape();
  if (state_->explicit_form()) {
    shape.states = shape.unknowns();
    shape.algebraics = 0;
  } else if (state_->extended()) {
    shape.algebraics += state_->now->determined() - state_->n;
  }
  return shape;
}

void ReducedModel::nominals(Vec y) const {
  const State& s = *state_;
  std::fill(y.begin(), y.end(), std::numeric_limits<double>::infinity());
  wrapped().nominals(y.first(s.n));
  if (!s.passes() && s.now != nullptr) {
    for (std::size_t j = 0; j < s.n; ++j) {
      if (s.now->analysis.differential[j] == 0) {
        y[j] = std::numeric_limits<double>::infinity();
      }
    }
  }
}

std::string ReducedModel::unknown_name(std::size_t i) const {
  const State& s = *state_;
  return s.column_name(i < s.n || !s.now->has_states() ? i : s.now->kept[i]);
}

void ReducedModel::initialize(const Experiment& experiment, Vec y) {
  state_->begin(experiment);
  wrapped().initialize(experiment, y.first(state_->n));
}

// Conditions may look at unknowns that only the equations determine: after each pass these follow,
// with the differentiated ones held, and the next pass decides with them. What moves less than the
// tolerance gives no reason to decide anew: on a surface where the equations of both sides agree
// the last digits would turn the condition round for ever.
EventUpdate ReducedModel::update_discrete_states(double t, Vec y) {
  State& s = *state_;
  const Vec x = y.first(s.n);
  EventUpdate update = wrapped().update_discrete_states(t, x);
  if (s.passes()) {
    return update;
  }
  const Reduction* const before = s.now;
  s.enter_configuration(t, x);
  update.nominals_changed = update.nominals_changed || s.now != before;
  s.now->load(x);
  if (s.follow(t)) {
    bool moved = false;
    for (std::size_t j = 0; j < s.n; ++j) {
      moved =
          moved || std::fabs(s.now->z[j] - x[j]) > s.tolerance * (s.nominal[j] + std::fabs(x[j]));
    }
    if (moved) {
      update.iterate = true;
      s.now->store(x);
    }
  }
  return update;
}

void ReducedModel::enter_continuous_mode(double t, ConstVec y) {
  State& s = *state_;
  wrapped().enter_continuous_mode(t, y.first(s.n));
  if (!s.passes()) {
    s.enter_configuration(t, y);
  }
}

void ReducedModel::enter_event_mode(double t, ConstVec y) {
  state_->in_event_mode = true;
  wrapped().enter_event_mode(t, y.first(state_->n));
}

bool ReducedModel::is_explicit() const { return state_->passes() || state_->explicit_form(); }

Eval ReducedModel::settle(double t, Vec y, Vec yp) {
  State& s = *state_;
  if (s.passes()) {
    return wrapped().derivatives(t, y, yp);
  }
  // After an event the integrator knows nothing of the derivatives yet.
  s.now->load(s.in_event_mode ? y.first(s.n) : y);
  s.in_event_mode = false;
  if (s.make_consistent(t) == Eval::discard) {
    return Eval::discard;
  }
  s.solved_time = t;
  s.now->store(y);
  std::fill(yp.begin(), yp.end(), 0.0);
  s.now->system.slopes(s.now->z, yp.first(s.n));
  return Eval::ok;
}

Eval ReducedModel::indicators(double t, ConstVec y, Vec z) {
  return wrapped().indicators(t, y.first(state_->n), z);
}
Eval ReducedModel::indicator_rates(double t, ConstVec y, ConstVec v, Vec rates) {
  return wrapped().indicator_rates(t, y.first(state_->n), v.first(state_->n), rates);
}

bool ReducedModel::projects() const {
  return !state_->passes() && state_->now != nullptr && state_->now->analysis.values.a > 0;
}

Eval ReducedModel::project(double t, Vec y) {
  State& s = *state_;
  s.now->load(y);
  s.solved_time = kNever;
  if (s.now->solver.solve(t, s.now->z, s.now->weight) != PointSolver::End::found) {
    return Eval::discard;
  }
  s.solved_time = t;
  s.now->store(y);
  return Eval::ok;
}

Eval ReducedModel::approach(double t, Vec y, Vec yp) {
  State& s = *state_;
  s.now->load(y);
  s.solved_time = kNever;
  if (!s.move_least(t)) {
    return Eval::discard;
  }
  s.now->store(y);
  s.now->system.slopes(s.now->z, yp);
  return Eval::ok;
}

StepVerdict ReducedModel::completed_step(double t, ConstVec y) {
  State& s = *state_;
  StepVerdict verdict = wrapped().completed_step(t, y.first(s.n));
  if (!s.passes() && s.other_states_serve_better(y)) {
    s.choose_states(t);
    verdict.disturbed = verdict.disturbed || s.extended();
  }
  return verdict;
}

// Asking for the equations is what brings their numbers up to date.
void ReducedModel::outdate() {
  State& s = *state_;
  s.solved_time = kNever;
  if (!s.passes() && s.now != nullptr) {
    wrapped().derivative_array();
  }
}

void ReducedModel::resume(const Experiment& experiment, double t, ConstVec point,
                          bool in_event_mode) {
  State& s = *state_;
  s.begin(experiment);
  if (point.empty() || s.passes()) {
    return;
  }
  s.enter_configuration(t, point.first(s.n));
  std::copy_n(point.begin(), std::min(point.size(), s.now->z.size()), s.now->z.begin());
  s.choose_states(t);
  s.in_event_mode = in_event_mode;
}

ConstVec ReducedModel::point() const {
  return state_->now == nullptr ? ConstVec{} : ConstVec(state_->now->z);
}

const IndexAnalysis& ReducedModel::analysis() const {
  if (state_->now == nullptr) {
    throw std::logic_error("ReducedModel::analysis: nothing was analysed yet");
  }
  return state_->now->analysis;
}

std::vector<std::string> ReducedModel::states() const {
  std::vector<std::string> names;
  for (const int state : state_->now->solver.selection().states) {
    names.push_back(wrapped().unknown_name(state));
  }
  return names;
}

const std::vector<Adjustment>& ReducedModel::adjustments() const { return state_->adjustments; }

}  // namespace saltus
