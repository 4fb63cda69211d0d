// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "../xml_file.hpp"
#include "saltus/importer/model_description.hpp"

namespace saltus::importer::validation {

/// The versions whose rules differ. What `fmiVersion` begins with decides; if that is no version,
/// attributes that only one of them has.
enum class FmiVersion { unknown, fmi1, fmi2, fmi3 };

/// A variable as far as it can be read. What is not there or makes no sense is empty, and the rule
/// about it says so; the others go on without.
struct LooseVariable {
  Element entry;  ///< has name and causality
  Element typed;  ///< has start and unit: in FMI 2.0 the element below, <Real>; else the same
  std::optional<VariableType> type = {};  ///< Real is float64, Integer is int32
  std::string name = {};
  std::optional<ValueReference> reference = {};
  /// With the defaults of the standard filled in; empty if there is a word that is none.
  std::optional<Causality> causality = {};
  std::optional<Variability> variability = {};
  std::optional<Initial> initial = {};
  bool has_start = false;
  bool is_clocked = false;
  bool is_state = false;                          ///< its derivative is in the model structure
  std::optional<std::size_t> declared_type = {};  ///< index into `types`
  std::optional<std::size_t> derivative_of = {};  ///< index into `variables`
  std::optional<std::uint64_t> elements = {};     ///< 1 for a scalar; empty if it cannot be told

  bool is_float() const { return type == VariableType::float64 || type == VariableType::float32; }
  bool is_clock() const { return type == VariableType::clock; }
};

struct LooseType {
  Element entry;
  Element typed;  ///< as in a variable
  std::optional<VariableType> type;
  std::string name;
  std::set<std::int64_t> item_values = {};  ///< of an enumeration
};

struct LooseUnit {
  Element entry;
  std::string name;
  std::set<std::string> display_units;
};

enum class List { outputs, derivatives, clocked_states, initial_unknowns, event_indicators };

struct LooseUnknown {
  Element entry;
  List list;
  std::optional<std::size_t> variable;  ///< empty if it does not exist
};

/// modelDescription.xml of FMI 2.0 or 3.0, read without complaining.
struct LooseDescription {
  Element root;
  FmiVersion version = FmiVersion::unknown;
  std::vector<Element> interfaces = {};
  std::vector<LooseUnit> units = {};
  std::vector<LooseType> types = {};
  std::vector<LooseVariable> variables = {};
  std::vector<LooseUnknown> unknowns = {};
  std::unordered_map<ValueReference, std::size_t> by_reference = {};
  std::unordered_map<std::string, std::size_t> type_by_name = {};

  bool is_fmi3() const { return version == FmiVersion::fmi3; }
  bool has_interface(std::string_view name) const;
  /// The variable with this value reference, in FMI 2.0 the one with this index.
  std::optional<std::size_t> find(std::uint32_t handle) const;
  /// What such a number is called, in sentences and as an attribute of an unknown.
  const char* handle_word() const { return is_fmi3() ? "value reference" : "index"; }
  const char* handle_attribute() const { return is_fmi3() ? "valueReference" : "index"; }
  /// The element that gives the variable this attribute: itself or its declared type.
  const Element* giver(const LooseVariable& variable, const char* attribute) const;
};

LooseDescription read_loosely(const Element& root, FmiVersion version);
FmiVersion version_of(const Element& root);

/// An attribute as a number, or nothing if it is not there or is none.
template <class Number>
std::optional<Number> number_of(const Element& element, const char* attribute) {
  Number number{};
  if (!element.has(attribute) || !read_number(element.text(attribute), number)) return std::nullopt;
  return number;
}
bool is_true(const Element& element, const char* attribute);

}  // namespace saltus::importer::validation
