// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "findings.hpp"
#include "saltus/importer/value.hpp"

namespace saltus::importer::validation {

/// What an attribute may hold: one value of a type, a list of them, or words of a set. Texts may
/// hold anything.
struct AttributeRule {
  const char* name;
  VariableType type = VariableType::string;
  bool is_required = false;
  bool is_list = false;
  const char* words = nullptr;  ///< separated by blanks; null: all that the type can hold
};
using AttributeRules = std::vector<AttributeRule>;

/// A child element: how it is called, by which type of the schema it is judged (empty: anything is
/// allowed in it), how often it may stand there. Children of a higher rank follow those of a lower.
struct ChildRule {
  std::string name;
  std::string type = {};
  int rank = 0;
  bool is_required = false;
  bool may_repeat = false;
};

struct ElementRule {
  AttributeRules attributes = {};
  std::vector<ChildRule> children = {};
  bool needs_child = false;  ///< an empty list is not written at all
  bool is_open = false;      ///< attributes that the standard does not know are allowed
};

/// Which elements and attributes a file of FMI may have, written down by hand from the text of the
/// standard and kept as far apart from the rules about their meaning as a schema is.
struct Schema {
  std::string root;
  std::map<std::string, ElementRule, std::less<>> types;
};

const Schema& fmi3_schema();
const Schema& fmi2_schema();
const Schema& build_schema();

AttributeRule required(const char* name, VariableType type = VariableType::string);
AttributeRule one_of(const char* name, const char* words, bool is_required = false);
AttributeRule list_of(const char* name, VariableType type);
/// One group after the other.
AttributeRules joined(std::initializer_list<AttributeRules> groups);
/// What units look like in both versions; only FMI 3.0 has `inverse` and annotations.
void add_units(Schema& schema, bool is_fmi3);

/// Rule 6 for an element and all below. In a minor version that we do not know (`is_newer`) unknown
/// things are legal: they are notes.
void check_schema(const Schema& schema, const Element& root, bool is_newer, Findings& findings);

}  // namespace saltus::importer::validation
