// SPDX-License-Identifier: BSD-2-Clause
#include "check_scheduled.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace saltus::fmu_export {
namespace {

using modeling::Variable;

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument(
      "ModelInfo::scheduled asks for Scheduled Execution, where a model does something at ticks of "
      "its clocks alone, but " +
      why + "; or leave .scheduled away");
}

}  // namespace

void check_scheduled(modeling::DescribedModel& model) {
  if (!model.info().scheduled) return;
  const auto variables = model.variables();
  for (const Variable& v : variables) {
    if (v.role == Variable::Role::state || v.role == Variable::Role::algebraic) {
      refuse("\"" + v.name +
             "\" is an unknown of its equations, which nobody integrates or solves "
             "there: make it a Discrete that a tick assigns");
    }
    if (v.type == Variable::Type::clock && v.causality == Variable::Causality::local) {
      refuse("\"" + v.name +
             "\" is a clock of a submodel that the model ticks, and there are no "
             "local clocks there (FMI 3.0, 2.2.9): declare it in the model itself");
    }
  }
  if (model.shape().indicators > 0) {
    refuse("it has the condition '" + model.indicator_name(0) +
           "', which nobody watches there: ask for it in the bodies of ticks, with `if`");
  }
  if (std::none_of(variables.begin(), variables.end(), [](const Variable& v) {
        return v.type == Variable::Type::clock && v.causality == Variable::Causality::input;
      })) {
    refuse(
        "it has no clock that could tick: declare a PeriodicClock, a TriggeredClock or another "
        "one that is an input");
  }
  std::vector<double> none;
  model.initialize({.start = model.info().start, .outside_ticks = true}, none);
  const EventUpdate update = model.update_discrete_states(model.info().start, none);
  if (update.next_event_time < kNever) {
    refuse(
        "it has a time event, by every(), at() or a comparison with the time, which nobody "
        "handles there: make it a clock");
  }
}

}  // namespace saltus::fmu_export
