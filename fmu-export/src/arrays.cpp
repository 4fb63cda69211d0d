// SPDX-License-Identifier: BSD-2-Clause
// In FMUs that describe arrays, in place of `scalars.cpp`.
#include <string>

#include "call_error.hpp"
#include "elements.hpp"
#include "instance.hpp"

extern "C" {
/// By this name `saltus_add_fmu` asks for this file.
extern const char saltus_with_arrays = 0;
/// What `description_source` wrote: how many arrays there are, and of each the value reference, the
/// number of elements and the distance of their references, in the order of the references.
extern const unsigned saltus_described_arrays[];
}

namespace saltus::fmu_export {
namespace {

struct Place {
  Reference array = 0;      // as the description calls it, or the variable itself
  std::size_t element = 0;  // from 0
  std::size_t elements = 1;
  unsigned distance = 1;
};

Place place_of(Reference reference) {
  const unsigned* const arrays = saltus_described_arrays + 1;
  std::size_t low = 0;
  std::size_t high = saltus_described_arrays[0];
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (arrays[3 * middle] <= reference) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  // States and their derivatives alternate: it may belong to the last one that begins before it, or
  // to the one before that.
  for (std::size_t back = 1; back <= 2 && back <= low; ++back) {
    const unsigned* const array = arrays + 3 * (low - back);
    const unsigned behind = reference - array[0];
    if (behind % array[2] == 0 && behind / array[2] < array[1]) {
      return {array[0], behind / array[2], array[1], array[2]};
    }
  }
  return {.array = reference};
}

void add_elements(References given, std::vector<Reference>& all) {
  all.clear();
  for (const Reference reference : given) {
    const Place place = place_of(reference);
    if (place.element > 0) {
      throw CallError("there is no variable with value reference " + std::to_string(reference) +
                      "; the array around it has " + std::to_string(place.array));
    }
    for (std::size_t i = 0; i < place.elements; ++i) {
      all.push_back(reference + static_cast<Reference>(i * place.distance));
    }
  }
}

}  // namespace

References Instance::elements(References given, int place) {
  std::vector<Reference>& all = elements_[place];
  add_elements(given, all);
  return all;
}

// FMI 3.0, 2.2.9: elements are counted from 1.
DependencyList Instance::dependencies(Reference unknown) {
  DependencyList all;
  std::size_t element = 0;
  elements({&unknown, 1});
  for (const Reference one : std::vector<Reference>(elements_[0])) {
    ++element;
    for (DependencyList::Dependency dependency : dependencies_of(one).members) {
      const Place place = place_of(dependency.on);
      dependency.element = element;
      dependency.on = place.array;
      dependency.element_of_on = place.element + 1;
      all.members.push_back(dependency);
    }
  }
  return all;
}

Reference listed_reference(const modeling::DescribedModel&, Reference element) {
  return place_of(element).array;
}

}  // namespace saltus::fmu_export
