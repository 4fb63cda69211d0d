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
#include <utility>
#include <vector>

#include "dae_equations.hpp"
#include "fmu_configurations.hpp"
#include "input_feed.hpp"
#include "instance.hpp"
#include "saltus/core/error.hpp"
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
  /// Who makes the start of an FMU in DAE mode consistent: FMI-LS-DAE leaves it open.
  enum class DaeStart {
    importer,   ///< it sets algebraics in initialization mode, which not every FMU allows
    fmu,        ///< whatever it does; what is left is solved at the beginning of the first phase
    ode_first,  ///< as an ODE; the switch is set in event mode
  };

  State(std::unique_ptr<Instance> made, const InstanceOptions& options,
        std::shared_ptr<const DaeManifest> manifest)
      : instance(std::move(made)),
        variables(*instance),
        start_values(instance->description(), options.start_values) {
    if (manifest && manifest->enable) {
      dae_switch = &instance->description().variables[*manifest->enable];
    }
    start_values.configure(*instance, dae_switch);
    resize(manifest ? manifest->structure : instance->description().structure);
    if (manifest) use(std::move(manifest));
    if (!dae && instance->description().model_exchange->can_get_and_set_fmu_state) {
      sides.emplace(*instance, notes, [this] {
        forget();
        if (inputs) inputs->forget();
      });
    }
  }

  void resize(const ModelStructure& structure);
  void use(std::shared_ptr<const DaeManifest> manifest);
  void start(const Experiment& experiment, Vec y, DaeStart way);
  void begin_event(double t, ConstVec y);
  void solve_in_this_mode(double t, Vec y);
  /// Our own FMUs let algebraics be set in event mode, if they do in initialization mode.
  bool solves_in_events() const {
    return started == DaeStart::importer &&
           instance->description().generation_tool.starts_with("Saltus");
  }
  std::vector<DaeStart> ways_to_start() const;
  void get_states(Vec x);
  void get_unknowns(Vec y);
  std::vector<std::string> names_of(const std::vector<Unknown>& list, bool of_states) const;
  std::size_t number_of_parts() const;
  Eval place(double t, ConstVec y);
  Eval place_time(double t);
  void forget() { holds_time = holds_states = false; }
  void read_nominals();

  std::shared_ptr<Instance> instance;
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
  std::vector<double> states;  ///< with the algebraics

  ConfigurationNotes notes;
  std::optional<FmuConfigurations> sides;

  std::optional<DaeEquations> dae;
  const Variable* dae_switch = nullptr;
  /// Algebraics can be set in the mode in which the FMU is, though states cannot.
  bool sets_algebraics = false;
  DaeStart started = DaeStart::fmu;
  bool event_is_due = false;  ///< event mode will be entered with the first update
  std::vector<std::string> warnings;
};

