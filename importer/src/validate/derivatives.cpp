// SPDX-License-Identifier: BSD-2-Clause
// Rules 23 and 24: the attributes derivative and reinit.
#include <fmt/format.h>

#include "rules.hpp"

namespace saltus::importer::validation {
namespace {

bool is_continuous_float(const LooseVariable& variable) {
  return variable.is_float() &&
         (!variable.variability || *variable.variability == Variability::continuous);
}

void check_derivative(const LooseDescription& model, const LooseVariable& variable,
                      Findings& findings) {
  const auto handle = number_of<std::uint32_t>(variable.typed, "derivative");
  if (!handle) return;
  const Place place(variable.typed, "derivative");
  if (!variable.derivative_of) {
    findings.error({23, "derivative.unknown"}, place,
                   fmt::format("\"{}\" is the derivative of a variable with {} {}, which is not "
                               "there",
                               variable.name, model.handle_word(), *handle));
    return;
  }
  const LooseVariable& integral = model.variables[*variable.derivative_of];
  if (&integral == &variable) {
    findings.error(
        {23, "derivative.self"}, place, fmt::format("\"{}\" is its own derivative", variable.name),
        fmt::format("name the {} of the variable whose derivative it is", model.handle_word()));
    return;
  }
  for (const LooseVariable* one : {&variable, &integral}) {
    if (!one->type || is_continuous_float(*one)) continue;
    // The derivative of a constant is one, too: useless, and tools write it.
    findings.add({23, "derivative.type"}, one->is_float() ? Severity::warning : Severity::error,
                 place,
                 fmt::format("\"{}\" is to be the derivative of \"{}\", but \"{}\" is not a "
                             "continuous floating-point variable",
                             variable.name, integral.name, one->name),
                 "take the attribute away");
    return;
  }
  if (variable.elements && integral.elements && *variable.elements != *integral.elements) {
    findings.error(
        {23, "derivative.shape"}, place,
        fmt::format("\"{}\" has {} elements and \"{}\", whose derivative it is, {}", variable.name,
                    *variable.elements, integral.name, *integral.elements),
        "give both the same dimensions");
  }
}

}  // namespace

void check_derivatives(const LooseDescription& model, Findings& findings) {
  for (const LooseVariable& variable : model.variables) {
    check_derivative(model, variable, findings);
    // Only Model Exchange has states to reinitialize; elsewhere the attribute is ignored (2.4.7.5).
    if (!variable.typed.has("reinit") || variable.is_state) continue;
    if (!model.has_interface("ModelExchange")) continue;
    const bool is_said = is_true(variable.typed, "reinit");
    findings.add({24, "reinit.state"}, is_said ? Severity::error : Severity::warning,
                 Place(variable.typed, "reinit"),
                 fmt::format("\"{}\" has reinit and is not a continuous state", variable.name),
                 "take it away, or list its derivative in ModelStructure");
  }
}

}  // namespace saltus::importer::validation
