// SPDX-License-Identifier: BSD-2-Clause
// Rule 38: arrays have the sizes that structural parameters give them, in configuration and in
// reconfiguration mode, and the vectors of Model Exchange follow (FMI 3.0, 2.3.2 and 2.3.7).
#include <fmt/format.h>

#include <set>

#include "run_checks.hpp"
#include "saltus/core/error.hpp"

namespace saltus::importer::validation {
namespace {

class SizeCheck {
 public:
  SizeCheck(RunContext& context, InterfaceType type) : context_(context), type_(type) {}

  void check() {
    for (const Variable* size : sizes()) {
      const bool is_right = resize_before_initialization(*size);
      if (is_only_one()) return;
      if (is_right && size->variability == Variability::tunable &&
          type_ == InterfaceType::model_exchange) {
        resize_in_event(*size);
      }
    }
  }

 private:
  bool is_only_one() const {
    const ModelDescription& description = context_.description();
    return type_ == InterfaceType::model_exchange
               ? description.model_exchange->can_be_instantiated_only_once_per_process
               : description.co_simulation->can_be_instantiated_only_once_per_process;
  }

  /// The structural parameters that are the size of something.
  std::set<const Variable*> sizes() const {
    std::set<const Variable*> found;
    for (const Variable& variable : context_.description().variables) {
      for (const Dimension& dimension : variable.dimensions) {
        if (!dimension.reference) continue;
        const Variable* const size = context_.description().find(*dimension.reference);
        if (size != nullptr && size->type == VariableType::uint64 &&
            size->causality == Causality::structural_parameter && !size->start.empty()) {
          found.insert(size);
        }
      }
    }
    return found;
  }

  /// One more than it is, or one less: whatever the description allows; 0 if it allows neither.
  static std::uint64_t other_size(const Variable& size) {
    const auto now = std::get<std::uint64_t>(size.start.front());
    if (!size.max || static_cast<double>(now + 1) <= *size.max) return now + 1;
    if (now > 1 && (!size.min || static_cast<double>(now - 1) >= *size.min)) return now - 1;
    return 0;
  }

  bool set_size(LedInstance& led, const Variable& size, const char* where) {
    const std::uint64_t other = other_size(size);
    if (other == 0) return false;
    try {
      led->enter_configuration_mode();
      led->write(size, {other});
      led->exit_configuration_mode();
    } catch (const ModelError& error) {
      context_.findings.add({38, "run.size.refused"}, Severity::warning,
                            fmt::format("the FMU does not take {} for \"{}\" in {}: {}", other,
                                        size.name, where, error.what()),
                            "declare with min and max which sizes are possible", &size);
      return false;
    }
    return true;
  }

  bool resize_before_initialization(const Variable& size) {
    LedInstance led(context_, type_);
    led.configure();
    if (!set_size(led, size, "Configuration Mode")) return false;
    bool is_right = check_counts(led, size, "Configuration Mode");
    led->enter_initialization_mode(experiment_of(context_.description()));
    return check_arrays(led, size, "Configuration Mode") && is_right;
  }

  void resize_in_event(const Variable& size) {
    LedInstance led(context_, type_);
    led.initialize();
    if (!set_size(led, size, "Reconfiguration Mode")) return;
    if (!check_counts(led, size, "Reconfiguration Mode")) return;
    static_cast<void>(check_arrays(led, size, "Reconfiguration Mode"));
  }

  std::size_t sum(LedInstance& led, const std::vector<Unknown>& list) const {
    std::size_t total = 0;
    for (const Unknown& unknown : list) {
      total += led->element_count(context_.description().variables[unknown.variable]);
    }
    return total;
  }

  bool check_counts(LedInstance& led, const Variable& size, const char* where) {
    if (type_ != InterfaceType::model_exchange) return true;
    const ModelStructure& structure = context_.description().structure;
    const bool states =
        check_count(size, where, "continuous states", led->number_of_continuous_states(),
                    sum(led, structure.continuous_state_derivatives));
    const bool indicators =
        check_count(size, where, "event indicators", led->number_of_event_indicators(),
                    sum(led, structure.event_indicators));
    return states && indicators;
  }

  bool check_count(const Variable& size, const char* where, const char* things, std::size_t given,
                   std::size_t expected) {
    if (given == expected) return true;
    context_.findings.add(
        {38, "run.count.resized"}, Severity::error,
        fmt::format("after \"{}\" was changed in {} the FMU has {} {}, and the description makes "
                    "that {}",
                    size.name, where, given, things, expected),
        "let the counts follow the structural parameters", &size);
    return false;
  }

  /// Every array can be read with the number of elements that it has now.
  bool check_arrays(LedInstance& led, const Variable& size, const char* where) {
    for (const Variable& variable : context_.description().variables) {
      if (variable.dimensions.empty() || !variable.clocks.empty() ||
          variable.type == VariableType::clock) {
        continue;
      }
      try {
        static_cast<void>(led->read(variable));
      } catch (const ModelError& error) {
        context_.findings.add(
            {38, "run.count.array"}, Severity::error,
            fmt::format("after \"{}\" was changed in {} \"{}\" cannot be read with its {} "
                        "elements: {}",
                        size.name, where, variable.name, led->element_count(variable),
                        error.what()),
            "give the array the size of the structural parameter", &variable);
        return false;
      }
    }
    return true;
  }

  RunContext& context_;
  InterfaceType type_;
};

}  // namespace

void check_sizes(RunContext& context, InterfaceType type) {
  watch(context.findings, [&] { SizeCheck(context, type).check(); });
}

}  // namespace saltus::importer::validation
