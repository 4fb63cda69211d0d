// SPDX-License-Identifier: BSD-2-Clause
#include "script.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "../mailbox.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/model_decorator.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/fmu_process.hpp"
#include "saltus/integrators/automatic_integrator.hpp"

namespace saltus::importer::validation {
namespace {

constexpr std::size_t kMostScriptedSteps = 200;
constexpr std::size_t kMostMoves = 2000;
constexpr std::size_t kMostOutputs = 1000;

class ScriptWriter : public EventDecorator {
 public:
  ScriptWriter(Model& model, Script& script) : EventDecorator(model), script_(script) {}

  EventUpdate update_discrete_states(double t, Vec y) override {
    EventUpdate update = wrapped().update_discrete_states(t, y);
    write({.kind = Move::Kind::update, .t = t, .y = {}, .iterates = update.iterate});
    if (script_.size() >= kMostMoves) update.terminate = true;
    return update;
  }
  void enter_continuous_mode(double t, ConstVec y) override {
    EventDecorator::enter_continuous_mode(t, y);
    write({.kind = Move::Kind::phase, .t = t});
  }
  StepVerdict completed_step(double t, ConstVec y) override {
    StepVerdict verdict = EventDecorator::completed_step(t, y);
    write({.kind = Move::Kind::step, .t = t, .y = {y.begin(), y.end()}});
    if (++steps_ > kMostScriptedSteps) verdict.terminate = true;
    return verdict;
  }
  void enter_event_mode(double t, ConstVec y) override {
    EventDecorator::enter_event_mode(t, y);
    write({.kind = Move::Kind::event, .t = t, .y = {y.begin(), y.end()}});
  }

 private:
  void write(Move move) { script_.push_back(std::move(move)); }

