// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/fmu_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "fmu_model_state.hpp"
#include "saved_fmu.hpp"

namespace saltus::importer {
namespace {

// What an evaluation of an FMU costs is not written down, and a choice by the clock would make two
// runs differ. FMUs of so many states come from tools that translate thousands of equations.
constexpr std::size_t kManyStates = 20;

}  // namespace

Eval FmuModel::State::place_time() {
  if (!point.time_is_due) return Eval::ok;
  const double t = point.time;
  if (instance->set_time(t) == Eval::discard) return Eval::discard;
  if (inputs) {
    const auto side = t > notes.phase_begin ? InputFeed::Side::left : InputFeed::Side::right;
    if (inputs->apply_continuous(t, side) == Eval::discard) return Eval::discard;
  }
  point.time_is_due = false;
  return Eval::ok;
}

// Algebraics last, and always: some FMUs compute them when states are set.
Eval FmuModel::State::place_unknowns() {
  if (!point.states_are_due) return Eval::ok;
  const ConstVec x = point.states.first(shape.states);
  const Eval answer = x.empty()                 ? Eval::ok
                      : dae->exchanges_states() ? dae->set_states(x)
                                                : instance->set_continuous_states(x);
  if (answer == Eval::discard ||
      dae->set_algebraics(point.states.subspan(shape.states)) == Eval::discard) {
    return Eval::discard;
  }
  point.states_are_due = false;
  return Eval::ok;
}

/// In event mode neither time nor states may be set (FMI 3.0, 2.3.6): the FMU is at the event.
Eval FmuModel::State::place(double t, ConstVec y) {
  if (!is_between_events()) {
    return sets_algebraics ? dae->set_algebraics(y.subspan(shape.states, shape.algebraics))
                           : Eval::ok;
  }
  point.aim(t, y);
  if (!point.time_is_due && !point.states_are_due && !dae) return Eval::ok;
  if (place_time() == Eval::discard) return Eval::discard;
  return dae ? place_unknowns() : instance->tell(point);
}

FmuModel::FmuModel(std::unique_ptr<Instance> instance, const InstanceOptions& options,
                   std::shared_ptr<const DaeManifest> dae)
    : state_(std::make_unique<State>(std::move(instance), options, std::move(dae))) {}
FmuModel::~FmuModel() = default;

bool FmuModel::is_dae() const { return state_->dae.has_value(); }
void FmuModel::warn_at_start(std::string message) {
  state_->warnings.push_back(std::move(message));
}

void FmuModel::set_inputs(const InputTable* table) {
  state_->inputs.reset();
  if (table != nullptr) state_->inputs.emplace(*state_->instance, *table);
}

VariableAccess& FmuModel::variables() { return state_->variables; }
const VariableAccess& FmuModel::variables() const { return state_->variables; }

void FmuModel::move_to(double t, ConstVec y) {
  State& s = *state_;
  s.clocks.move_to(t);
  const bool solves = s.dae && s.is_between_events();
  s.instance->require(solves ? s.dae->place_slopes(t, y) : s.place(t, y),
                      "the call that sets time or states");
}

Eval FmuModel::numbers_at(double t, ConstVec y, const std::vector<ValueReference>& references,
                          Vec numbers) {
  State& s = *state_;
  s.clocks.move_to(t);
  if (s.place(t, y) == Eval::discard) return Eval::discard;
  if (references.empty()) return Eval::ok;
  return s.instance->get_numbers(VariableType::float64, references, numbers);
}

Shape FmuModel::shape() const { return state_->shape; }

void FmuModel::nominals(Vec y) const {
  std::copy(state_->notes.nominals.begin(), state_->notes.nominals.end(), y.begin());
}

std::string FmuModel::unknown_name(std::size_t i) const {
  const std::size_t states = state_->shape.states;
  return state_->dae && i >= states ? state_->dae->algebraic_name(i - states)
                                    : state_->state_names.at(i);
}
std::string FmuModel::indicator_name(std::size_t i) const { return state_->indicator_names.at(i); }

EventUpdate FmuModel::update_discrete_states(double t, Vec y) {
  State& s = *state_;
  if (std::exchange(s.event_is_due, false)) s.begin_event(t, y);
  // An equation may be another after each pass (FMI-LS-DAE leaves open who solves it).
  if (s.solves_in_events()) s.solve_in_this_mode(t, y);
  EventUpdate update = s.clocks.update(t, s.feed());
  // FMI 3.0, 2.3.6: the flags speak of this call alone, so states are read as soon as they have
  // changed. At the initial event some FMUs change them without saying so.
  if ((update.states_changed || s.notes.is_initial_event) && s.shape.states > 0) {
    s.get_states(y.first(s.shape.states));
  }
  if (s.dae) s.dae->get_algebraics(y.subspan(s.shape.states, s.shape.algebraics));
  if (update.nominals_changed) {
    s.instance->name_states(s.state_names);
    s.read_nominals();
  }
  if (s.inputs) update.next_event_time = std::min(update.next_event_time, s.inputs->next_jump(t));
  return update;
}

void FmuModel::enter_continuous_mode(double t, ConstVec /*y*/) {
  State& s = *state_;
  if (s.dae) s.dae->begin_phase();
  if (std::exchange(s.event_is_due, false)) return;  // nothing has happened
  s.instance->enter_continuous_time_mode();
  s.notes.phase_begin = t;
  s.notes.is_initial_event = false;
  s.forget();
}

void FmuModel::enter_event_mode(double t, ConstVec y) {
  State& s = *state_;
  if (s.instance->mode() == Instance::Mode::event) return;
  move_to(t, y);
  // A driver of implicit models may come and go without an update, which FMI does not allow.
  if (s.dae) {
    s.dae->note_left_limit(y.subspan(s.shape.states, s.shape.algebraics));
    s.event_is_due = true;
  } else {
    s.begin_event(t, y);
  }
}

void FmuModel::State::begin_event(double t, ConstVec y) {
  if (dae) instance->require(dae->place_slopes(t, y), "the call that sets time or states");
  instance->enter_event_mode();
  clocks.enter_event(t);
  if (inputs) inputs->apply_all(t, InputFeed::Side::right);
}

Eval FmuModel::residual(double t, ConstVec y, ConstVec yp, Vec r) {
  return state_->dae ? state_->dae->residual(t, y, yp, r) : Model::residual(t, y, yp, r);
}

Capabilities FmuModel::capabilities() {
  State& s = *state_;
  if (s.dae) return {.consistency = &*s.dae, .derivatives = &*s.dae, .hints = this};
  return {.is_explicit = true,
          .is_dear = s.shape.states >= kManyStates,
          .may_stay_at_zero = true,
          .derivatives = s.jacobian ? &*s.jacobian : nullptr,
          .hints = this,
          .configurations = configurations()};
}

Eval FmuModel::derivatives(double t, ConstVec y, Vec yp) {
  State& s = *state_;
  if (s.is_between_events() && s.is_plain() && s.shape.states > 0) {
    return s.instance->derivatives_at(t, y, yp.first(s.shape.states), s.point);
  }
  return s.dae ? Model::derivatives(t, y, yp) : s.derivatives_slowly(t, y, yp);
}

Eval FmuModel::indicators(double t, ConstVec y, Vec z) {
  State& s = *state_;
  if (s.shape.indicators == 0) return Eval::ok;
  if (s.is_between_events() && s.is_plain() && s.parts.empty()) {
    return s.instance->indicators_at(t, y, z.first(s.shape.indicators), s.point);
  }
  return s.indicators_slowly(t, y, z);
}

Eval FmuModel::State::derivatives_slowly(double t, ConstVec y, Vec yp) {
  if (place(t, y) == Eval::discard) return Eval::discard;
  if (shape.states == 0) return Eval::ok;
  return instance->get_continuous_state_derivatives(yp.first(shape.states));
}

Eval FmuModel::State::indicators_slowly(double t, ConstVec y, Vec z) {
  const bool solves = dae && is_between_events();
  if ((solves ? dae->place_slopes(t, y) : place(t, y)) == Eval::discard) return Eval::discard;
  if (parts.empty()) return instance->get_event_indicators(z.first(shape.indicators));
  const Eval answer = instance->get_event_indicators(watched);
  const auto first_part = watched.begin() + static_cast<std::ptrdiff_t>(shape.indicators);
  std::copy(watched.begin(), first_part, z.begin());
  std::copy(first_part, watched.end(), parts.begin());
  return answer;
}

ConstVec FmuModel::parts() const { return state_->parts; }

// An FMU may show its indicators as positive in every phase, so that all of them fall at events:
// ours do where they can slide. Those that rise are what they are; of ours they are margins of
// conditions then, positive where these hold.
IndicatorChange FmuModel::change(std::size_t indicator, bool was_positive) const {
  State& s = *state_;
  s.has_risen.resize(s.shape.indicators, 0);
  if (indicator >= s.has_risen.size()) return IndicatorChange::unknown;
  if (!was_positive) s.has_risen[indicator] = 1;
  if (s.has_risen[indicator] == 0) return IndicatorChange::unknown;
  if (s.is_ours) {
    return was_positive ? IndicatorChange::became_false : IndicatorChange::became_true;
  }
  return was_positive ? IndicatorChange::fell : IndicatorChange::rose;
}

double FmuModel::next_kink(double t) const {
  return state_->inputs ? state_->inputs->next_kink(t) : kNever;
}

StepVerdict FmuModel::completed_step(double t, ConstVec y) {
  State& s = *state_;
  StepVerdict verdict;
  if (s.needs_completed_steps) {
    // FMI 3.0, 3.2.1: the FMU must hold the accepted point when the call comes.
    move_to(t, y);
    verdict = s.instance->completed_integrator_step(s.sides && s.sides->may_go_back());
  }
  if (s.dae) {
    s.dae->accept(t, y);
    verdict.equations_changed = s.dae->has_drifted(t, y);
  }
  return verdict;
}

bool FmuModel::has_slopes_along() const {
  const State& s = *state_;
  const ModelDescription& description = s.instance->description();
  const auto& slopes = description.structure.continuous_state_derivatives;
  return !s.dae && s.shape.states > 0 && s.instance->has_directional_derivatives() &&
         description.structure.unnamed_continuous_states == 0 &&
         std::all_of(slopes.begin(), slopes.end(),
                     [&](const Unknown& each) { return description.state_of(each) != nullptr; });
}

Eval FmuModel::slopes_along(double t, ConstVec y, ConstVec v, Vec rates) {
  State& s = *state_;
  if (s.place(t, y) == Eval::discard) return Eval::discard;
  const ModelDescription& description = s.instance->description();
  std::vector<ValueReference> unknowns, knowns;
  for (const Unknown& each : description.structure.continuous_state_derivatives) {
    unknowns.push_back(description.variables[each.variable].reference);
    knowns.push_back(description.state_of(each)->reference);
  }
  return s.instance->directional_derivative(unknowns, knowns, v, rates);
}

Configurations* FmuModel::configurations() { return state_->sides ? &*state_->sides : nullptr; }

bool FmuModel::can_be_saved() const { return state_->instance->can_save_states(); }

std::shared_ptr<const SavedFmu> FmuModel::save() const {
  const State& s = *state_;
  return std::shared_ptr<const SavedFmu>(
      new SavedFmu(std::make_unique<SavedFmu::State>(s.instance, s.notes)));
}

void FmuModel::restore(const SavedFmu& saved) {
  State& s = *state_;
  if (saved.state_->instance != s.instance) {
    throw std::invalid_argument(
        "what shall be restored was saved from another instance of the FMU (reset() makes a new "
        "one)");
  }
  s.instance->restore(saved.state_->state);
  s.notes = std::any_cast<const ConfigurationNotes&>(saved.state_->notes);
  s.forget();
  if (s.inputs) s.inputs->forget();
}

void FmuModel::terminate() {
  if (state_->sides) state_->sides->clear();
  state_->instance->terminate();
}

}  // namespace saltus::importer
