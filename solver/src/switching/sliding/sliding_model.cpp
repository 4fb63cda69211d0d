// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/switching/sliding_model.hpp"

#include <algorithm>
#include <stdexcept>

#include "saltus/core/error.hpp"
#include "saltus/core/model_decorator.hpp"
#include "saltus/core/number_text.hpp"
#include "sliding_state.hpp"

namespace saltus {
namespace {

// Surfaces that have two indicators of their own for their exits; further ones share the last pair.
// An importer, that has to watch them, gets few.
constexpr std::size_t kMostExitPairs = 10;
// Stages and steps are put back onto the surfaces at least to this part of the tolerance; to
// roundings where that is found, so that what meets at one point is met there at once.
constexpr double kProjection = 1e-3;

}  // namespace

SlidingModel::State::State(Model& m, const SlidingOptions& o)
    : model(m), hints(m.capabilities().hints), options(o) {
  indicators = model.shape().indicators;
  Configurations* both = model.capabilities().configurations;
  if (both == nullptr || indicators == 0) {
    return;
  }
  switches.resize(indicators);
  for (std::size_t i = 0; i < indicators; ++i) {
    switches[i] = both->may_switch_equations(i) ? 1 : 0;
    most_surfaces += static_cast<std::size_t>(switches[i]);
  }
  exit_pairs =
      std::min(most_surfaces, o.projecting_driver ? kMostExitPairs : sliding::kMostEnumerated);
  if (most_surfaces > 0) {
    both->expect_forks();
    sides.emplace(model, *both, stats);
    parts_on.emplace(hints, indicators);
    on.emplace(*sides);
    on->become({}, {both->selected()});
    meeting.emplace(*sides);
    beyond.emplace(*sides);
    // Only conditions that switch nothing can be imposed, if there are any.
    takes_sides = both->impose({});
    takes_over = both->take_over(both->selected(), {});
    imposes = takes_sides && std::count(switches.begin(), switches.end(), 0) > 0;
    on->may_be_off = meeting->may_be_off = !options.projecting_driver;
  }
}

namespace {

// Decorators that hide the sides of surfaces which the model inside has: nothing would slide.
bool hides_sides(Model& model) {
  if (model.capabilities().configurations != nullptr) {
    return false;
  }
  const auto* decorator = dynamic_cast<const ModelDecorator*>(&model);
  if (decorator == nullptr) {
    return false;
  }
  Model& inside = decorator->wrapped();
  Configurations* const sides = inside.capabilities().configurations;
  for (std::size_t i = 0; sides != nullptr && i < inside.shape().indicators; ++i) {
    if (sides->may_switch_equations(i)) {
      return true;
    }
  }
  return hides_sides(inside);
}

}  // namespace

SlidingModel::SlidingModel(Model& model, SlidingOptions options)
    : state_(std::make_unique<State>(model, options)) {
  if (!model.is_explicit()) {
    throw std::invalid_argument(
        "SlidingModel needs an explicit model: put a ReducedModel of the explicit form inside");
  }
  if (hides_sides(model)) {
    throw std::invalid_argument(
        "SlidingModel cannot see the sides of surfaces through the decorator inside (hysteresis, "
        "rest): put the SlidingModel inside, or leave it out");
  }
}
SlidingModel::~SlidingModel() = default;

Shape SlidingModel::shape() const {
  Shape shape = state_->model.shape();
  shape.indicators += 2 * state_->exit_pairs;
  return shape;
}
void SlidingModel::nominals(Vec y) const { state_->model.nominals(y); }
std::string SlidingModel::unknown_name(std::size_t i) const {
  return state_->model.unknown_name(i);
}
std::string SlidingModel::indicator_name(std::size_t i) const {
  const State& s = *state_;
  if (i < s.indicators) {
    return s.model.indicator_name(i);
  }
  const std::size_t pair = (i - s.indicators) / 2;
  const bool is_shared = pair + 1 == s.exit_pairs && s.slid_on.size() > s.exit_pairs;
  std::string which = is_shared ? "one of " : "";
  for (std::size_t j = pair; j < (is_shared ? s.slid_on.size() : pair + 1); ++j) {
    which += (j > pair ? ", " : "") + (j < s.slid_on.size()
                                           ? "\"" + s.model.indicator_name(s.slid_on[j]) + "\""
                                           : "surface " + std::to_string(j));
  }
  return "sliding on " + which +
         (((i - s.indicators) % 2) == 0 ? ", left upwards" : ", left downwards");
}

void SlidingModel::initialize(const Experiment& experiment, Vec y) {
  State& s = *state_;
  forget_configurations();
  s.model.initialize(experiment, y);
  s.experiment = experiment;
  s.tolerance = experiment.tolerance;
  s.stop = experiment.stop;
  s.refusal.clear();
  s.warned_of_jumps = false;
  s.refused_at = -kNever;
  if (!s.sides) {
    return;
  }
  s.sides->times = {.earliest = experiment.start, .latest = experiment.stop};
  s.sides->read_nominals();
  s.sides->forget_noise();
  s.fired.clear();
  s.conditions.clear();
  s.conditions_found_for.clear();
  s.on_surfaces.clear();
  s.parts_on->recall({}, {});
  s.passes = 0;
  s.keep_conditions();
  s.initial = true;
  s.in_phase = false;
  s.in_event_mode = true;
  s.shifts.clear();
  s.stage = State::Stage::settling;
  s.visits.clear();
  s.show_own_sides(experiment.start, y);
}

EventUpdate SlidingModel::update_discrete_states(double t, Vec y) {
  return state_->sides ? state_->update(t, y) : state_->model.update_discrete_states(t, y);
}
void SlidingModel::enter_continuous_mode(double t, ConstVec y) {
  if (state_->sides) {
    state_->begin_phase(t, y);
  } else {
    state_->model.enter_continuous_mode(t, y);
  }
}
void SlidingModel::enter_event_mode(double t, ConstVec y) {
  if (state_->sides) {
    state_->begin_event(t, y);
  } else {
    state_->model.enter_event_mode(t, y);
  }
}

Eval SlidingModel::derivatives(double t, ConstVec y, Vec yp) {
  State& s = *state_;
  if (!s.sides) {
    ++s.stats.rhs_evaluations;
    return s.model.derivatives(t, y, yp);
  }
  if (s.free()) {
    Eval answer = Eval::ok;
    if (s.sides->remembers_fields()) {
      answer = s.sides->remembered_field(s.slot(), t, y, yp);
      s.sides->forget_fields();
    } else {
      ++s.stats.rhs_evaluations;
      answer = s.model.derivatives(t, y, yp);
    }
    if (answer == Eval::ok) return answer;
    if (!s.options.projecting_driver) return s.field_within_domains(t, y, yp);
    return s.holds.empty() ? answer : s.field_beside_left(t, y, yp);
  }
  const sliding::Point* point = s.motion_for_driver(t, y);
  if (point == nullptr) return Eval::discard;
  std::copy(point->field.begin(), point->field.end(), yp.begin());
  return Eval::ok;
}

Eval SlidingModel::indicators(double t, ConstVec y, Vec z) {
  State& s = *state_;
  if (!s.sides) {
    ++s.stats.indicator_evaluations;
    return s.model.indicators(t, y, z);
  }
  if (!s.in_phase) return s.indicators_at_event(t, y, z);
  return s.free() ? s.free_indicators(t, y, z) : s.sliding_indicators(t, y, z);
}

Capabilities SlidingModel::capabilities() {
  return {.is_explicit = true,
          .is_dear = state_->model.capabilities().is_dear,
          .may_stay_at_zero = !state_->sides && state_->model.capabilities().may_stay_at_zero,
          .consistency = this,
          .derivatives = this,
          .hints = this,
          .diagnosis = this};
}

Linearization* SlidingModel::linearization() {
  return !state_->sides || state_->free() ? state_->model.linearization() : nullptr;
}

ConstVec SlidingModel::parts() const {
  if (state_->sides) return state_->parts;
  return state_->hints != nullptr ? state_->hints->parts() : ConstVec{};
}

double SlidingModel::next_kink(double t) const {
  return state_->hints != nullptr ? state_->hints->next_kink(t) : kNever;
}

// While the motion slides, and where indicators are shifted, they are shown as positive.
IndicatorChange SlidingModel::change(std::size_t indicator, bool was_positive) const {
  const State& s = *state_;
  if (s.hints == nullptr || (s.sides && indicator >= s.indicators)) {
    return IndicatorChange::unknown;
  }
  if (!s.sides || (s.free() && !s.is_shifted(indicator))) {
    return s.hints->change(indicator, was_positive);
  }
  const auto in_domain = [&](std::size_t v) {
    return s.domains[v * s.indicators + indicator] != 0;
  };
  const std::size_t count = s.on->slots().size();
  bool known = s.domains.size() == count * s.indicators;
  for (std::size_t v = 1; known && v < count; ++v) known = in_domain(v) == in_domain(0);
  return known ? s.hints->change(indicator, in_domain(0)) : IndicatorChange::unknown;
}

// In free motion, what the wrapped model makes consistent is its own business.
Eval SlidingModel::make_consistent(double t, Vec y, Vec yp) {
  State& s = *state_;
  if (!s.model.projects()) {
    return derivatives(t, y, yp);
  }
  if (s.sides && !s.free()) {
    return project(t, y) == Eval::ok ? derivatives(t, y, yp) : Eval::discard;
  }
  if (s.sides) {
    s.sides->forget_fields();
  }
  ++s.stats.rhs_evaluations;
  return s.model.make_consistent(t, y, yp);
}

bool SlidingModel::iterates_for_indicators() const {
  return saltus::iterates_for_indicators(state_->model);
}
bool SlidingModel::projects() const {
  return state_->model.projects() || (state_->sides && !state_->free());
}
Eval SlidingModel::project(double t, Vec y) {
  State& s = *state_;
  if (!s.sides || s.free()) {
    return s.model.projects() ? s.model.project(t, y) : Eval::ok;
  }
  const std::vector<double> where(y.begin(), y.end());
  const double enough = kProjection * s.tolerance;
  for (const double precision : {std::min(State::kLeaving, enough), enough}) {
    const Eval answer = s.model.projects() ? s.project_with_constraints(t, y, precision)
                                           : s.on->project(t, y, precision);
    if (answer == Eval::ok) return answer;
    std::copy(where.begin(), where.end(), y.begin());
  }
  return Eval::discard;
}

// The directions of the projection are those of the last step kept, so that a step that is not kept
// leaves no trace.
StepVerdict SlidingModel::completed_step(double t, ConstVec y) {
  State& s = *state_;
  if (!s.holds.empty()) {
    s.release_holds_after_step(t, y);
  }
  if (!s.sides || s.free()) {
    return s.model.completed_step(t, y);
  }
  if (const sliding::Point* const point = s.motion_at(t, y)) {
    s.on->aim(*point);
    s.regroups = s.regroups || !s.are_groups_right(*point);
  }
  s.check_coincident(t, y);
  StepVerdict verdict{.enter_event_mode = s.regroups};
  for (const Configurations::Slot slot : s.on->slots()) {
    s.sides->configurations().select(slot);
    const StepVerdict own = s.model.completed_step(t, y);
    verdict.enter_event_mode = verdict.enter_event_mode || own.enter_event_mode;
    verdict.terminate = verdict.terminate || own.terminate;
    verdict.pause = verdict.pause || own.pause;
    verdict.equations_changed = verdict.equations_changed || own.equations_changed;
  }
  return verdict;
}
// Whoever ends here may have been sent back and forth where the motion should have slid.
void SlidingModel::explain_failure(double t, ConstVec y) {
  State& s = *state_;
  if (Diagnosis* const inner = s.model.capabilities().diagnosis; inner != nullptr) {
    inner->explain_failure(t, y);
  }
  const double length = s.stop < kNever ? s.stop - s.experiment.start : 1.0;
  if (!s.refusal.empty() && t - s.refused_at <= State::kJustNow * length) {
    throw EventError(EventError::Reason::chattering, t, {},
                     "no step leads on from t = " + number_text(t) +
                         ", where both sides of a surface push towards it, and the motion does "
                         "not slide: " +
                         s.refusal);
  }
}

void SlidingModel::terminate() { state_->model.terminate(); }

std::size_t SlidingModel::surfaces() const { return state_->on ? state_->on->size() : 0; }
const SlidingStats& SlidingModel::stats() const { return state_->stats; }
const std::string& SlidingModel::refusal() const { return state_->refusal; }

}  // namespace saltus
