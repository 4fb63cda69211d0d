// SPDX-License-Identifier: BSD-2-Clause
// Rule 35: calls that the state machine forbids, and arguments that make no sense. "When detecting
// illegal arguments or a function call not allowed in the current state [...] the FMU must return
// fmi3Error" (FMI 3.0, 2.2.3). FMI 2.0 has the same state machines and no such sentence.
#include "illegal_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run_checks.hpp"
#include "saltus/core/error.hpp"

namespace saltus::importer::validation {
namespace {

using Mode = Instance::Mode;

/// A variable whose value is nobody's to give in this mode, for setters.
struct Untouchable {
  Mode mode;
  std::string why;
  std::function<bool(const Variable&)> is_one;
};

std::vector<Untouchable> untouchables(InterfaceType type) {
  const auto is_constant = [](const Variable& variable) {
    return variable.variability == Variability::constant;
  };
  const auto is_calculated = [](const Variable& variable) {
    return variable.causality == Causality::output && variable.initial == Initial::calculated;
  };
  const auto is_fixed = [](const Variable& variable) {
    return variable.causality == Causality::parameter && variable.variability == Variability::fixed;
  };
  const Mode running = type == InterfaceType::model_exchange ? Mode::continuous_time : Mode::step;
  std::vector<Untouchable> list = {
      {Mode::instantiated, "is a constant", is_constant},
      {Mode::initialization, "is an output that the FMU computes", is_calculated},
      {running, "is a fixed parameter", is_fixed},
      {running, "is an output that the FMU computes", is_calculated},
  };
  if (type == InterfaceType::model_exchange) {
    list.push_back({running, "is a tunable parameter", [](const Variable& variable) {
                      return variable.causality == Causality::parameter &&
                             variable.variability == Variability::tunable;
                    }});
    list.push_back({running, "is a discrete input", [](const Variable& variable) {
                      return variable.causality == Causality::input &&
                             variable.variability == Variability::discrete;
                    }});
  }
  return list;
}

/// By legal calls only. False if the FMU does not get there: another check says why.
bool lead(RunContext& context, LedInstance& led, Mode goal) {
  try {
    if (goal == Mode::instantiated) return true;
    led.begin_initialization();
    if (goal == Mode::initialization) return true;
    led->exit_initialization_mode();
    if (led->mode() == goal) return true;
    if (led->mode() == Mode::event && led->is_co_simulation()) return false;
    if (led->mode() == Mode::event) {
      for (const Move& move : context.script()) {
        if (!move.repeat(*led)) return false;
        if (move.kind == Move::Kind::phase) break;
      }
    }
    if (goal == Mode::terminated) led->terminate();
    return led->mode() == goal;
  } catch (const std::exception&) {
    return false;
  }
}

Severity severity_of(const ModelDescription& description) {
  return description.major_version == 2 ? Severity::note : Severity::warning;
}

/// Whether the FMU says no, or does not even get as far.
template <class Call>
bool is_refused(const Call& call) {
  try {
    call();
  } catch (const std::exception&) {
    return true;
  }
  return false;
}

void make_call(RunContext& context, InterfaceType type, const IllegalCall& illegal, Mode mode) {
  std::optional<LedInstance> led;
  if (is_refused([&] { led.emplace(context, type); }) || !lead(context, *led, mode)) return;
  const std::string function = (*led)->name_of(illegal.function);
  if (!(*led)->exports(function) || is_refused([&] { illegal.call(**led); })) return;
  const std::string place =
      *illegal.argument != '\0' ? illegal.argument : fmt::format("in {}", mode_name(mode));
  context.findings.add_call({35, "run.illegal"}, severity_of(context.description()),
                            fmt::format("{} {}", function, place),
                            fmt::format("answer {}", (*led)->name_of("Error")));
}

/// Another value than `value`: FMUs take what says nothing new.
Value other_than(Value value, VariableType type) {
  for (Scalar& scalar : value) {
    const double number = to_number(scalar);
    scalar = from_number(type, type == VariableType::boolean ? 1.0 - number : number + 1.0);
  }
  return value;
}

void write_untouchable(RunContext& context, InterfaceType type, const Untouchable& untouchable) {
  const std::vector<Variable>& all = context.description().variables;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Variable& variable) {
    return untouchable.is_one(variable) && variable.clocks.empty() &&
           variable.type != VariableType::clock && is_numeric(variable.type) &&
           variable.type != VariableType::enumeration && !variable.is_alias;
  });
  if (found == all.end()) return;
  std::optional<LedInstance> led;
  if (is_refused([&] { led.emplace(context, type); }) || !lead(context, *led, untouchable.mode)) {
    return;
  }
  Value value;
  if (is_refused([&] { value = other_than((*led)->read(*found), found->type); })) return;
  if (is_refused([&] { (*led)->write(*found, value); })) return;
  context.findings.add({35, "run.set.accepted"}, severity_of(context.description()),
                       fmt::format("\"{}\" {} and can be set in {}", found->name, untouchable.why,
                                   mode_name(untouchable.mode)),
                       fmt::format("answer {}", (*led)->name_of("Error")), &*found);
}

void add_for(const Fmu& fmu, InterfaceType type, std::vector<RunCheck>& checks) {
  const ModelDescription& description = fmu.description();
  const bool is_me = type == InterfaceType::model_exchange;
  const Interface& interface = is_me ? static_cast<const Interface&>(*description.model_exchange)
                                     : static_cast<const Interface&>(*description.co_simulation);
  for (const IllegalCall& illegal : illegal_calls(type, description)) {
    if (illegal.is_fmi3_only && description.major_version == 2) continue;
    for (const Mode mode : illegal.modes) {
      checks.push_back(
          {.about = fmt::format("fmi{}{} {}", description.major_version, illegal.function,
                                *illegal.argument != '\0' ? illegal.argument
                                                          : fmt::format("in {}", mode_name(mode))),
           .interface = interface,
           .work = [=](RunContext& context) { make_call(context, type, illegal, mode); },
           .is_illegal = true});
    }
  }
  for (const Untouchable& untouchable : untouchables(type)) {
    checks.push_back(
        {.about = fmt::format("setting what {}", untouchable.why),
         .interface = interface,
         .work = [=](RunContext& context) { write_untouchable(context, type, untouchable); },
         .is_illegal = true});
  }
}

}  // namespace

void add_illegal_calls(const Fmu& fmu, std::vector<RunCheck>& checks) {
  if (fmu.description().model_exchange) add_for(fmu, InterfaceType::model_exchange, checks);
  if (fmu.description().co_simulation) add_for(fmu, InterfaceType::co_simulation, checks);
}

}  // namespace saltus::importer::validation
