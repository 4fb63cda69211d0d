// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <utility>

#include "point_derivatives.hpp"
#include "reduction_state.hpp"
#include "saltus/core/error.hpp"

// Single points for drivers that know nothing of constraints, and going on from a saved one.
namespace saltus {

void ReducedModel::expect_approach() { state_->approached = true; }

Eval ReducedModel::approach(double t, ConstVec given, Vec y, Vec yp) {
  State& s = *state_;
  if (!s.load(t, given)) {
    const ReferenceScope scope(s.now->solver);
    if (!s.move_least(t) && !s.move_in_strides(t, given)) {
      return Eval::discard;
    }
  }
  s.solved_time = t;
  s.now->store(y);
  s.now->system.slopes(s.now->z, yp);
  return Eval::ok;
}

// The anchor was solved for with the coordinates of the one before it, what is beside it will be
// with its own.
Eval ReducedModel::approach_derivatives(double t, ConstVec given, EquationDerivatives& equations,
                                        std::vector<double>& by) {
  State& s = *state_;
  s.by_search = false;
  const bool is_anchor = s.load(t, given);
  Reduction& r = *s.now;
  const ReferenceScope scope(r.solver);
  if (is_anchor && r.solver.has_reference()) {
    r.solver.refer();
  } else if (!is_anchor && !s.move_least(t) && !s.move_in_strides(t, given)) {
    return Eval::discard;
  }
  s.solved_time = kNever;
  if (s.by_search) {
    return Eval::discard;
  }
  PointDerivatives derivatives(r, equations, t, given);
  return derivatives.evaluate(s.all_are_states() ? std::vector<char>{} : s.counted(), by);
}

bool ReducedModel::accept(double t, ConstVec given) {
  state_->accept(t, given);
  return state_->in_event_mode || !state_->inspect_accepted();
}

// What is solved for on the way is forgotten; what is learnt about the equations may stay.
Eval ReducedModel::preview(double t, Vec y, Vec yp) {
  State& s = *state_;
  const State::EventNotes notes = s.notes();
  Reduction* const now = s.now;
  const auto go_back = [&](std::vector<double>& z) {
    s.restore(notes);
    s.now->z = std::move(z);
    s.now->followed = false;
    s.now = now;
    s.solved_time = kNever;
  };
  wrapped().enter_continuous_mode(t, y.first(s.n));
  s.require_rows_after_event(t, y.first(s.n));
  s.enter_configuration(t, y);
  std::vector<double> z = s.now->z;
  s.previewing = true;
  Eval answer = Eval::discard;
  try {
    answer = make_consistent(t, y, yp);
  } catch (const Error&) {
    go_back(z);
    return Eval::discard;
  }
  go_back(z);
  return answer;
}

// Asking for the equations is what brings their numbers up to date. In the implicit form an
// integrator has as many unknowns as the reduction in force says: that one stays until the
// configuration is entered again.
void ReducedModel::outdate() {
  State& s = *state_;
  s.solved_time = kNever;
  if (!s.passes() && s.now != nullptr) {
    wrapped().derivative_array();
    s.reselected = s.explicit_form();
  }
}

void ReducedModel::resume(const Experiment& experiment, double t, ConstVec point,
                          bool in_event_mode, ConstVec anchor) {
  State& s = *state_;
  s.begin(experiment);
  const std::vector<double> nowhere(s.n, 0.0);
  s.begin_event(t, point.empty() ? ConstVec(nowhere) : point.first(s.n));
  if (point.empty() || s.passes()) {
    return;
  }
  s.resumed_scale = State::saved_scale(anchor);
  s.enter_configuration(t, point.first(s.n));
  s.resumed_scale = 0.0;
  for (std::size_t c = 0; c < std::min(point.size(), s.now->z.size()); ++c) {
    s.now->z[c] = point[c] * std::pow(s.now->kept_unit(), s.now->system.columns()[c].degree);
  }
  s.starting = false;
  s.in_event_mode = s.first_pass = in_event_mode;
  if (!s.recall_anchor(anchor) && !in_event_mode) {
    s.choose_states(t);
  }
  s.begin_event(t, point.first(s.n));
  s.now->beginning = s.now->inspected;
}

ConstVec ReducedModel::point() const {
  const State& s = *state_;
  if (s.now == nullptr) {
    return {};
  }
  s.shown.resize(s.now->z.size());
  for (std::size_t c = 0; c < s.shown.size(); ++c) {
    s.shown[c] = s.now->z[c] * std::pow(s.now->kept_unit(), -s.now->system.columns()[c].degree);
  }
  return s.shown;
}

std::vector<double> ReducedModel::anchor() const { return state_->saved_anchor(); }

}  // namespace saltus
