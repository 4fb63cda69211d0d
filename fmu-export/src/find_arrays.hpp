// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/described_model.hpp"

namespace saltus::fmu_export {

/// Variables of a model that a description of FMI 3.0 lists as one, an array: q[0], q[1], ... as q.
struct DescribedArray {
  std::string name;
  std::string description;
  std::size_t first = 0;  ///< the position of the first element; its value reference is the array's
  std::size_t size = 0;
  std::size_t stride = 1;  ///< from one element to the next: a state's derivative stands behind it
  /// The number of the size that it has, from 1 on; 0: it always has as many elements.
  std::size_t size_number = 0;
};

/// A member that is a `Size`, as a structural parameter.
struct DescribedSize {
  std::size_t position = 0;  ///< among the variables
  std::uint64_t standard = 0;
};

/// The arrays of a description, in the order of their first elements. Without any, as it is made,
/// all variables are listed as the scalars that they are.
struct DescribedArrays {
  std::vector<DescribedArray> all;
  /// Names that have indices and yet stay scalars, since the elements are not alike.
  std::vector<std::string> not_alike;

  /// Those that importers may change, see `find_sizes`; otherwise sizes are constants.
  std::vector<DescribedSize> sizes;
  std::size_t indicators = 0;      ///< where there are sizes, and likewise
  std::size_t last_reference = 0;  ///< of all
  /// What listed variables depend on with other sizes, beside what they depend on with these.
  std::vector<VariableDependencies> with_other_sizes;

  /// The one that begins at a position, or null.
  const DescribedArray* at(std::size_t position) const;
  /// The position under which the variable at a position is listed: that of the first element.
  std::size_t listed(std::size_t position) const;
  /// What the elements of a listed variable depend on, together. The kind of a dependency is the
  /// most general one among the elements: FMI 3.0, 2.2.9, knows none of single elements here.
  std::vector<VariableDependencies> listed(std::span<const VariableDependencies> lists) const;
};

/// Numbers whose names differ in the last index alone, which counts from 0 without a gap, become an
/// array, if they follow one another and have the same metadata, start values excepted. States are
/// an array if their derivatives are.
DescribedArrays find_arrays(const modeling::DescribedModel& model);

}  // namespace saltus::fmu_export
