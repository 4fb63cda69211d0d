// SPDX-License-Identifier: BSD-2-Clause
// In FMUs whose variables are scalars: `arrays.cpp` takes the place of this in the others.
#include "elements.hpp"
#include "instance.hpp"

namespace saltus::fmu_export {

References Instance::elements(References given, int) { return given; }

DependencyList Instance::dependencies(Reference unknown) { return dependencies_of(unknown); }

Reference listed_reference(const modeling::DescribedModel&, Reference element) { return element; }

}  // namespace saltus::fmu_export