  Script& script_;
  std::size_t steps_ = 0;
};

Script write_here(Fmu& fmu, const ValidationOptions& options) {
  Script script;
  try {
    const auto model =
        fmu.instantiate_model_exchange("validate", {.start_values = options.start_values});
    ScriptWriter writer(*model, script);
    const Experiment experiment = experiment_of(fmu.description());
    AutomaticIntegrator integrator(writer, {.relative_tolerance = experiment.tolerance,
                                            .max_step = (experiment.stop - experiment.start) / 50});
    IntegratedModel system(writer, integrator);
    ModeController(system).run(experiment);
  } catch (const std::exception&) {  // rules 35 and 36 say so
    if (!script.empty()) script.pop_back();
  }
  return script;
}

void send_script(const Script& script, Mailbox& mailbox) {
  mailbox.put(script.size());
  for (const Move& move : script) {
    mailbox.put(move.kind);
    mailbox.put(move.t);
    mailbox.put(move.iterates);
    mailbox.put_all(std::span<const double>(move.y));
  }
  mailbox.hand_over(Mailbox::Side::importer);
  mailbox.await(Mailbox::Side::fmu, [] {});
}

Script receive_script(Mailbox& mailbox) {
  Script script(std::min(mailbox.get<std::size_t>(), kMostMoves + kMostScriptedSteps));
  for (Move& move : script) {
    move.kind = mailbox.get<Move::Kind>();
    move.t = mailbox.get<double>();
    move.iterates = mailbox.get<bool>();
    mailbox.get_all<double>(move.y);
  }
  return script;
}

}  // namespace

EventUpdate Move::play(Instance& instance) const {
  if (kind == Kind::update) return instance.update_discrete_states();
  if (kind == Kind::phase) {
    instance.enter_continuous_time_mode();
    return {};
  }
  instance.require(instance.set_time(t), "the call that sets time");
  if (!y.empty()) {
    instance.require(instance.set_continuous_states(y), "the call that sets states");
  }
  if (kind == Kind::event) {
    instance.enter_event_mode();
  } else if (instance.description().model_exchange->needs_completed_integrator_step) {
    instance.completed_integrator_step(true);
  }
  return {};
}

Script write_script(Fmu& fmu, const ValidationOptions& options) {
  if (!fmu.description().model_exchange->can_be_instantiated_only_once_per_process) {
    return write_here(fmu, options);
  }
  Mailbox mailbox;
  FmuProcess process([&] { send_script(write_here(fmu, options), mailbox); },
                     default_memory_limit(), mailbox.file());
  try {
    mailbox.await(Mailbox::Side::importer, [&] {
      if (process.has_ended()) throw std::runtime_error(process.how());
    });
    return receive_script(mailbox);
  } catch (const std::runtime_error&) {  // likewise
    return {};
  }
}

bool RunContext::has_clocks() const {
  const std::vector<Variable>& all = description().variables;
  return std::any_of(all.begin(), all.end(),
                     [](const Variable& variable) { return variable.type == VariableType::clock; });
}

LedInstance::LedInstance(const RunContext& context, InterfaceType type)
    : experiment_(experiment_of(context.description())),
      start_values_(context.description(), context.options.start_values),
      instance_(context.fmu.instantiate_bare(type, {.start_values = context.options.start_values,
                                                    .event_mode = context.has_clocks(),
                                                    .early_return = false})) {
  const ModelDescription& description = context.description();
  if (type == InterfaceType::model_exchange) {
    for (const Unknown& unknown : description.structure.continuous_state_derivatives) {
      const Variable& variable = description.variables[unknown.variable];
      const std::size_t count = instance_->element_count(variable);
      names_.insert(names_.end(), count, variable.name);
    }
    states_ = names_.size();
    for (const Unknown& unknown : description.structure.event_indicators) {
      const Variable& variable = description.variables[unknown.variable];
      names_.insert(names_.end(), instance_->element_count(variable), variable.name);
    }
    names_.insert(names_.end(), description.structure.unnamed_event_indicators,
                  "an event indicator");
    indicators_ = names_.size() - states_;
  }
  for (const Unknown& unknown : description.structure.outputs) {
    const Variable& variable = description.variables[unknown.variable];
    if (!is_numeric(variable.type) || variable.type == VariableType::clock ||
        !variable.dimensions.empty() || !variable.clocks.empty() ||
        outputs_.size() >= kMostOutputs) {
      continue;
    }
    if (outputs_.empty() || outputs_.back().first != variable.type) {
      outputs_.push_back({variable.type, {}});
    }
    outputs_.back().second.push_back(variable.reference);
    names_.push_back(variable.name);
  }
}

void LedInstance::begin_initialization() {
  configure();
  start_values_.apply(*instance_);
  instance_->enter_initialization_mode(experiment_);
}

void LedInstance::initialize() {
  begin_initialization();
  instance_->exit_initialization_mode();
}

std::vector<double> LedInstance::observe() {
  std::vector<double> all(names_.size(), std::numeric_limits<double>::quiet_NaN());
  const Vec values(all);
  const auto keep = [](Eval eval, Vec part) {
    if (eval == Eval::discard) {
      std::fill(part.begin(), part.end(), std::numeric_limits<double>::quiet_NaN());
    }
  };
  if (states_ > 0) {
    const Vec part = values.first(states_);
    keep(instance_->get_continuous_state_derivatives(part), part);
  }
  if (indicators_ > 0) {
    const Vec part = values.subspan(states_, indicators_);
    keep(instance_->get_event_indicators(part), part);
  }
  std::size_t place = states_ + indicators_;
  for (const auto& [type, references] : outputs_) {
    const Vec part = values.subspan(place, references.size());
    keep(instance_->get_numbers(type, references, part), part);
    place += references.size();
  }
  return all;
}

std::string LedInstance::name_of(std::size_t observed) const { return names_.at(observed); }

double largest_difference(const std::vector<double>& a, const std::vector<double>& b,
                          std::size_t* where) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) == std::bit_cast<std::uint64_t>(b[i])) continue;
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    const double scale = std::max({std::abs(a[i]), std::abs(b[i]), 1.0});
    double difference = std::abs(a[i] - b[i]) / scale;
    if (std::isnan(difference)) difference = 1.0;
    difference = std::max(difference, std::numeric_limits<double>::min());
    if (difference <= largest) continue;
    largest = difference;
    if (where != nullptr) *where = i;
  }
  return a.size() == b.size() ? largest : std::max(largest, 1.0);
}

}  // namespace saltus::importer::validation
