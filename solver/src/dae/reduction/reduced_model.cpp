// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/dae/reduced_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "reduction_state.hpp"
#include "saltus/core/number_text.hpp"

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
  if (s.extended() || (s.explicit_form() && !s.passes() && s.now != nullptr)) {
    for (std::size_t j = 0; j < s.n; ++j) {
      if (s.now->analysis.differential[j] == 0 && s.now->differentiated[j] == 0) {
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
  state_->begin_event(experiment.start, y.first(state_->n));
}

// Conditions may look at unknowns that only the equations determine: after each pass these follow,
// with the differentiated ones held, and the next pass decides with them. What moves less than any
// first guess is wrong by gives no reason to decide anew: on a surface where the equations of both
// sides agree the last digits would turn the condition round for ever. Where the differentiated
// ones cannot be held, they move once the model itself is settled, so that configurations which are
// merely passed through move nothing.
EventUpdate ReducedModel::update_discrete_states(double t, Vec y) {
  State& s = *state_;
  const Vec x = y.first(s.n);
  if (s.passes()) {
    return wrapped().update_discrete_states(t, x);
  }
  if (s.starting) {
    s.follow_guesses(t, x);
  } else if (!s.explicit_form() && !s.is_up_to_date()) {
    s.follow_numbers(t, x);
  }
  // A point that was solved for is decided at as it was seen.
  const bool is_seen = s.now != nullptr && s.is_solved(t, x);
  // Where the integrator has left something rough, it is mended before anything is decided. In a
  // later pass the point may be that of another configuration, from which only an impulse leads to
  // this one.
  if (std::exchange(s.first_pass, false) && !s.starting && !is_seen && s.solve_at(t, x)) {
    if (s.forks()) {
      s.keep_what_is_consistent(x);
      s.now->store(x);
    } else {
      s.take_what_moved_far(x);
    }
  }
  const std::vector<double> given(x.begin(), x.end());
  EventUpdate update = s.on_the_way ? s.update_on_the_way(t, x) : s.update_with_ties(t, x);
  for (std::size_t j = 0; j < s.n; ++j) {
    s.transferred[j] += x[j] - given[j];
  }
  const Reduction* const before = s.now;
  s.enter_configuration(t, x);
  update.nominals_changed = update.nominals_changed || s.now != before;
  s.now->load(x);
  const bool holds_what_it_can = s.start() != ReductionOptions::Start::least_change;
  bool found = holds_what_it_can && s.follow(t);
  if (!found && !update.iterate) {
    // A search that moves differentiated unknowns, once made, is not made anew from where it began.
    if (s.make_consistent(t) == Eval::ok && s.take_what_moved_far(x)) {
      update.iterate = true;
      s.now->store(x);
    }
  } else if (found) {
    const bool was_on_the_way = std::exchange(s.on_the_way, s.leads_elsewhere(t, given, x));
    const bool has_moved = s.on_the_way || s.take_what_moved_far(x);
    update.iterate = has_moved || was_on_the_way || update.iterate;
  }
  if (s.now != before && update.iterate) {
    s.find_ties(t, x);
  }
  if (s.anchors()) {
    s.decided_at.emplace_back(x.begin(), x.end());
  }
  return update;
}

void ReducedModel::enter_continuous_mode(double t, ConstVec y) {
  State& s = *state_;
  wrapped().enter_continuous_mode(t, y.first(s.n));
  if (!s.passes()) {
    s.require_rows_after_event(t, y.first(s.n));
    s.enter_configuration(t, y);
    s.starting = s.starting && !s.forks();
  }
}

void ReducedModel::enter_event_mode(double t, ConstVec y) {
  State& s = *state_;
  if (!s.passes()) {
    s.inspect_last(t, y);
  }
  s.in_event_mode = s.first_pass = true;
  s.decided_at.clear();
  s.adjustments.clear();
  s.jumps.clear();
  s.begin_event(t, y.first(s.n));
  if (!s.passes()) {
    s.read_conditions(t, y.first(s.n));
  }
  wrapped().enter_event_mode(t, y.first(s.n));
}

Capabilities ReducedModel::capabilities() {
  Capabilities can = wrapped().capabilities();
  if (!can.is_explicit) {
    can.is_explicit = state_->explicit_form();
    can.consistency = this;
    can.derivatives = this;
    can.indicator_rates = can.indicator_rates != nullptr ? this : nullptr;
    can.configurations = configurations();
    can.variables = nullptr;
    can.diagnosis = this;
  }
  return can;
}

ParameterDerivatives* ReducedModel::by_parameters() {
  return state_->passes() || state_->explicit_form() ? nullptr : this;
}

Eval ReducedModel::make_consistent(double t, Vec y, Vec yp) {
  State& s = *state_;
  if (s.passes()) {
    return wrapped().make_consistent(t, y, yp);
  }
  // After an event the integrator knows nothing of the derivatives yet.
  const bool after_event = std::exchange(s.in_event_mode, false);
  if (s.now == nullptr || (!after_event && s.explicit_form() && !s.is_up_to_date())) {
    s.enter_configuration(t, y.first(s.n));
  }
  if (s.now->series != nullptr) {
    s.now->series->restart();
  }
  if (after_event && t != s.event_time) {
    s.begin_event(t, y.first(s.n));  // a motion along surfaces ends that an earlier event began
  }
  s.now->load(after_event ? y.first(s.n) : y);
  if (std::exchange(s.wants_other_states, false) && !after_event) {
    s.choose_states(t);
  }
  if (s.make_consistent(t) == Eval::discard) {
    return Eval::discard;
  }
  s.require_agreement(t);
  if (after_event) {
    s.begin_path();
    s.now->beginning = {t, s.now->z};
    s.note_jumps(t);
    if (s.starting) {
      s.warn_of_moved_states(t);
    }
    s.starting = false;
  }
  if (s.anchors()) {
    s.keep_what_is_consistent(y.first(s.n));
    s.accept(t, ConstVec(s.now->z).first(s.n));
  }
  s.solved_time = t;
  s.now->store(y);
  std::fill(yp.begin(), yp.end(), 0.0);
  s.now->system.slopes(s.now->z, yp.first(s.n));
  return Eval::ok;
}

Eval ReducedModel::indicators(double t, ConstVec y, Vec z) {
  State& s = *state_;
  if (!s.forks() || s.now == nullptr) {
    return s.own_indicators(t, y.first(s.n), z);
  }
  return s.solve_at(t, y) ? s.own_indicators(t, ConstVec(s.now->z).first(s.n), z) : Eval::discard;
}
Eval ReducedModel::indicator_rates(double t, ConstVec y, ConstVec v, Vec rates) {
  State& s = *state_;
  if (!s.forks() || s.now == nullptr) {
    return wrapped().capabilities().indicator_rates->indicator_rates(t, y.first(s.n), v.first(s.n),
                                                                     rates);
  }
  std::vector<double> along(v.begin(), v.end());
  if (!s.solve_at(t, y) || s.now->solver.follow(t, s.now->z, along) == Eval::discard) {
    return Eval::discard;
  }
  return wrapped().capabilities().indicator_rates->indicator_rates(
      t, ConstVec(s.now->z).first(s.n), ConstVec(along).first(s.n), rates);
}

Configurations* ReducedModel::configurations() {
  State& s = *state_;
  Configurations* const inner = wrapped().capabilities().configurations;
  if (inner == nullptr || !s.explicit_form()) {
    return nullptr;
  }
  if (!s.configurations) {
    s.configurations.emplace(*inner, [&s] { s.reselected = true; });
  }
  return &*s.configurations;
}

bool ReducedModel::projects() const {
  if (state_->passes()) {
    return wrapped().projects();
  }
  return state_->now != nullptr && state_->now->analysis.values.a > 0;
}

Eval ReducedModel::project(double t, Vec y) {
  State& s = *state_;
  if (s.passes()) {
    return wrapped().project(t, y);
  }
  if (!s.is_solved(t, y) && !s.solve_at(t, y)) {
    return Eval::discard;
  }
  s.now->store(y);
  return Eval::ok;
}

StepVerdict ReducedModel::completed_step(double t, ConstVec y) {
  State& s = *state_;
  StepVerdict verdict = wrapped().completed_step(t, y.first(s.n));
  bool wants_other_rows = false;
  if (!s.passes() && s.now->whole != nullptr && s.solve_at(t, y)) {
    s.require_agreement(t);
    wants_other_rows = !s.now->rows_serve(t);
  }
  if (!s.passes() && (!s.reselected || s.solve_at(t, y)) && (wants_other_rows || s.inspect(t, y))) {
    // The analysis is made anew where a configuration is entered.
    if (s.now->outdated) {
      verdict.enter_event_mode = true;
      return verdict;
    }
    // The integrator's unknowns change their meaning with the states: not before it restarts.
    s.wants_other_states = s.extended();
    verdict.equations_changed = verdict.equations_changed || s.wants_other_states;
    if (!s.wants_other_states) {
      s.choose_states(t);
    }
  }
  if (!s.passes() && s.anchors() && (s.is_solved(t, y) || s.solve_at(t, y))) {
    s.accept(t, y);
  }
  return verdict;
}

void ReducedModel::terminate() {
  State& s = *state_;
  if (!s.passes()) {
    s.inspect_last(s.last_step.time, s.last_step.z);
  }
  wrapped().terminate();
}

void ReducedModel::explain_failure(double t, ConstVec y) {
  State& s = *state_;
  if (Diagnosis* const inner = wrapped().capabilities().diagnosis; inner != nullptr) {
    inner->explain_failure(t, y.first(s.n));
  }
  if (!s.passes() && s.now != nullptr) {
    s.now->load(y);
    // Where a solution grows without bounds, ranks of the derivative array mean nothing.
    if (!s.look_for_singularity(t)) {
      s.look_for_change(t);
    }
  }
}

const IndexAnalysis& ReducedModel::analysis() const {
  if (state_->now == nullptr) {
    throw std::logic_error("ReducedModel::analysis: nothing was analysed yet");
  }
  return state_->now->analysis;
}

std::vector<std::string> ReducedModel::states() const { return state_->state_names(); }

const std::vector<Adjustment>& ReducedModel::adjustments() const { return state_->adjustments; }
const std::vector<Jump>& ReducedModel::jumps() const { return state_->jumps; }

std::string to_string(const Jump& jump) {
  std::string said =
      jump.unknown + " jumps from " + number_text(jump.before) + " to " + number_text(jump.after);
  if (jump.transferred == 0.0) {
    said += " by re-initialisation";
  } else {
    said += " by transfer";
    if (jump.after != jump.before + jump.transferred) {
      said += " (" + number_text(jump.transferred) + ") and re-initialisation";
    }
  }
  return said + (jump.impulsive ? ": an impulse" : "");
}

}  // namespace saltus
