// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "exported.hpp"
#include "values.hpp"

/// Where a description lists arrays, importers name a whole array by one value reference, that of
/// its first element. Inside of an instance every element is a variable with a reference of its
/// own; these functions, and `Instance::elements`, lead from one to the other. They are defined
/// three times: in `scalars.cpp` for FMUs without arrays, where nothing is to be done, in
/// `arrays.cpp`, and in `sized_arrays.cpp`, where importers may change how many elements there are.
namespace saltus::fmu_export {

/// The value reference under which the description lists a variable of the model.
Reference listed_reference(const modeling::DescribedModel& model, Reference element);

/// Whether members that are a `Size` are structural parameters, and not constants.
bool sizes_are_structural();

/// Throws `std::invalid_argument` where it is no value to be set; of a size, in Configuration Mode.
void check_given(const modeling::Variable& variable, std::int64_t value);

/// Another model of the same sizes.
ExportedModel exported_like(const modeling::DescribedModel& model, Interface interface);

}  // namespace saltus::fmu_export
