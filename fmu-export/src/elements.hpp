// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "values.hpp"

/// Where a description lists arrays, importers name a whole array by one value reference, that of
/// its first element. Inside of an instance every element is a variable with a reference of its
/// own; these functions, and `Instance::elements`, lead from one to the other. They are defined
/// twice, in `scalars.cpp` for FMUs without arrays, where nothing is to be done, and in
/// `arrays.cpp`.
namespace saltus::fmu_export {

/// All that these stand for. Throws `CallError` on one that a description with arrays does not
/// list.
std::vector<Reference> elements_of(References given);

/// The value reference under which the description lists a variable.
Reference listed_reference(Reference element);

}  // namespace saltus::fmu_export
