// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "dae_form.hpp"
#include "saltus/core/described_model.hpp"
#include "saltus/modeling/dependencies.hpp"

/// What an FMU has to know of its own modelDescription.xml.
///
/// The program that writes the description writes this down as well, as `saltus_described_token`,
/// `saltus_described_dependencies`, `saltus_described_dae`, `saltus_described_arrays` and
/// `saltus_described_sizes`, and `saltus_add_fmu` links that with `written_description.cpp`:
/// nothing that describes a model is a part of its FMU, and no FMU takes the time for it. A program
/// that contains a model without such a description finds it out at the first call:
/// `computed_description.cpp`.
namespace saltus::fmu_export {

/// The instantiation token of FMI 3.0. The description that was written when the FMU was built
/// holds the same one, unless the two do not belong together.
const std::string& own_instantiation_token();
/// The same in FMI 2.0.
const std::string& own_guid();

/// The dependencies of the computed variables, see `NamedVariables::dependencies`.
std::vector<VariableDependencies> own_dependencies(modeling::DescribedModel& model);

/// What `find_dependencies` calls in FMUs whose sizes may be others than those of their
/// description. Null in all others, which do not contain the search.
using DependencySearch = std::vector<VariableDependencies> (*)(const modeling::DependencyQuestion&);
extern DependencySearch dependency_search;

/// How the model is described as a DAE, in FMI 3.0 alone; empty where it is not.
DaeForm own_dae_form();

}  // namespace saltus::fmu_export
