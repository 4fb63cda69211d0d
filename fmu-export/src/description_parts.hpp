// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "saltus/core/whole_values.hpp"
#include "saltus/fmu_export/export_fmu.hpp"
#include "xml_writer.hpp"

/// What the descriptions of all versions of FMI have in common.
namespace saltus::fmu_export {

/// The position of a variable is its value reference minus one: zero is the time.
inline std::uint64_t reference_of(std::size_t position) {
  return position == kTimePosition ? 0 : position + 1;
}

/// Throws `std::invalid_argument` on names that no description can hold.
void check_names(const ExportedModel& exported);

/// Where the states and their derivatives stand among the variables, in the order of the states.
struct StatePositions {
  std::vector<std::size_t> states;
  std::vector<std::size_t> derivatives;
};
StatePositions positions_of_states(const modeling::DescribedModel& model);

/// Whether the names tell of submodels, "left.tanks[0].level", and all of them are as FMI wants
/// such names to be. Then what is no such name, as a condition, stands between apostrophes.
bool has_structured_names(const modeling::DescribedModel& model);
/// What to say of them.
const char* naming_convention(const modeling::DescribedModel& model);

/// The event indicators as they were written. Conditions may be written alike, names may not.
std::vector<std::string> indicator_names(const modeling::DescribedModel& model);

/// Writes the attributes `dependencies` and `dependenciesKind` of an unknown. `number_of` says how
/// the description calls the variable at a position, or the time at `kTimePosition`. Without a list
/// for it the unknown may depend on everything, and nothing is written.
void write_dependencies(XmlWriter& xml, std::span<const VariableDependencies> lists,
                        std::size_t unknown, std::uint64_t (*number_of)(std::size_t position));

/// A number that may have a unit, be it one of the model's scalar type or not.
inline bool is_float(const modeling::Variable& v) {
  return v.is_number() || v.type == modeling::Variable::Type::float32;
}

/// The types of a model's enumerations, with names that nothing else in the description has.
struct NamedEnumeration {
  const modeling::EnumerationType* type;
  std::string name;
};
std::vector<NamedEnumeration> enumerations(const modeling::DescribedModel& model);
/// The one of the variable, or null.
const char* name_of(const std::vector<NamedEnumeration>& all, const modeling::Variable& variable);
void write_items(XmlWriter& xml, const modeling::EnumerationType& type);
/// Those of an integer that are not the limits of the type that the description gives it.
void write_limits(XmlWriter& xml, const modeling::Variable& v, const modeling::WholeRange& range);

void write_units(XmlWriter& xml, const modeling::DescribedModel& model);
void write_log_categories(XmlWriter& xml);
void write_experiment(XmlWriter& xml, const modeling::ModelInfo& info);

/// A hash of a description, in the form of a GUID, which importers expect to see.
std::string token_of(const std::string& text);

}  // namespace saltus::fmu_export
