// SPDX-License-Identifier: BSD-2-Clause
// How a Model Exchange FMU begins: sizes and names, initialisation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fmu_model_state.hpp"
#include "saltus/core/error.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

constexpr std::size_t kMostUndescribed = 10'000;
constexpr const char* kPartOfCondition = "org.saltus.part-of-condition";

bool contains(const std::vector<std::string>& list, const char* text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// Among structured names, a condition stands between apostrophes.
void remove_apostrophes(std::vector<std::string>& names) {
  for (std::string& name : names) {
    if (name.size() > 2 && name.front() == '\'' && name.find('\'', 1) == name.size() - 1) {
      name = name.substr(1, name.size() - 2);
    }
  }
}

}  // namespace

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
      names.push_back(element_name(variable->name, sizes, i, variable->indices_from_zero));
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
  const std::vector<IndicatorLabel>& labels = description.structure.indicator_labels;
  if (!labels.empty()) {
    const auto last = std::find_if_not(labels.rbegin(), labels.rend(),
                                       [](const IndicatorLabel& label) { return label.is_part; });
    return static_cast<std::size_t>(last - labels.rbegin());
  }
  const auto last = std::find_if_not(indicators.rbegin(), indicators.rend(), is_part);
  return static_cast<std::size_t>(last - indicators.rbegin());
}

void FmuModel::State::resize(const ModelStructure& structure) {
  const auto& slopes = instance->description().structure.continuous_state_derivatives;
  state_names = names_of(slopes, true);
  for (std::size_t i = 0; i < structure.unnamed_continuous_states; ++i) {
    state_names.push_back(fmt::format("state {}", i + 1));
  }
  indicator_names = names_of(structure.event_indicators, false);
  if (instance->description().structured_names) remove_apostrophes(indicator_names);
  for (std::size_t i = 0; i < structure.unnamed_event_indicators; ++i) {
    const bool has_label = i < structure.indicator_labels.size();
    indicator_names.push_back(has_label ? structure.indicator_labels[i].name
                                        : fmt::format("event indicator {}", i + 1));
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
  if (shape.indicators != indicator_names.size()) {
    indicator_names = names_of(instance->description().structure.event_indicators, false);
  }
  // A description may have none at all: only their names are lost.
  if (indicator_names.empty() && shape.indicators > 0 && shape.indicators <= kMostUndescribed) {
    size_warning =
        fmt::format("the FMU has {} event indicator{}, modelDescription.xml describes none",
                    shape.indicators, shape.indicators == 1 ? "" : "s");
    while (indicator_names.size() < shape.indicators) {
      indicator_names.push_back(fmt::format("event indicator {}", indicator_names.size() + 1));
    }
  }
  compare("number of event indicators", shape.indicators, indicator_names.size());
  parts.assign(number_of_parts(), 0.0);
  shape.indicators -= parts.size();
  indicator_names.resize(shape.indicators);
  watched.assign(shape.indicators + parts.size(), 0.0);
  states.assign(shape.states, 0.0);
  notes.nominals.assign(structure.unnamed_continuous_states, 1.0);
  for (const Unknown& unknown : slopes) {
    const Variable* state = instance->description().state_of(unknown);
    const double nominal = state != nullptr ? std::abs(state->nominal.value_or(1.0)) : 1.0;
    notes.nominals.insert(notes.nominals.end(),
                          state != nullptr ? instance->element_count(*state) : 1,
                          nominal > 0.0 ? nominal : 1.0);
  }
}

void FmuModel::State::use(std::shared_ptr<const DaeManifest> manifest) {
  dae.emplace(*instance, std::move(manifest), notes.nominals, notes.kept, notes.slopes,
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

void FmuModel::State::offer_derivatives(const Experiment& experiment) {
  if (shape.states == 0 || !instance->has_directional_derivatives()) return;
  const auto slopes = [this](double t, ConstVec x, Vec xp) {
    if (place(t, x) == Eval::discard) return Eval::discard;
    return instance->get_continuous_state_derivatives(xp);
  };
  const auto tell = [experiment](std::string message) {
    warn(experiment, {.time = kBeforeTheRun, .subject = "", .message = std::move(message)});
  };
  jacobian.emplace(*instance, notes.nominals, slopes, tell);
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
  clocks.begin(experiment, start_values, feed());
  if (dae) {
    dae->begin(experiment);
  } else {
    offer_derivatives(experiment);
  }
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
  instance->name_states(state_names);
  read_nominals();
  notes.is_initial_event = true;
  started = way;
}

void FmuModel::initialize(const Experiment& experiment, Vec y) {
  State& s = *state_;
  if (y.size() < s.shape.unknowns()) throw std::invalid_argument("initialize: too few unknowns");
  if (!s.size_warning.empty()) {
    warn(experiment, {.time = kBeforeTheRun, .subject = "", .message = s.size_warning});
  }
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

}  // namespace saltus::importer
