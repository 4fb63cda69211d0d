// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "exit_code.hpp"
#include "find_fmu.hpp"
#include "model_sizes.hpp"
#include "saltus/importer/fmu.hpp"
#include "terminal_text.hpp"

namespace saltus::cli {
namespace {

using namespace saltus::importer;

constexpr std::size_t kWidestStart = 24;

std::string or_dash(const std::string& text) { return text.empty() ? "-" : printable(text); }

/// Interfaces say what they can do in the standard's words: these are what its text and other
/// tools can be searched for.
class Capabilities {
 public:
  explicit Capabilities(const Interface& interface) {
    add("needsExecutionTool", interface.needs_execution_tool);
    add("canBeInstantiatedOnlyOncePerProcess", interface.can_be_instantiated_only_once_per_process);
    add("canGetAndSetFMUState", interface.can_get_and_set_fmu_state);
    add("canSerializeFMUState", interface.can_serialize_fmu_state);
    add("providesDirectionalDerivatives", interface.provides_directional_derivatives);
    add("providesAdjointDerivatives", interface.provides_adjoint_derivatives);
    add("providesPerElementDependencies", interface.provides_per_element_dependencies);
    add("providesEvaluateDiscreteStates", interface.provides_evaluate_discrete_states);
  }
  void add(const char* name, bool offered) {
    if (offered) names_.emplace_back(name);
  }
  void add(std::string name) { names_.push_back(std::move(name)); }
  std::string text() const {
    return names_.empty() ? "no optional capabilities" : fmt::format("{}", fmt::join(names_, ", "));
  }

 private:
  std::vector<std::string> names_;
};

std::string interfaces(const ModelDescription& model) {
  TextTable table;
  if (model.model_exchange) {
    Capabilities can(*model.model_exchange);
    can.add("needsCompletedIntegratorStep", model.model_exchange->needs_completed_integrator_step);
    table.add({"Model Exchange", can.text()});
  }
  if (model.co_simulation) {
    const CoSimulation& cs = *model.co_simulation;
    Capabilities can(cs);
    can.add("hasEventMode", cs.has_event_mode);
    can.add("mightReturnEarlyFromDoStep", cs.might_return_early_from_do_step);
    can.add("canReturnEarlyAfterIntermediateUpdate", cs.can_return_early_after_intermediate_update);
    can.add("providesIntermediateUpdate", cs.provides_intermediate_update);
    can.add("canHandleVariableCommunicationStepSize",
            cs.can_handle_variable_communication_step_size);
    if (cs.fixed_internal_step_size) {
      can.add(fmt::format("fixedInternalStepSize={}", *cs.fixed_internal_step_size));
    }
    if (cs.max_output_derivative_order > 0) {
      can.add(fmt::format("maxOutputDerivativeOrder={}", cs.max_output_derivative_order));
    }
    table.add({"Co-Simulation", can.text()});
  }
  if (model.scheduled_execution) {
    table.add({"Scheduled Execution", Capabilities(*model.scheduled_execution).text()});
  }
  return table.text();
}

std::string experiment(const DefaultExperiment& experiment) {
  std::vector<std::string> parts;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) parts.push_back(fmt::format("{} {}", name, *value));
  };
  add("start", experiment.start_time);
  add("stop", experiment.stop_time);
  add("tolerance", experiment.tolerance);
  add("step size", experiment.step_size);
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
}

/// Where something stands in the FMU.
void add_if_there(TextTable& table, const char* what, const Fmu& fmu, const char* place) {
  if (std::filesystem::is_regular_file(fmu.folder() / place)) {
    table.add({what, fmt::format("{} in the FMU", place)});
  }
}

std::string overview(const Fmu& fmu) {
  const ModelDescription& model = fmu.description();
  TextTable table;
  table.add({"Model name", or_dash(model.model_name)});
  table.add({"Description", or_dash(model.description)});
  table.add({"FMI version", or_dash(model.fmi_version)});
  table.add({"Generation tool", or_dash(model.generation_tool)});
  table.add({"Generation date", or_dash(model.generation_date_and_time)});
  if (!model.version.empty()) table.add({"Model version", printable(model.version)});
  if (!model.author.empty()) table.add({"Author", printable(model.author)});
  if (!model.license.empty()) table.add({"License", printable(model.license)});
  table.add({"Platforms", or_dash(fmt::format("{}", fmt::join(fmu.platforms(), ", ")))});
  table.add({"Continuous states", continuous_states(model)});
  table.add({"Event indicators", event_indicators(model)});
  table.add({"Variables", fmt::format("{}", model.variables.size())});
  table.add({"Default experiment", experiment(model.default_experiment)});
  add_if_there(table, "Documentation", fmu, "documentation/index.html");
  add_if_there(table, "Sources", fmu, "sources/buildDescription.xml");
  return table.text();
}

std::string names_of(const ModelDescription& model, const std::vector<Unknown>& list) {
  std::vector<std::string> names;
  for (const Unknown& each : list) names.push_back(printable(model.variables[each.variable].name));
  return or_dash(fmt::format("{}", fmt::join(names, ", ")));
}

