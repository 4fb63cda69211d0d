// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "saltus/importer/model_description.hpp"
#include "xml_file.hpp"

namespace saltus::importer {

/// Reads modelDescription.xml. `fmu` names the FMU in messages. Throws `FmuError` for the first
/// thing that does not fit; what can be forgiven becomes a warning of the description.
ModelDescription parse_description(const std::string& fmu, std::string text);

/// The pieces, one source each. All fill `description`, whose earlier pieces must be there.
void parse_interfaces(const Element& root, ModelDescription& description);
void parse_units(const Element& root, ModelDescription& description);
void parse_types(const Element& root, ModelDescription& description);
void parse_variables(const Element& root, ModelDescription& description);
void parse_structure(const Element& root, ModelDescription& description);

/// The same for FMI 2.0, where `parse_units` serves as well.
void parse_fmi2_interfaces(const Element& root, ModelDescription& description);
void parse_fmi2_types(const Element& root, ModelDescription& description);
void parse_fmi2_variables(const Element& root, ModelDescription& description);
void parse_fmi2_structure(const Element& root, ModelDescription& description);

/// The same for FMI 1.0.
void parse_fmi1_interfaces(const Element& root, ModelDescription& description);
void parse_fmi1_units(const Element& root, ModelDescription& description);
void parse_fmi1_types(const Element& root, ModelDescription& description);
void parse_fmi1_variables(const Element& root, ModelDescription& description);
void parse_fmi1_structure(const Element& root, ModelDescription& description);

/// The element that says the type of a variable or of a type definition in FMI 1.0 and 2.0: `Real`
/// or, with the suffix "Type", `RealType`, and so on.
struct TypeElement {
  Element element;
  VariableType type;
};
TypeElement type_element(const Element& entry, std::string_view suffix);
/// How many states or indicators there are that have no variables in FMI 1.0 and 2.0; 0 if the
/// file does not say.
std::size_t parse_count(const Element& root, const char* attribute);
/// The start value in FMI 1.0 and 2.0. One that cannot be read is the FMU's business: it has its
/// own.
void parse_forgiving_start(const Element& element, Variable& variable,
                           ModelDescription& description);

/// The identifier becomes a file name, so it must not be able to leave its folder.
std::string parse_identifier(const Element& element, ModelDescription& description);
/// What type definitions of all versions have.
TypeDefinition parse_type_attributes(const Element& entry, VariableType type);

/// What variables of all versions have: the default of `initial` by causality and variability,
/// what they inherit from their declared type, and the attributes that replace it.
using TypesByName = std::unordered_map<std::string, std::size_t>;
TypesByName types_by_name(const ModelDescription& description);
Initial default_initial(const Variable& variable);
void inherit_declared_type(const Element& entry, const ModelDescription& description,
                           const TypesByName& types, Variable& variable);
void parse_attributes(const Element& entry, Variable& variable);
/// dependenciesKind, as many as there are dependencies; none, with a warning, if they are others.
std::vector<DependencyKind> parse_kinds(const Element& entry, std::size_t dependencies,
                                        ModelDescription& description);
/// Warns where outputs and ModelStructure disagree.
void check_outputs(ModelDescription& description);
/// A word of the attribute dependenciesKind; none if it is no such word.
std::optional<DependencyKind> dependency_kind(std::string_view word);

/// Enters a variable and its aliases into the tables of names and value references.
void enter_variable(const Element& entry, std::size_t index, ModelDescription& description);
/// Checks and follows its references to other variables, which may stand further down in the file.
void resolve_variable(const Element& entry, Variable& variable, ModelDescription& description);

/// Element name -> type, for `Float64` with an empty suffix and for `Float64Type` with "Type".
std::optional<VariableType> type_of_element(std::string_view element, std::string_view suffix);

}  // namespace saltus::importer
