// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "saltus/importer/model_description.hpp"
#include "xml_file.hpp"

namespace saltus::importer {

/// Reads modelDescription.xml. `fmu` names the FMU in messages. Throws `FmuError` for the first
/// thing that does not fit; what can be forgiven becomes a warning of the description.
ModelDescription parse_description(const std::string& fmu, std::string text);

/// The pieces, one source each. All fill `description`, whose earlier pieces must be there.
void parse_types(const Element& root, ModelDescription& description);
void parse_variables(const Element& root, ModelDescription& description);
void parse_structure(const Element& root, ModelDescription& description);

/// A word of the attribute dependenciesKind; none if it is no such word.
std::optional<DependencyKind> dependency_kind(std::string_view word);

/// Enters a variable and its aliases into the tables of names and value references.
void enter_variable(const Element& entry, std::size_t index, ModelDescription& description);
/// Checks and follows its references to other variables, which may stand further down in the file.
void resolve_variable(const Element& entry, Variable& variable, ModelDescription& description);

/// Element name -> type, for `Float64` with an empty suffix and for `Float64Type` with "Type".
std::optional<VariableType> type_of_element(std::string_view element, std::string_view suffix);

}  // namespace saltus::importer