/// What FMI-LS-DAE adds.
std::string dae(const ModelDescription& model, const DaeManifest& manifest) {
  TextTable table;
  table.add({"Manifest", or_dash(manifest.variant)});
  table.add({"Says of itself", printable(fmt::format("{} {}", manifest.name, manifest.version))});
  table.add({"Form", manifest.why_unusable.empty()
                         ? to_string(manifest.form)
                         : "cannot be used: " + printable(manifest.why_unusable)});
  table.add({"Switch",
             manifest.enable ? printable(model.variables[*manifest.enable].name) : "always on"});
  std::vector<std::string> algebraics;
  for (const AlgebraicVariable& each : manifest.algebraics) {
    algebraics.push_back(printable(model.variables[each.variable].name));
  }
  table.add({"Algebraic variables", or_dash(fmt::format("{}", fmt::join(algebraics, ", ")))});
  table.add({"Residuals", names_of(model, manifest.residuals)});
  if (!manifest.constraints.empty()) {
    table.add({"Constraints", names_of(model, manifest.constraints)});
  }
  if (!manifest.invariants.empty()) table.add({"Invariants", names_of(model, manifest.invariants)});
  table.add({"Lists of its own", or_dash(fmt::format("{}", fmt::join(manifest.replaced, ", ")))});
  return table.text();
}

std::string type_of(const ModelDescription& model, const Variable& variable) {
  std::string text = to_string(variable.type);
  for (const Dimension& dimension : variable.dimensions) {
    const Variable* size = dimension.reference ? model.find(*dimension.reference) : nullptr;
    text += size != nullptr ? fmt::format("[{}]", size->name) : fmt::format("[{}]", dimension.size);
  }
  return printable(text);
}

std::string variables(const ModelDescription& model) {
  TextTable table;
  table.add({"Name", "Type", "Causality", "Variability", "Start", "Unit", "Description"});
  for (const Variable& variable : model.variables) {
    table.add({printable(variable.name), type_of(model, variable), to_string(variable.causality),
               to_string(variable.variability),
               shortened(printable(variable.start_text), kWidestStart), printable(variable.unit),
               printable(variable.description)});
    for (const Alias& alias : variable.aliases) {
      table.add({printable(alias.name), "alias of", printable(variable.name), "", "",
                 printable(alias.display_unit), printable(alias.description)});
    }
  }
  return table.text(true);
}

std::string length_of(const std::optional<std::uint64_t>& counter,
                      const std::optional<std::uint64_t>& resolution, double decimal) {
  return counter && resolution ? fmt::format("{}/{}", *counter, *resolution)
                               : fmt::format("{}", decimal);
}

std::string interval_of(const Variable& variable) {
  const ClockAttributes& clock = *variable.clock;
  if (clock.interval_variability == IntervalVariability::triggered) {
    return variable.causality == Causality::input ? "by the input file" : "by the FMU";
  }
  return clock.interval_decimal
             ? length_of(clock.interval_counter, clock.resolution, *clock.interval_decimal)
             : "asked from the FMU";
}

std::string shift_of(const ClockAttributes& clock) {
  if (clock.shift_counter != 0) {
    return length_of(clock.shift_counter, clock.resolution, clock.shift_decimal);
  }
  return clock.shift_decimal != 0.0 ? fmt::format("{}", clock.shift_decimal) : "";
}

/// Empty if there are none.
std::string clocks(const ModelDescription& model) {
  TextTable table;
  table.add({"Name", "Causality", "Kind", "Interval", "Shift", "Priority", "Clocked variables"});
  bool has_clocks = false;
  for (const Variable& variable : model.variables) {
    if (variable.type != VariableType::clock) continue;
    has_clocks = true;
    std::vector<std::string> clocked;
    for (const Variable& other : model.variables) {
      if (std::find(other.clocks.begin(), other.clocks.end(), variable.reference) !=
          other.clocks.end()) {
        clocked.push_back(other.name);
      }
    }
    table.add({printable(variable.name), to_string(variable.causality),
               to_string(variable.clock->interval_variability), interval_of(variable),
               shift_of(*variable.clock),
               variable.clock->priority ? fmt::format("{}", *variable.clock->priority) : "",
               printable(fmt::format("{}", fmt::join(clocked, ", ")))});
  }
  return has_clocks ? "\nClocks\n\n" + table.text(true) : "";
}

int show_info(const std::string& name) {
  const Fmu fmu = Fmu::open(find_fmu(name));
  std::string text = "Model\n\n" + overview(fmu) + "\nInterfaces\n\n" +
                     interfaces(fmu.description()) + clocks(fmu.description());
  std::vector<std::string> warnings = fmu.warnings();
  if (const DaeManifest* const manifest = fmu.dae_manifest()) {
    text +=
        "\nDifferential-algebraic equations (FMI-LS-DAE)\n\n" + dae(fmu.description(), *manifest);
    warnings.insert(warnings.end(), manifest->warnings.begin(), manifest->warnings.end());
  }
  text += "\nVariables\n\n" + variables(fmu.description());
  if (!warnings.empty()) text += "\nWarnings\n\n";
  for (const std::string& warning : warnings) text += "  " + printable(warning) + "\n";
  print(text);
  return kDone;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("info", "Say what an FMU is and which variables it has");
  const auto name = std::make_shared<std::string>();
  command->add_option("FMU", *name, "Path of an FMU, or name of a shipped model")
      ->required()
      ->type_name("");
  command->callback([name, &action] { action = [name] { return show_info(*name); }; });
}

}  // namespace saltus::cli
