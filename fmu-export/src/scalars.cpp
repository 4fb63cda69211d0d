// SPDX-License-Identifier: BSD-2-Clause
// In FMUs whose variables are scalars: `arrays.cpp` takes the place of this in the others.
#include "elements.hpp"
#include "instance.hpp"

namespace saltus::fmu_export {

References Instance::elements(References given, int) { return given; }

DependencyList Instance::dependencies(Reference unknown) { return dependencies_of(unknown); }

std::vector<Reference> elements_of(References given) { return {given.begin(), given.end()}; }

Reference listed_reference(Reference element) { return element; }

}  // namespace saltus::fmu_export
