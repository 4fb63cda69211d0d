// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/fmu_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "fmu_configurations.hpp"
#include "input_feed.hpp"
#include "instance.hpp"
#include "saltus/importer/fmu_error.hpp"
#include "saved_fmu.hpp"
#include "start_values.hpp"

namespace saltus::importer {
namespace {

constexpr const char* kPartOfCondition = "org.saltus.part-of-condition";

bool contains(const std::vector<std::string>& list, const char* text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

struct FmuModel::State {
  State(std::unique_ptr<Instance> made, const InstanceOptions& options)
      : instance(std::move(made)),
        clocks(*instance, notes.clocks),
        variables(*instance, &clocks),
        start_values(instance->description(), options.start_values) {
    start_values.configure(*instance);
    resize();
    if (instance->description().model_exchange->can_get_and_set_fmu_state) {
      sides.emplace(*instance, notes, [this] {
        forget();
        if (inputs) inputs->forget();
      });
    }
  }

  void resize();
  std::vector<std::string> names_of(const std::vector<Unknown>& list, bool of_states) const;
  std::size_t number_of_parts() const;
  Eval place(double t, ConstVec y);
  Eval place_time(double t);
  void forget() { holds_time = holds_states = false; }
  void read_nominals();
  InputFeed* feed() { return inputs ? &*inputs : nullptr; }

  std::shared_ptr<Instance> instance;
  ConfigurationNotes notes;
  ClockSchedule clocks;
  VariableAccess variables;
  StartValues start_values;
  std::optional<InputFeed> inputs;
  Shape shape;
  std::vector<std::string> state_names;
  std::vector<std::string> indicator_names;
  std::vector<double> watched;  ///< what the FMU gives as event indicators: these, and behind them
  std::vector<double> parts;    ///< comparisons, see `Model::parts`

  /// What the FMU holds, as far as we know.
  bool holds_time = false;
  bool holds_states = false;
  double time = 0.0;
  std::vector<double> states;

  std::optional<FmuConfigurations> sides;
};

/// The names of all elements in the order of the FMU's vectors.
std::vector<std::string> FmuModel::State::names_of(const std::vector<Unknown>& list,
                                                   bool of_states) const {
  const ModelDescription& description = instance->description();
  std::vector<std::string> names;
  for (const Unknown& unknown : list) {
    const Variable& listed = description.variables[unknown.variable];
    const Variable* variable = of_states ? description.state_of(unknown) : &listed;
    if (variable == nullptr) {
      names.push_back(fmt::format("the state of {}", listed.name));
      continue;
    }
    const std::vector<std::size_t> sizes = instance->sizes(*variable);
    const std::size_t count = instance->element_count(*variable);
    for (std::size_t i = 0; i < count; ++i) {
      names.push_back(element_name(variable->name, sizes, i));
    }
  }
  return names;
}

// The indicators at the end that are no conditions but comparisons in conditions of several: FMUs
// of this project say so, for an event at which nothing but a comparison changes changes nothing.
std::size_t FmuModel::State::number_of_parts() const {
  const ModelDescription& description = instance->description();
  const std::vector<Unknown>& indicators = description.structure.event_indicators;
  const auto is_part = [&](const Unknown& unknown) {
    const Variable& variable = description.variables[unknown.variable];
    return variable.dimensions.empty() && contains(variable.annotations, kPartOfCondition);
  };
  const auto last = std::find_if_not(indicators.rbegin(), indicators.rend(), is_part);
  return static_cast<std::size_t>(last - indicators.rbegin());
}

void FmuModel::State::resize() {
  const ModelStructure& structure = instance->description().structure;
  state_names = names_of(structure.continuous_state_derivatives, true);
  indicator_names = names_of(structure.event_indicators, false);
  for (std::size_t i = 0; i < structure.unnamed_event_indicators; ++i) {
    indicator_names.push_back(fmt::format("event indicator {}", i + 1));
  }
  shape = {.states = instance->number_of_continuous_states(),
           .algebraics = 0,
           .indicators = instance->number_of_event_indicators()};
  const auto compare = [&](const char* what, std::size_t counted, std::size_t described) {
    if (counted == described) return;
    throw FmuError(
        instance->path(), what, 0,
        fmt::format("the FMU has {}, modelDescription.xml describes {}", counted, described));
  };
  compare("number of continuous states", shape.states, state_names.size());
  compare("number of event indicators", shape.indicators, indicator_names.size());
  parts.assign(number_of_parts(), 0.0);
  shape.indicators -= parts.size();
  indicator_names.resize(shape.indicators);
  watched.assign(shape.indicators + parts.size(), 0.0);
  states.assign(shape.states, 0.0);
  notes.nominals.clear();
  for (const Unknown& unknown : structure.continuous_state_derivatives) {
    const Variable* state = instance->description().state_of(unknown);
    const double nominal = state != nullptr ? std::abs(state->nominal.value_or(1.0)) : 1.0;
    notes.nominals.insert(notes.nominals.end(),
                          state != nullptr ? instance->element_count(*state) : 1,
                          nominal > 0.0 ? nominal : 1.0);
  }
}

Eval FmuModel::State::place_time(double t) {
  if (holds_time && std::bit_cast<std::uint64_t>(t) == std::bit_cast<std::uint64_t>(time)) {
    return Eval::ok;
  }
  holds_time = false;
  if (instance->set_time(t) == Eval::discard) return Eval::discard;
  if (inputs) {
    const auto side = t > notes.phase_begin ? InputFeed::Side::left : InputFeed::Side::right;
    if (inputs->apply_continuous(t, side) == Eval::discard) return Eval::discard;
  }
  time = t;
  holds_time = true;
  return Eval::ok;
}

/// In event mode neither time nor states may be set (FMI 3.0, 2.3.6): the FMU is at the event.
Eval FmuModel::State::place(double t, ConstVec y) {
  if (instance->mode() != Instance::Mode::continuous_time) return Eval::ok;
  if (place_time(t) == Eval::discard) return Eval::discard;
  // Bits, not values: a negative zero is another state. A loop, because vectors are short.
  std::uint64_t difference = holds_states ? 0 : shape.states;
  for (std::size_t i = 0; i < shape.states; ++i) {
    difference |= std::bit_cast<std::uint64_t>(states[i]) ^ std::bit_cast<std::uint64_t>(y[i]);
    states[i] = y[i];
  }
  if (difference == 0) return Eval::ok;
  holds_states = false;
  if (instance->set_continuous_states(states) == Eval::discard) return Eval::discard;
  holds_states = true;
  return Eval::ok;
}

void FmuModel::State::read_nominals() {
  if (shape.states == 0) return;
  instance->get_nominals(notes.nominals);
  for (double& nominal : notes.nominals) {
    nominal = std::abs(nominal);
    if (!std::isfinite(nominal) || nominal == 0.0) nominal = 1.0;
  }
}

FmuModel::FmuModel(std::unique_ptr<Instance> instance, const InstanceOptions& options)
    : state_(std::make_unique<State>(std::move(instance), options)) {}
FmuModel::~FmuModel() = default;

void FmuModel::set_inputs(const InputTable* table) {
  state_->inputs.reset();
  if (table != nullptr) state_->inputs.emplace(*state_->instance, *table);
}

VariableAccess& FmuModel::variables() { return state_->variables; }
const VariableAccess& FmuModel::variables() const { return state_->variables; }

void FmuModel::move_to(double t, ConstVec y) {
  state_->clocks.move_to(t);
  state_->instance->require(state_->place(t, y), "the call that sets time or states");
}

Shape FmuModel::shape() const { return state_->shape; }

void FmuModel::nominals(Vec y) const {
  std::copy(state_->notes.nominals.begin(), state_->notes.nominals.end(), y.begin());
}

std::string FmuModel::unknown_name(std::size_t i) const { return state_->state_names.at(i); }
std::string FmuModel::indicator_name(std::size_t i) const { return state_->indicator_names.at(i); }

void FmuModel::initialize(const Experiment& experiment, Vec y) {
  State& s = *state_;
  if (y.size() < s.shape.states) throw std::invalid_argument("initialize: too few unknowns");
  if (s.instance->mode() != Instance::Mode::instantiated) {
    if (s.sides) s.sides->clear();
    s.instance->reset();
    s.start_values.configure(*s.instance);
    if (s.inputs) s.inputs->forget();
  }
  s.forget();
  s.start_values.apply(*s.instance);
  s.instance->enter_initialization_mode(experiment);
  s.notes.phase_begin = experiment.start;
  if (s.inputs) {
    s.inputs->find_kinks(experiment.tolerance);
    s.inputs->apply_all(experiment.start, InputFeed::Side::right);
  }
  s.clocks.begin(experiment, s.start_values, s.feed());
  s.instance->exit_initialization_mode();
  if (s.shape.states > 0) s.instance->get_continuous_states(y.first(s.shape.states));
  s.read_nominals();
  s.notes.is_initial_event = true;
}

EventUpdate FmuModel::update_discrete_states(double t, Vec y) {
  State& s = *state_;
  EventUpdate update = s.clocks.update(t, s.feed());
  // FMI 3.0, 2.3.6: the flags speak of this call alone, so states are read as soon as they have
  // changed. At the initial event some FMUs change them without saying so.
  if ((update.states_changed || s.notes.is_initial_event) && s.shape.states > 0) {
    s.instance->get_continuous_states(y.first(s.shape.states));
  }
  if (update.nominals_changed) s.read_nominals();
  if (s.inputs) update.next_event_time = std::min(update.next_event_time, s.inputs->next_jump(t));
  return update;
}

void FmuModel::enter_continuous_mode(double t, ConstVec /*y*/) {
  State& s = *state_;
  s.instance->enter_continuous_time_mode();
  s.notes.phase_begin = t;
  s.notes.is_initial_event = false;
  s.forget();
}

void FmuModel::enter_event_mode(double t, ConstVec y) {
  State& s = *state_;
  if (s.instance->mode() == Instance::Mode::event) return;
  move_to(t, y);
  s.instance->enter_event_mode();
  s.clocks.enter_event(t);
  s.forget();
  if (s.inputs) s.inputs->apply_all(t, InputFeed::Side::right);
}

Eval FmuModel::derivatives(double t, ConstVec y, Vec yp) {
  State& s = *state_;
  if (s.place(t, y) == Eval::discard) return Eval::discard;
  if (s.shape.states == 0) return Eval::ok;
  return s.instance->get_continuous_state_derivatives(yp.first(s.shape.states));
}

Eval FmuModel::indicators(double t, ConstVec y, Vec z) {
  State& s = *state_;
  if (s.shape.indicators == 0) return Eval::ok;
  if (s.place(t, y) == Eval::discard) return Eval::discard;
  if (s.parts.empty()) return s.instance->get_event_indicators(z.first(s.shape.indicators));
  const Eval answer = s.instance->get_event_indicators(s.watched);
  const auto first_part = s.watched.begin() + static_cast<std::ptrdiff_t>(s.shape.indicators);
  std::copy(s.watched.begin(), first_part, z.begin());
  std::copy(first_part, s.watched.end(), s.parts.begin());
  return answer;
}

ConstVec FmuModel::parts() const { return state_->parts; }

double FmuModel::next_kink(double t) const {
  return state_->inputs ? state_->inputs->next_kink(t) : kNever;
}

StepVerdict FmuModel::completed_step(double t, ConstVec y) {
  State& s = *state_;
  if (!s.instance->description().model_exchange->needs_completed_integrator_step) return {};
  // FMI 3.0, 3.2.1: the FMU must hold the accepted point when the call comes.
  move_to(t, y);
  return s.instance->completed_integrator_step(s.sides && s.sides->may_go_back());
}

Configurations* FmuModel::configurations() { return state_->sides ? &*state_->sides : nullptr; }

bool FmuModel::can_be_saved() const { return state_->sides.has_value(); }

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
