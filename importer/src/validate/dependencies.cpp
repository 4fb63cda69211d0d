// SPDX-License-Identifier: BSD-2-Clause
// Rule 33: what unknowns depend on (FMI 3.0, 2.4.8; FMI 2.0, 2.2.8).
#include <fmt/format.h>

#include <string_view>

#include "rules.hpp"

namespace saltus::importer::validation {
namespace {

/// Whether an unknown may depend on the variable. Which discrete variables are states, no
/// description says, so each of them may be one; a clock may always be named.
bool is_known(const LooseVariable& variable, List list) {
  if (!variable.causality || !variable.variability || variable.is_clock()) return true;
  if (*variable.causality == Causality::input || *variable.causality == Causality::independent) {
    return true;
  }
  if (list == List::initial_unknowns)
    return !variable.initial || variable.initial == Initial::exact;
  switch (*variable.causality) {
    case Causality::parameter:
    case Causality::structural_parameter:
      return true;
    case Causality::output:
    case Causality::local:
      return variable.is_state || *variable.variability == Variability::discrete;
    default:
      return false;
  }
}

class DependencyCheck {
 public:
  DependencyCheck(const LooseDescription& model, const LooseUnknown& unknown, Findings& findings)
      : model_(model), unknown_(unknown), findings_(findings) {}

  void check() {
    const std::string dependencies = unknown_.entry.text("dependencies");
    for (const std::string_view word : split(dependencies)) check_dependency(word);
    if (!unknown_.entry.has("dependenciesKind")) return;
    const std::string kinds = unknown_.entry.text("dependenciesKind");
    const std::size_t count = split(dependencies).size();
    if (!unknown_.entry.has("dependencies")) {
      fail({33, "dependencies.kind.alone"}, "dependenciesKind stands without dependencies",
           "give both, or neither");
    } else if (split(kinds).size() != count) {
      fail({33, "dependencies.kind.count"},
           fmt::format("there are {} kinds for {} dependencies", split(kinds).size(), count),
           "give one kind for each");
    }
    check_kinds(split(kinds));
  }

 private:
  void fail(Rule rule, const std::string& what, const char* remedy = "") {
    findings_.error(rule, Place(unknown_.entry, "dependenciesKind"), what, remedy);
  }

  void check_dependency(std::string_view word) {
    std::uint32_t handle = 0;
    if (!read_number(word, handle)) return;  // rule 6 says so
    const auto found = model_.find(handle);
    const Place place(unknown_.entry, "dependencies");
    if (!found) {
      findings_.error({33, "dependencies.unknown"}, place,
                      fmt::format("a dependency is to be the variable with {} {}, which is not "
                                  "there",
                                  model_.handle_word(), handle));
      return;
    }
    // Nobody should rely on dependencies of a variable on itself, but they may be listed.
    const LooseVariable& variable = model_.variables[*found];
    if (found == unknown_.variable || is_known(variable, unknown_.list)) return;
    findings_.warning(
        {33, "dependencies.known"}, place,
        fmt::format("the dependency \"{}\" is {} and {}, so it is computed itself", variable.name,
                    to_string(*variable.causality), to_string(*variable.variability)),
        unknown_.list == List::initial_unknowns
            ? "name the inputs and the variables with initial=\"exact\" behind it"
            : "name the inputs, states and parameters behind it");
  }

  void check_kinds(const std::vector<std::string_view>& kinds) {
    const bool is_number = !unknown_.variable || model_.variables[*unknown_.variable].is_float() ||
                           !model_.variables[*unknown_.variable].type;
    for (const std::string_view kind : kinds) {
      if (kind == "dependent") continue;
      if (!is_number) {
        // Forbidden, and harmless: FMUs of the FMI project itself have it.
        findings_.warning({33, "dependencies.kind.type"}, Place(unknown_.entry, "dependenciesKind"),
                          fmt::format("the kind \"{}\" is for floating-point unknowns only", kind),
                          "write dependent");
        return;
      }
      if (unknown_.list == List::initial_unknowns && kind != "constant") {
        fail({33, "dependencies.kind.initial"},
             fmt::format("the kind \"{}\" does not exist during initialization", kind),
             "write dependent or constant");
        return;
      }
    }
  }

  const LooseDescription& model_;
  const LooseUnknown& unknown_;
  Findings& findings_;
};

}  // namespace

void check_dependencies(const LooseDescription& model, Findings& findings) {
  for (const LooseUnknown& unknown : model.unknowns) {
    DependencyCheck(model, unknown, findings).check();
  }
}

}  // namespace saltus::importer::validation
