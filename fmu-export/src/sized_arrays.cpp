// SPDX-License-Identifier: BSD-2-Clause
// In FMUs that describe arrays whose sizes are structural parameters, in place of `scalars.cpp`;
// `sized_instance.cpp` belongs to it.
#include <string>

#include "call_error.hpp"
#include "elements.hpp"
#include "instance.hpp"
#include "placed_arrays.hpp"

extern "C" {
/// By this name `saltus_add_fmu` asks for this file.
extern const char saltus_with_sized_arrays = 0;
/// What `description_source` wrote: see `arrays.cpp`.
extern const unsigned saltus_described_arrays[];
/// Likewise: how many sizes there are, the last value reference of all, and the number of event
/// indicators; of each size the value reference and the standard; and of each array the number of
/// its size from 1, or 0.
extern const unsigned saltus_described_sizes[];
}

namespace saltus::fmu_export {

unsigned described::sizes() { return saltus_described_sizes[0]; }
Reference described::last_reference() { return saltus_described_sizes[1]; }
unsigned described::indicators() { return saltus_described_sizes[2]; }
described::Size described::size(unsigned i) {
  return {saltus_described_sizes[3 + 2 * i], saltus_described_sizes[4 + 2 * i]};
}

namespace {

unsigned size_of_array(unsigned i) {
  return saltus_described_sizes[3 + 2 * described::sizes() + i];
}

// How many begin at `reference` or before it. It may belong to the last one of these or, since
// states and their derivatives alternate, to the one before that.
std::size_t count_before(const std::vector<PlacedArray>& all, Reference reference,
                         Reference PlacedArray::*begin) {
  std::size_t count = 0;
  while (count < all.size() && all[count].*begin <= reference) ++count;
  return count;
}

}  // namespace

std::optional<std::size_t> PlacedArray::element(Reference begin, std::size_t count,
                                                Reference one) const {
  if (one < begin) return {};
  const Reference behind = one - begin;
  if (behind % distance != 0 || behind / distance >= count) return {};
  return behind / distance;
}

PlacedArrays::PlacedArrays(const modeling::DescribedModel& model) {
  const auto variables = model.variables();
  place([&](std::size_t size, std::int64_t reference) {
    const auto position = static_cast<std::size_t>(reference - 1);
    // A model that is not as it was described is refused, but looked at before.
    const bool is_there = position < variables.size() && variables[position].is_size;
    return is_there ? static_cast<std::uint64_t>(variables[position].start_integer)
                    : described::size(static_cast<unsigned>(size)).standard;
  });
}

PlacedArrays::PlacedArrays(std::span<const std::uint64_t> sizes) {
  place([&](std::size_t size, std::int64_t) { return sizes[size]; });
}

// `value` tells a size, by its number and where it lies among the variables: it stands before the
// arrays that it is of.
void PlacedArrays::place(const Value& value) {
  std::vector<std::uint64_t> sizes;
  std::int64_t shift = 0;
  bool is_state = false;
  for (unsigned i = 0; i < saltus_described_arrays[0]; ++i) {
    const unsigned* const array = saltus_described_arrays + 1 + 3 * i;
    while (sizes.size() < described::sizes()) {
      const Reference next = described::size(static_cast<unsigned>(sizes.size())).reference;
      if (next > array[0]) break;
      sizes.push_back(value(sizes.size(), next + shift));
    }
    const unsigned size = size_of_array(i);
    PlacedArray one{.listed = array[0],
                    .standard = array[1],
                    .first = static_cast<Reference>(array[0] + shift),
                    .elements = size == 0 ? array[1] : sizes[size - 1],
                    .distance = array[2]};
    const auto growth =
        static_cast<std::int64_t>(one.elements) - static_cast<std::int64_t>(one.standard);
    // What stands behind states has moved by them and by their derivatives, with which they
    // alternate.
    is_state = one.distance == 2 && !is_state;
    shift += is_state ? 0 : one.distance * growth;
    one.shift_behind = shift;
    all_.push_back(one);
  }
}

PlacedArrays::Place PlacedArrays::place_of(Reference reference) const {
  const std::size_t before = count_before(all_, reference, &PlacedArray::first);
  for (std::size_t back = 1; back <= 2 && back <= before; ++back) {
    const PlacedArray& array = all_[before - back];
    if (const auto element = array.element(array.first, array.elements, reference)) {
      return {array.listed, *element};
    }
  }
  const std::int64_t shift = before == 0 ? 0 : all_[before - 1].shift_behind;
  return {static_cast<Reference>(reference - shift), 0};
}

void PlacedArrays::add_elements(Reference listed, std::vector<Reference>& elements) const {
  const std::string none = "there is no variable with value reference " + std::to_string(listed);
  if (described::sizes() > 0 && listed > described::last_reference()) {
    throw CallError(none);
  }
  const std::size_t before = count_before(all_, listed, &PlacedArray::listed);
  for (std::size_t back = 1; back <= 2 && back <= before; ++back) {
    const PlacedArray& array = all_[before - back];
    const auto element = array.element(array.listed, array.standard, listed);
    if (!element) continue;
    if (*element > 0) {
      throw CallError(none + "; the array around it has " + std::to_string(array.listed));
    }
    for (std::size_t i = 0; i < array.elements; ++i) {
      elements.push_back(array.first + static_cast<Reference>(i * array.distance));
    }
    return;
  }
  const std::int64_t shift = before == 0 ? 0 : all_[before - 1].shift_behind;
  elements.push_back(static_cast<Reference>(listed + shift));
}

References Instance::elements(References given, int place) {
  std::vector<Reference>& all = elements_[place];
  all.clear();
  const PlacedArrays arrays(*model_);
  for (const Reference reference : given) arrays.add_elements(reference, all);
  return all;
}

// FMI 3.0, 2.2.9: elements are counted from 1.
DependencyList Instance::dependencies(Reference unknown) {
  DependencyList all;
  const PlacedArrays arrays(*model_);
  std::vector<Reference> elements;
  for (const modeling::Variable& v : model_->variables()) {
    if (v.is_size) elements.push_back(static_cast<Reference>(v.start_integer));
  }
  if (elements != elements_[2]) {
    dependencies_.know(model_->dependencies());
    elements_[2].swap(elements);
  }
  elements.clear();
  arrays.add_elements(unknown, elements);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (DependencyList::Dependency dependency : dependencies_of(elements[i]).members) {
      const PlacedArrays::Place place = arrays.place_of(dependency.on);
      dependency.element = i + 1;
      dependency.on = place.listed;
      dependency.element_of_on = place.element + 1;
      all.members.push_back(dependency);
    }
  }
  return all;
}

Reference listed_reference(const modeling::DescribedModel& model, Reference element) {
  return PlacedArrays(model).place_of(element).listed;
}

}  // namespace saltus::fmu_export
