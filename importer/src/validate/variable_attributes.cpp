// SPDX-License-Identifier: BSD-2-Clause
// Rules 12 to 16, 18 and 27: what may stand beside what.
#include <fmt/format.h>

#include <string_view>

#include "rules.hpp"

namespace saltus::importer::validation {
namespace {

/// FMI 3.0, 2.4.7.4, and FMI 2.0, 2.2.7: allowed combinations of variability and causality.
bool is_legal_pair(Causality causality, Variability variability) {
  const bool is_signal =
      variability == Variability::discrete || variability == Variability::continuous;
  switch (causality) {
    case Causality::structural_parameter:
    case Causality::parameter:
    case Causality::calculated_parameter:
      return variability == Variability::fixed || variability == Variability::tunable;
    case Causality::input:
      return is_signal;
    case Causality::output:
      return is_signal || variability == Variability::constant;
    case Causality::local:
      return true;
    case Causality::independent:
      return variability == Variability::continuous;
  }
  return false;
}

/// FMI 3.0, 2.4.7.5, table "Definition of initial"; FMI 2.0, 2.2.7, cases A to E. As words, with
/// nothing where `initial` must not be given at all.
std::string_view legal_initials(const LooseVariable& variable, bool is_fmi3) {
  switch (*variable.causality) {
    case Causality::independent:
      return "";
    case Causality::input:
      return is_fmi3 ? "exact" : "";
    case Causality::structural_parameter:
    case Causality::parameter:
      return "exact";
    case Causality::calculated_parameter:
      return "calculated approx";
    case Causality::output:
    case Causality::local:
      break;
  }
  switch (*variable.variability) {
    case Variability::constant:
      return "exact";
    case Variability::fixed:
    case Variability::tunable:
      return "calculated approx";
    default:
      return "calculated exact approx";
  }
}

std::string title(const LooseVariable& variable) { return fmt::format("\"{}\"", variable.name); }

void check_continuity(const LooseVariable& variable, bool is_fmi3, Findings& findings) {
  if (!variable.type || variable.is_float()) return;
  const std::string kind(variable.typed.name());
  if (variable.variability == Variability::continuous) {
    findings.error(
        {18, "variables.continuous"}, Place(variable.entry, "variability"),
        fmt::format("{} is of type {}, which cannot be continuous", title(variable), kind),
        "declare variability=\"discrete\"");
  } else if (!is_fmi3 && !variable.entry.has("variability")) {
    // FMI 2.0, 2.2.7: the default is continuous for all types. Importers take discrete for it.
    findings.warning(
        {18, "variables.continuous"}, variable.entry,
        fmt::format("{} is of type {} and has no variability, which FMI 2.0 reads as continuous",
                    title(variable), kind),
        "declare variability=\"discrete\"");
  }
}

void check_pair_and_initial(const LooseVariable& variable, bool is_fmi3, Findings& findings) {
  if (!variable.causality || !variable.variability) return;
  if (!is_legal_pair(*variable.causality, *variable.variability)) {
    findings.error(
        {13, "variables.pair"},
        Place(variable.entry, variable.entry.has("variability") ? "variability" : "causality"),
        fmt::format("{} is {} and {}, which cannot be together", title(variable),
                    to_string(*variable.causality), to_string(*variable.variability)),
        "see the table of causality and variability in the standard");
    return;
  }
  if (!variable.entry.has("initial") || !variable.initial || variable.is_clock()) return;
  if (*variable.causality == Causality::independent) return;  // rule 12
  const std::string_view legal = legal_initials(variable, is_fmi3);
  for (const std::string_view word : split(legal)) {
    if (word == to_string(*variable.initial)) return;
  }
  findings.error({14, "variables.initial"}, Place(variable.entry, "initial"),
                 fmt::format("{} is {} and {} and cannot have initial=\"{}\"", title(variable),
                             to_string(*variable.causality), to_string(*variable.variability),
                             to_string(*variable.initial)),
                 legal.empty() ? "leave it out" : fmt::format("use one of: {}", legal));
}

void check_start(const LooseVariable& variable, Findings& findings) {
  if (variable.is_clock() || !variable.causality || !variable.variability) return;
  if (*variable.causality == Causality::independent) return;               // rule 12
  if (!is_legal_pair(*variable.causality, *variable.variability)) return;  // rule 13
  const bool is_needed =
      variable.initial == Initial::exact || variable.initial == Initial::approx ||
      *variable.causality == Causality::input || *variable.causality == Causality::parameter ||
      *variable.causality == Causality::structural_parameter ||
      *variable.variability == Variability::constant;
  if (is_needed && !variable.has_start) {
    const bool may_calculate =
        *variable.causality == Causality::output || *variable.causality == Causality::local;
    findings.error({15, "variables.start.missing"}, variable.entry,
                   fmt::format("{} has no start value, which {} must have", title(variable),
                               variable.initial == Initial::approx
                                   ? "initial=\"approx\""
                                   : fmt::format("a variable that is {} and {}",
                                                 to_string(*variable.causality),
                                                 to_string(*variable.variability))),
                   may_calculate && *variable.variability != Variability::constant
                       ? "give it one, or declare initial=\"calculated\""
                       : "give it one");
  }
  if (variable.initial == Initial::calculated && variable.has_start && !is_needed) {
    const bool is_said = variable.entry.has("initial");
    findings.error({16, "variables.start.forbidden"},
                   Place(variable.typed, variable.typed.has("start") ? "start" : nullptr),
                   fmt::format("{} has a start value and {}initial=\"calculated\"", title(variable),
                               is_said ? "" : "by default "),
                   "take the start value away, or declare initial=\"exact\" or \"approx\"");
  }
}

void check_independent(const LooseDescription& model, Findings& findings) {
  const LooseVariable* first = nullptr;
  for (const LooseVariable& variable : model.variables) {
    if (variable.causality != Causality::independent) continue;
    if (first != nullptr) {
      findings.error({12, "independent.count"}, Place(variable.entry, "causality"),
                     fmt::format("{} is a second independent variable beside {} in line {}",
                                 title(variable), title(*first), first->entry.line()),
                     "keep one");
    } else {
      first = &variable;
    }
    if (variable.type && !variable.is_float()) {
      findings.error(
          {12, "independent.type"}, variable.entry,
          fmt::format("the independent variable {} is of type {}, not a floating-point number",
                      title(variable), variable.typed.name()),
          "make it a Float64");
    }
    if (variable.has_start) {
      findings.error({12, "independent.start"}, Place(variable.typed, "start"),
                     fmt::format("the independent variable {} has a start value", title(variable)),
                     "take it away; DefaultExperiment has a startTime");
    }
    if (variable.entry.has("initial")) {
      findings.error({12, "independent.initial"}, Place(variable.entry, "initial"),
                     fmt::format("the independent variable {} has initial", title(variable)),
                     "take it away");
    }
  }
  const auto lists = model.root.children("ModelVariables");
  if (first == nullptr && model.is_fmi3() && !lists.empty()) {
    findings.error({12, "independent.count"}, lists.front(), "there is no independent variable",
                   "add <Float64 name=\"time\" causality=\"independent\" .../>");
  }
}

}  // namespace

void check_attributes(const LooseDescription& model, Findings& findings) {
  check_independent(model, findings);
  for (const LooseVariable& variable : model.variables) {
    check_continuity(variable, model.is_fmi3(), findings);
    check_pair_and_initial(variable, model.is_fmi3(), findings);
    check_start(variable, findings);
  }
}

void check_access(const LooseDescription& model, Findings& findings) {
  for (const LooseVariable& variable : model.variables) {
    if (is_true(variable.entry, "intermediateUpdate") && variable.variability &&
        *variable.variability != Variability::continuous) {
      findings.error({27, "access.intermediate"}, Place(variable.entry, "intermediateUpdate"),
                     fmt::format("{} has intermediateUpdate and is {}; only continuous variables "
                                 "change inside a step",
                                 title(variable), to_string(*variable.variability)),
                     "take it away");
    }
    if (variable.entry.has("canHandleMultipleSetPerTimeInstant") && variable.causality &&
        *variable.causality != Causality::input) {
      findings.error({27, "access.multiple_set"},
                     Place(variable.entry, "canHandleMultipleSetPerTimeInstant"),
                     fmt::format("{} has canHandleMultipleSetPerTimeInstant and is {}, not input",
                                 title(variable), to_string(*variable.causality)),
                     "take it away");
    }
  }
}

}  // namespace saltus::importer::validation
