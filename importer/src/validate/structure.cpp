// SPDX-License-Identifier: BSD-2-Clause
// Rules 28 to 32: which variables stand in which list of ModelStructure (FMI 3.0, 2.4.8; FMI 2.0,
// 2.2.8).
#include <fmt/format.h>

#include <set>

#include "rules.hpp"

namespace saltus::importer::validation {
namespace {

/// The rule that a list is judged by.
int rule_of(List list) {
  switch (list) {
    case List::outputs:
      return 28;
    case List::initial_unknowns:
      return 29;
    case List::derivatives:
      return 30;
    case List::event_indicators:
      return 31;
    case List::clocked_states:
      return 32;
  }
  return 0;
}

void check_exists(const LooseDescription& model, const LooseUnknown& unknown, Findings& findings) {
  const auto handle = number_of<std::uint32_t>(unknown.entry, model.handle_attribute());
  if (!handle || unknown.variable) return;
  findings.error({rule_of(unknown.list), "structure.reference"},
                 Place(unknown.entry, model.handle_attribute()),
                 fmt::format("<{}> names a variable with {} {}, which is not there",
                             unknown.entry.name(), model.handle_word(), *handle));
}

std::set<std::size_t> members(const LooseDescription& model, List list) {
  std::set<std::size_t> variables;
  for (const LooseUnknown& unknown : model.unknowns) {
    if (unknown.list == list && unknown.variable) variables.insert(*unknown.variable);
  }
  return variables;
}

/// Reports each entry of a list that names a variable for the second time.
void check_repeated(const LooseDescription& model, List list, const char* id, Findings& findings) {
  std::set<std::size_t> seen;
  for (const LooseUnknown& unknown : model.unknowns) {
    if (unknown.list != list || !unknown.variable || seen.insert(*unknown.variable).second)
      continue;
    findings.error({rule_of(list), id}, unknown.entry,
                   fmt::format("\"{}\" is listed twice", model.variables[*unknown.variable].name),
                   "keep one of the entries");
  }
}

void check_outputs_listed(const LooseDescription& model, Findings& findings) {
  const std::set<std::size_t> listed = members(model, List::outputs);
  for (std::size_t i = 0; i < model.variables.size(); ++i) {
    const LooseVariable& variable = model.variables[i];
    if (variable.causality != Causality::output || listed.contains(i)) continue;
    findings.error({28, "structure.output.missing"}, variable.entry,
                   fmt::format("the output \"{}\" is not listed in ModelStructure", variable.name),
                   "list it there");
  }
  for (const LooseUnknown& unknown : model.unknowns) {
    if (unknown.list != List::outputs || !unknown.variable) continue;
    const LooseVariable& variable = model.variables[*unknown.variable];
    if (!variable.causality || *variable.causality == Causality::output) continue;
    findings.error({28, "structure.output.extra"}, unknown.entry,
                   fmt::format("\"{}\" is listed as an output and is {}", variable.name,
                               to_string(*variable.causality)),
                   "take it out, or declare causality=\"output\"");
  }
}

bool is_solved_for(const LooseVariable& variable) {
  return variable.initial == Initial::approx || variable.initial == Initial::calculated;
}

void check_initial_unknowns(const LooseDescription& model, Findings& findings) {
  const std::set<std::size_t> listed = members(model, List::initial_unknowns);
  const std::set<std::size_t> derivatives = members(model, List::derivatives);
  const std::set<std::size_t> indicators = members(model, List::event_indicators);
  const auto is_wanted = [&](std::size_t i) {
    const LooseVariable& variable = model.variables[i];
    if (variable.causality == Causality::calculated_parameter) return true;
    const bool is_output = variable.causality == Causality::output && !variable.is_clocked;
    return is_solved_for(variable) && (is_output || variable.is_state || derivatives.contains(i));
  };
  for (std::size_t i = 0; i < model.variables.size(); ++i) {
    const LooseVariable& variable = model.variables[i];
    if (listed.contains(i) || !variable.causality || !is_wanted(i)) continue;
    findings.error({29, "structure.initial.missing"}, variable.entry,
                   fmt::format("\"{}\" is computed during initialization and not listed as an "
                               "initial unknown",
                               variable.name),
                   "list it, or declare initial=\"exact\" where it has a start value");
  }
  std::size_t last = 0;
  for (const LooseUnknown& unknown : model.unknowns) {
    if (unknown.list != List::initial_unknowns || !unknown.variable) continue;
    const LooseVariable& variable = model.variables[*unknown.variable];
    if (!model.is_fmi3() && *unknown.variable < last) {
      findings.warning(
          {29, "structure.initial.order"}, unknown.entry,
          fmt::format("\"{}\" is not listed in the order of the variables", variable.name),
          "FMI 2.0 demands ascending indices");
    }
    last = *unknown.variable;
    // A clocked variable may be listed: the FMU wishes to initialize it. Clocks that are outputs
    // are listed by tools that take them for discrete outputs, and do no harm.
    const bool is_clock = variable.type == VariableType::clock;
    if (!variable.causality || is_wanted(*unknown.variable) || variable.is_clocked || is_clock) {
      continue;
    }
    const bool is_indicator = indicators.contains(*unknown.variable);
    findings.error({29, is_indicator ? "structure.initial.indicator" : "structure.initial.extra"},
                   unknown.entry,
                   fmt::format("\"{}\" is listed as an initial unknown, but is {}", variable.name,
                               is_indicator ? "an event indicator"
                                            : "neither a calculated parameter nor an output, a "
                                              "state or a derivative that is solved for"),
                   "take it out of the list");
  }
}

void check_state_derivative(const LooseDescription& model, const LooseUnknown& unknown,
                            std::set<std::size_t>& states, Findings& findings) {
  const LooseVariable& variable = model.variables[*unknown.variable];
  if (!variable.typed.has("derivative")) {
    findings.error({30, "structure.derivative.attribute"}, unknown.entry,
                   fmt::format("\"{}\" is listed as a state derivative and has no attribute "
                               "derivative",
                               variable.name),
                   "name its state there");
    return;
  }
  if (variable.variability && *variable.variability != Variability::continuous) {
    findings.error({30, "structure.derivative.continuous"}, unknown.entry,
                   fmt::format("the state derivative \"{}\" is {}", variable.name,
                               to_string(*variable.variability)),
                   "it must be continuous");
  }
  if (!variable.derivative_of) return;  // rule 23 says so
  const LooseVariable& state = model.variables[*variable.derivative_of];
  if (state.causality && *state.causality != Causality::local &&
      *state.causality != Causality::output) {
    findings.error({30, "structure.derivative.state"}, unknown.entry,
                   fmt::format("\"{}\", the state of \"{}\", is {}", state.name, variable.name,
                               to_string(*state.causality)),
                   "a state is local or an output");
  }
  if (!states.insert(*variable.derivative_of).second) {
    findings.error({30, "structure.derivative.repeated"}, unknown.entry,
                   fmt::format("the state \"{}\" has a second derivative in the list", state.name),
                   "keep one of the entries");
  }
}

void check_indicator(const LooseDescription& model, const LooseUnknown& unknown,
                     Findings& findings) {
  const LooseVariable& variable = model.variables[*unknown.variable];
  if ((variable.type && !variable.is_float()) ||
      (variable.variability && *variable.variability != Variability::continuous)) {
    findings.error({31, "structure.indicator.type"}, unknown.entry,
                   fmt::format("the event indicator \"{}\" is not a continuous floating-point "
                               "variable",
                               variable.name));
  }
  if (variable.causality && *variable.causality != Causality::local &&
      *variable.causality != Causality::output) {
    findings.error({31, "structure.indicator.causality"}, unknown.entry,
                   fmt::format("the event indicator \"{}\" is {}", variable.name,
                               to_string(*variable.causality)),
                   "it must be local or an output");
  }
}

void check_clocked_state(const LooseDescription& model, const LooseUnknown& unknown,
                         Findings& findings) {
  const LooseVariable& variable = model.variables[*unknown.variable];
  const auto fail = [&](const char* id, const char* what) {
    findings.error({32, id}, unknown.entry,
                   fmt::format("the clocked state \"{}\" {}", variable.name, what));
  };
  if (variable.is_clock()) fail("structure.clocked.clock", "is itself a clock");
  if (!variable.is_clocked) fail("structure.clocked.clocks", "has no attribute clocks");
  if (!variable.entry.has("previous")) {
    fail("structure.clocked.previous", "has no attribute previous");
  }
  if (variable.variability && *variable.variability != Variability::discrete) {
    fail("structure.clocked.discrete", "is not discrete");
  }
}

}  // namespace

void check_lists(const LooseDescription& model, Findings& findings) {
  for (const LooseUnknown& unknown : model.unknowns) check_exists(model, unknown, findings);
  check_repeated(model, List::outputs, "structure.output.repeated", findings);
  check_repeated(model, List::initial_unknowns, "structure.initial.repeated", findings);
  check_outputs_listed(model, findings);
  check_initial_unknowns(model, findings);
}

void check_structure(const LooseDescription& model, Findings& findings) {
  std::set<std::size_t> states;
  for (const LooseUnknown& unknown : model.unknowns) {
    if (!unknown.variable) continue;
    if (unknown.list == List::derivatives) {
      check_state_derivative(model, unknown, states, findings);
    } else if (unknown.list == List::event_indicators) {
      check_indicator(model, unknown, findings);
    } else if (unknown.list == List::clocked_states) {
      check_clocked_state(model, unknown, findings);
    }
  }
  const std::set<std::size_t> listed = members(model, List::clocked_states);
  for (std::size_t i = 0; i < model.variables.size(); ++i) {
    const LooseVariable& variable = model.variables[i];
    if (!variable.entry.has("previous") || listed.contains(i)) continue;
    findings.warning(
        {32, "structure.clocked.missing"}, variable.entry,
        fmt::format("\"{}\" has previous and is not listed as a clocked state", variable.name),
        "list it in ModelStructure");
  }
}

}  // namespace saltus::importer::validation