/// The names of all elements in the order of the FMU's vectors.
std::vector<std::string> FmuModel::State::names_of(const std::vector<Unknown>& list,
                                                   bool of_states) const {
  const ModelDescription& description = instance->description();
  std::vector<std::string> names;
  for (const Unknown& unknown : list) {
    const Variable& variable =
        of_states ? description.state_of(unknown) : description.variables[unknown.variable];
    const std::vector<std::size_t> sizes = instance->sizes(variable);
    const std::size_t count = instance->element_count(variable);
    for (std::size_t i = 0; i < count; ++i) {
      names.push_back(element_name(variable.name, sizes, i));
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

void FmuModel::State::resize(const ModelStructure& structure) {
  const auto& slopes = instance->description().structure.continuous_state_derivatives;
  state_names = names_of(slopes, true);
  indicator_names = names_of(structure.event_indicators, false);
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
  if (shape.indicators != indicator_names.size()) {
    indicator_names = names_of(instance->description().structure.event_indicators, false);
  }
  compare("number of event indicators", shape.indicators, indicator_names.size());
  parts.assign(number_of_parts(), 0.0);
  shape.indicators -= parts.size();
  indicator_names.resize(shape.indicators);
  watched.assign(shape.indicators + parts.size(), 0.0);
  states.assign(shape.states, 0.0);
  notes.nominals.clear();
  for (const Unknown& unknown : slopes) {
    const Variable& state = instance->description().state_of(unknown);
    const double nominal = std::abs(state.nominal.value_or(1.0));
    notes.nominals.insert(notes.nominals.end(), instance->element_count(state),
                          nominal > 0.0 ? nominal : 1.0);
  }
}

void FmuModel::State::use(std::shared_ptr<const DaeManifest> manifest) {
  dae.emplace(*instance, std::move(manifest), notes.nominals, notes.kept,
              [this](double t, ConstVec y) { return place(t, y); });
  shape.algebraics = dae->algebraics();
  states.assign(shape.unknowns(), 0.0);
  dae->append_nominals(notes.nominals);
  warnings = dae->manifest().warnings;
}

void FmuModel::State::get_states(Vec x) {
  if (x.empty()) return;
  if (dae && dae->exchanges_states()) {
    dae->get_states(x);
  } else {
    instance->get_continuous_states(x);
  }
}

void FmuModel::State::get_unknowns(Vec y) {
  get_states(y.first(shape.states));
  if (dae) dae->get_algebraics(y.subspan(shape.states, shape.algebraics));
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
  if (instance->mode() != Instance::Mode::continuous_time) {
    return sets_algebraics ? dae->set_algebraics(y.subspan(shape.states, shape.algebraics))
                           : Eval::ok;
  }
  if (place_time(t) == Eval::discard) return Eval::discard;
  // Bits, not values: a negative zero is another state. A loop, because vectors are short.
  const std::size_t count = states.size();
  std::uint64_t difference = holds_states ? 0 : count;
  for (std::size_t i = 0; i < count; ++i) {
    difference |= std::bit_cast<std::uint64_t>(states[i]) ^ std::bit_cast<std::uint64_t>(y[i]);
    states[i] = y[i];
  }
  if (difference == 0) return Eval::ok;
  holds_states = false;
  if (!dae) {
    if (instance->set_continuous_states(states) == Eval::discard) return Eval::discard;
  } else {
    // Algebraics last, and always: some FMUs compute them when states are set.
    const ConstVec x = ConstVec(states).first(shape.states);
    const Eval answer = x.empty()                 ? Eval::ok
                        : dae->exchanges_states() ? dae->set_states(x)
                                                  : instance->set_continuous_states(x);
    if (answer == Eval::discard ||
        dae->set_algebraics(ConstVec(states).subspan(shape.states)) == Eval::discard) {
      return Eval::discard;
    }
  }
  holds_states = true;
  return Eval::ok;
}

void FmuModel::State::read_nominals() {
  const Vec of_states = Vec(notes.nominals).first(shape.states);
  if (dae) dae->read_nominals(Vec(notes.nominals).subspan(shape.states));
  if (shape.states == 0 || (dae && dae->exchanges_states())) return;
  instance->get_nominals(of_states);
  for (double& nominal : of_states) {
    nominal = std::abs(nominal);
    if (!std::isfinite(nominal) || nominal == 0.0) nominal = 1.0;
  }
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
  const bool solves = s.dae && s.instance->mode() == Instance::Mode::continuous_time;
  s.instance->require(solves ? s.dae->place_slopes(t, y) : s.place(t, y),
                      "fmi3SetTime or fmi3SetContinuousStates");
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

// Those known to let algebraics be set in every mode may be asked to, others only where the
// standard lets them; an FMU that cannot be initialised as a DAE may be able to as an ODE.
std::vector<FmuModel::State::DaeStart> FmuModel::State::ways_to_start() const {
  const std::string& tool = instance->description().generation_tool;
  const bool is_known = tool.starts_with("Saltus") || tool.starts_with("Reference FMUs");
  const bool is_tunable = dae_switch != nullptr && dae_switch->variability == Variability::tunable;
  std::vector<DaeStart> ways;
  if (is_known) ways.push_back(DaeStart::importer);
  ways.push_back(DaeStart::fmu);
  if (is_tunable) ways.push_back(DaeStart::ode_first);
  return ways;
}

// Where algebraics can be set in a mode other than that of the integration.
void FmuModel::State::solve_in_this_mode(double t, Vec y) {
  sets_algebraics = true;
  get_unknowns(y);
  if (!dae->solve(t, y)) get_unknowns(y);  // the beginning of the phase tries again
  static_cast<void>(dae->set_algebraics(y.subspan(shape.states, shape.algebraics)));
  sets_algebraics = false;
}

void FmuModel::State::start(const Experiment& experiment, Vec y, DaeStart way) {
  const Variable* const enabled = way == DaeStart::ode_first ? nullptr : dae_switch;
  if (instance->mode() != Instance::Mode::instantiated) {
    if (sides) sides->clear();
    instance->reset();
    start_values.configure(*instance, enabled);
    if (inputs) inputs->forget();
  } else if (enabled != dae_switch) {
    instance->enter_configuration_mode();
    instance->write(*dae_switch, {false});
    instance->exit_configuration_mode();
  }
  sets_algebraics = event_is_due = false;
  forget();
  start_values.apply(*instance);
  instance->enter_initialization_mode(experiment);
  notes.phase_begin = experiment.start;
  if (inputs) {
    inputs->find_kinks(experiment.tolerance);
    inputs->apply_all(experiment.start, InputFeed::Side::right);
  }
  if (dae) dae->begin(experiment);
  if (dae && dae->uses_directional_derivatives() && enabled == dae_switch) {
    dae->probe_directional_derivatives();
  }
  if (dae && way == DaeStart::importer) solve_in_this_mode(experiment.start, y);
  instance->exit_initialization_mode();
  if (way == DaeStart::ode_first) {
    get_unknowns(y);  // an FMU may compute what it is asked for, and nothing else
    instance->enter_configuration_mode();
    instance->write(*dae_switch, {true});
    instance->exit_configuration_mode();
  }
  get_unknowns(y);
  read_nominals();
  notes.is_initial_event = true;
  started = way;
}

void FmuModel::initialize(const Experiment& experiment, Vec y) {
  State& s = *state_;
  if (y.size() < s.shape.unknowns()) throw std::invalid_argument("initialize: too few unknowns");
  for (const std::string& warning : s.warnings) {
    warn(experiment, {.time = kBeforeTheRun, .subject = "FMI-LS-DAE", .message = warning});
  }
  if (!s.dae) {
    s.start(experiment, y, State::DaeStart::fmu);
    return;
  }
  const std::vector<State::DaeStart> ways = s.ways_to_start();
  for (std::size_t i = 0; i < ways.size(); ++i) {
    try {
      s.start(experiment, y, ways[i]);
      return;
    } catch (const ModelError& error) {
      // An FMU that refuses them for residuals is lost for this attempt, not for the next.
      if (error.function() == "fmi3GetDirectionalDerivative" &&
          s.dae->uses_directional_derivatives()) {
        s.dae->use_differences();
        --i;
      } else if (i + 1 == ways.size()) {
        throw;
      }
      warn(experiment, {.time = kBeforeTheRun,
                        .subject = "FMI-LS-DAE",
                        .message = fmt::format("the FMU is initialised in another way, because {}",
                                               error.what())});
    }
  }
}

EventUpdate FmuModel::update_discrete_states(double t, Vec y) {
  State& s = *state_;
  if (std::exchange(s.event_is_due, false)) s.begin_event(t, y);
  // An equation may be another after each pass (FMI-LS-DAE leaves open who solves it).
  if (s.solves_in_events()) s.solve_in_this_mode(t, y);
  EventUpdate update = s.instance->update_discrete_states();
  // FMI 3.0, 2.3.6: the flags speak of this call alone, so states are read as soon as they have
  // changed. At the initial event some FMUs change them without saying so.
  if ((update.states_changed || s.notes.is_initial_event) && s.shape.states > 0) {
    s.get_states(y.first(s.shape.states));
  }
  if (s.dae) s.dae->get_algebraics(y.subspan(s.shape.states, s.shape.algebraics));
  if (update.nominals_changed) s.read_nominals();
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
  if (dae) instance->require(dae->place_slopes(t, y), "fmi3SetTime or fmi3SetContinuousStates");
  instance->enter_event_mode();
  forget();
  if (inputs) inputs->apply_all(t, InputFeed::Side::right);
}

Eval FmuModel::residual(double t, ConstVec y, ConstVec yp, Vec r) {
  return state_->dae ? state_->dae->residual(t, y, yp, r) : Model::residual(t, y, yp, r);
}

Capabilities FmuModel::capabilities() {
  State& s = *state_;
  if (!s.dae) return {.is_explicit = true, .hints = this, .configurations = configurations()};
  return {.consistency = &*s.dae, .derivatives = &*s.dae, .hints = this};
}

Eval FmuModel::derivatives(double t, ConstVec y, Vec yp) {
  State& s = *state_;
  if (s.dae) return Model::derivatives(t, y, yp);
  if (s.place(t, y) == Eval::discard) return Eval::discard;
  if (s.shape.states == 0) return Eval::ok;
  return s.instance->get_continuous_state_derivatives(yp.first(s.shape.states));
}

Eval FmuModel::indicators(double t, ConstVec y, Vec z) {
  State& s = *state_;
  if (s.shape.indicators == 0) return Eval::ok;
  const bool solves = s.dae && s.instance->mode() == Instance::Mode::continuous_time;
  if ((solves ? s.dae->place_slopes(t, y) : s.place(t, y)) == Eval::discard) return Eval::discard;
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
  StepVerdict verdict;
  if (s.instance->description().model_exchange->needs_completed_integrator_step) {
    // FMI 3.0, 3.2.1: the FMU must hold the accepted point when the call comes.
    move_to(t, y);
    verdict = s.instance->completed_integrator_step(s.sides && s.sides->may_go_back());
  }
  if (s.dae) verdict.equations_changed = s.dae->has_drifted(t, y);
  return verdict;
}

Configurations* FmuModel::configurations() { return state_->sides ? &*state_->sides : nullptr; }

bool FmuModel::can_be_saved() const {
  return state_->instance->description().model_exchange->can_get_and_set_fmu_state;
}

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
