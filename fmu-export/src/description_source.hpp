// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>

#include "dae_form.hpp"
#include "find_arrays.hpp"
#include "saltus/core/variable_derivatives.hpp"

namespace saltus::fmu_export {

/// A source in C++ that holds what an FMU has to know of its description, for
/// `written_description.cpp`: the token, and as numbers how many lists of dependencies there are,
/// and of each list the value reference of the unknown, how many dependencies it has, and the
/// reference and the kind of each; the numbers of the form as a DAE; and the `arrays`, for
/// `arrays.cpp` and, with their sizes, `sized_arrays.cpp`.
std::string description_source(const std::string& token,
                               std::span<const VariableDependencies> dependencies,
                               const DaeForm& form, const DescribedArrays& arrays);

}  // namespace saltus::fmu_export
