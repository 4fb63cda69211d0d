// SPDX-License-Identifier: BSD-2-Clause
// Rule 35: what the standard allows works, also where few importers make use of it: setting start
// values again, reading in every mode, a reset from every mode, an instance beside another.
#include <fmt/format.h>

#include "run_checks.hpp"
#include "saltus/core/error.hpp"

namespace saltus::importer::validation {
namespace {

using Mode = Instance::Mode;

constexpr std::size_t kMostVariables = 500;

const char* word_for(Mode mode) {
  switch (mode) {
    case Mode::instantiated:
      return "before initialisation";
    case Mode::initialization:
      return "in Initialization Mode";
    case Mode::event:
      return "in Event Mode";
    case Mode::step:
      return "in Step Mode";
    default:
      return "in Continuous-Time Mode";
  }
}

class LegalCalls {
 public:
  LegalCalls(RunContext& context, InterfaceType type) : context_(context), type_(type) {}

  void check() {
    const Mode last = type_ == InterfaceType::model_exchange ? Mode::event : Mode::step;
    if (is_only_one()) {
      set_in(last);
      return;
    }
    if (!set_in(Mode::instantiated) || !set_in(Mode::initialization) || !set_in(last)) return;
    check_reset();
    check_neighbour();
  }

 private:
  bool is_only_one() const {
    const ModelDescription& description = context_.description();
    return type_ == InterfaceType::model_exchange
               ? description.model_exchange->can_be_instantiated_only_once_per_process
               : description.co_simulation->can_be_instantiated_only_once_per_process;
  }

  /// Sets all that may be set to what it is. False if the FMU is lost.
  bool set_in(Mode mode) {
    LedInstance led(context_, type_);
    if (mode != Mode::instantiated) led.begin_initialization();
    if (mode == Mode::event || mode == Mode::step) led->exit_initialization_mode();
    mode = led->mode();  // with clocks a slave has an event mode, too
    std::size_t tried = 0;
    for (const Variable& variable : context_.description().variables) {
      const Value* value = value_for(led, variable, mode);
      if (value == nullptr) continue;
      if (++tried > kMostVariables) break;
      try {
        led->write(variable, *value);
      } catch (const ModelError& error) {
        context_.findings.add({35, "run.set.refused"}, Severity::error,
                              fmt::format("\"{}\" cannot be set {}, which the standard allows: {}",
                                          variable.name, word_for(mode), error.what()),
                              "accept it, or declare another causality, variability or initial",
                              &variable);
        return false;
      }
    }
    return true;
  }

  /// Its start value, where the variable may be set in this mode; else null.
  const Value* value_for(LedInstance& led, const Variable& variable, Mode mode) {
    if (!is_writable(variable, mode) || !variable.clocks.empty() || variable.is_alias ||
        variable.type == VariableType::binary || variable.start.empty()) {
      return nullptr;
    }
    // A structural parameter of another check may have changed sizes; here none has.
    if (variable.start.size() != led->element_count(variable)) return nullptr;
    return &variable.start;
  }

  /// From initialization mode, and after the end, into a new initialisation.
  void check_reset() {
    if (!reset_is_there()) return;
    LedInstance led(context_, type_);
    led.begin_initialization();
    led->reset();
    led.initialize();
    led->reset();
    led.initialize();
  }

  bool reset_is_there() {
    LedInstance led(context_, type_);
    return led->exports(led->name_of("Reset"));
  }

  /// Two instances, the calls of one between those of the other: neither may matter to the other.
  void check_neighbour() {
    LedInstance alone(context_, type_);
    alone.initialize();
    const std::vector<double> expected = alone.observe();
    LedInstance first(context_, type_);
    LedInstance second(context_, type_);
    first.begin_initialization();
    second.begin_initialization();
    first->exit_initialization_mode();
    second->exit_initialization_mode();
    std::size_t where = 0;
    const double error = std::max(largest_difference(expected, first.observe(), &where),
                                  largest_difference(expected, second.observe(), &where));
    if (error <= kIterationError) return;
    context_.findings.add(
        {35, "run.neighbour"}, Severity::error,
        fmt::format("\"{}\" is another one where there is a second instance", first.name_of(where)),
        "keep nothing outside of the instance, or declare "
        "canBeInstantiatedOnlyOncePerProcess");
  }

  RunContext& context_;
  InterfaceType type_;
};

}  // namespace

void check_legal_calls(RunContext& context, InterfaceType type) {
  watch(context.findings, [&] { LegalCalls(context, type).check(); });
}

}  // namespace saltus::importer::validation
