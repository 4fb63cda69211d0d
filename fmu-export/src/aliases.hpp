// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "find_arrays.hpp"
#include "saltus/core/described_model.hpp"

/// What a model says of itself by the names of its variables: aliases, and terminals that hold
/// several of them.
namespace saltus::fmu_export {

/// Where terminals stand in an FMU of FMI 3.0.
inline constexpr const char* kTerminals = "terminalsAndIcons/terminalsAndIcons.xml";

struct DescribedAlias {
  std::string name;
  std::string description;
};
/// The other names of the variable that the description lists under this one. Where it lists the
/// elements of an array, an alias of the array gives each of them a name: "flow[0]", "heat[0]".
std::vector<DescribedAlias> aliases_of(const modeling::DescribedModel& model,
                                       std::string_view listed_name);

/// Throws `std::invalid_argument` where an alias or a member of a terminal names no variable that
/// the description lists, or where a name is missing or taken.
void check_aliases(const modeling::DescribedModel& model, const DescribedArrays& arrays);
void check_terminals(const modeling::DescribedModel& model, const DescribedArrays& arrays);

/// The content of `kTerminals`; empty where the model has none. Elements of an array that the
/// description lists one by one are members each.
std::string terminals_xml(const modeling::DescribedModel& model, const DescribedArrays& arrays);

}  // namespace saltus::fmu_export
