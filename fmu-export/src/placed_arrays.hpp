// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "values.hpp"

/// Arrays whose sizes are structural parameters. The importer's value references are those of the
/// description, which was written for the standard sizes; with others, what stands behind an array
/// has moved among the variables of a model.
namespace saltus::fmu_export {

/// What the description says of sizes, as `description_source` wrote it.
namespace described {

unsigned sizes();
struct Size {
  Reference reference;
  unsigned standard;
};
Size size(unsigned i);
Reference last_reference();
unsigned indicators();

}  // namespace described

/// An array as the description lists it, and as it lies among the variables.
struct PlacedArray {
  Reference listed = 0;
  std::size_t standard = 0;  ///< elements in the description
  Reference first = 0;
  std::size_t elements = 0;
  unsigned distance = 1;          ///< of their references
  std::int64_t shift_behind = 0;  ///< of what stands behind it

  /// Which element of an array that begins there a reference belongs to, counted from 0.
  std::optional<std::size_t> element(Reference begin, std::size_t count, Reference one) const;
};

/// All of them, in the order of their references.
class PlacedArrays {
 public:
  explicit PlacedArrays(const modeling::DescribedModel& model);
  /// Of a model with these sizes, in the order of the description.
  explicit PlacedArrays(std::span<const std::uint64_t> sizes);

  const std::vector<PlacedArray>& all() const { return all_; }
  /// How many variables there are more than in the description; negative: less.
  std::int64_t growth() const { return all_.empty() ? 0 : all_.back().shift_behind; }

  struct Place {
    Reference listed = 0;     ///< the array, or the variable itself
    std::size_t element = 0;  ///< from 0
  };
  Place place_of(Reference reference) const;
  /// Throws `CallError` where the description does not list it.
  void add_elements(Reference listed, std::vector<Reference>& elements) const;

 private:
  using Value = std::function<std::uint64_t(std::size_t size, std::int64_t reference)>;
  void place(const Value& value);
  std::vector<PlacedArray> all_;
};

}  // namespace saltus::fmu_export
