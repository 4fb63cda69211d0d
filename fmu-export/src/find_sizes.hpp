// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "find_arrays.hpp"
#include "saltus/core/warning.hpp"

namespace saltus::fmu_export {

/// Which of `arrays`, those of the exported model `model`, have as many elements as a member that
/// is a `Size`: that becomes a structural parameter. It is found by making the model with other
/// sizes.
///
/// Throws `std::invalid_argument` where something else changes with a size, which a description
/// cannot tell: an array of 2 n elements, the number of conditions, a start value. What a name
/// tells of one size alone is a warning.
void find_sizes(DescribedArrays& arrays, modeling::DescribedModel& model, Warnings& warnings);

}  // namespace saltus::fmu_export
