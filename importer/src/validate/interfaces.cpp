// SPDX-License-Identifier: BSD-2-Clause
// Rules 4, 7, 8 and 34: versions, interfaces and their capability flags.
#include <fmt/format.h>

#include "rules.hpp"

namespace saltus::importer::validation {
namespace {

/// A number without leading zeros, taken away from the front.
bool take_number(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  if (end == 0 || (end > 1 && text.front() == '0')) return false;
  text.remove_prefix(end);
  return true;
}

/// FMI 3.0, 2.4.1: "3.", a number, perhaps a dot and another one, perhaps "-" and some text.
bool is_fmi3_version(std::string_view text) {
  if (!text.starts_with("3.")) return false;
  text.remove_prefix(2);
  if (!take_number(text)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!take_number(text)) return false;
  }
  return text.empty() || (text.starts_with('-') && text.size() > 1);
}

void check_identifier(const Element& interface, Findings& findings) {
  if (!interface.has("modelIdentifier")) return;  // rule 6 says so
  const std::string name = interface.text("modelIdentifier");
  if (is_c_identifier(name)) return;
  findings.error({4, "interface.identifier"}, Place(interface, "modelIdentifier"),
                 fmt::format("modelIdentifier=\"{}\" is not an identifier of C", name),
                 "use letters, digits and underscores, and begin with a letter");
}

void check_flags(const LooseDescription& model, const Element& interface, Findings& findings) {
  const auto implies = [&](const char* id, const char* flag, const char* other) {
    if (!is_true(interface, flag) || is_true(interface, other)) return;
    findings.error({34, id}, Place(interface, flag),
                   fmt::format("{} is true and {} is not", flag, other),
                   fmt::format("declare {}=\"true\", too", other));
  };
  if (!model.is_fmi3()) {
    implies("flags.serialize", "canSerializeFMUstate", "canGetAndSetFMUstate");
    return;
  }
  implies("flags.serialize", "canSerializeFMUState", "canGetAndSetFMUState");
  if (interface.name() != "CoSimulation") return;
  implies("flags.early_return", "canReturnEarlyAfterIntermediateUpdate",
          "providesIntermediateUpdate");
  for (const LooseVariable& variable : model.variables) {
    if (!variable.is_clock() || is_true(interface, "hasEventMode")) continue;
    findings.error(
        {34, "flags.event_mode"}, interface,
        fmt::format("the FMU has clocks (\"{}\") and CoSimulation no event mode", variable.name),
        "declare hasEventMode=\"true\"");
    return;
  }
}

}  // namespace

void check_version(const LooseDescription& model, Findings& findings) {
  if (!model.root.has("fmiVersion")) {
    findings.error({7, "version.missing"}, model.root, "fmiModelDescription has no fmiVersion",
                   "add it");
    return;
  }
  const std::string version = model.root.text("fmiVersion");
  const bool is_legal = model.version == FmiVersion::fmi1   ? version == "1.0"
                        : model.version == FmiVersion::fmi2 ? version == "2.0"
                                                            : is_fmi3_version(version);
  if (is_legal) return;
  findings.error({7, "version.form"}, Place(model.root, "fmiVersion"),
                 fmt::format("fmiVersion=\"{}\" is not a version of FMI", version),
                 "use 2.0 or 3.0");
}

void check_interfaces(const LooseDescription& model, Findings& findings) {
  if (model.interfaces.empty()) {
    findings.error({8, "interface.missing"}, model.root,
                   model.is_fmi3() ? "there is no ModelExchange, CoSimulation or ScheduledExecution"
                                   : "there is neither ModelExchange nor CoSimulation",
                   "add the interface that the binary implements");
  }
  for (const Element& interface : model.interfaces) {
    check_identifier(interface, findings);
    check_flags(model, interface, findings);
  }
}

}  // namespace saltus::importer::validation
