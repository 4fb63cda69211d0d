// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "saltus/modeling/dependencies.hpp"

namespace saltus::modeling {

/// What `find_dependencies` does, except in FMUs, which know the answer: those whose sizes change
/// ask for this instead.
std::vector<VariableDependencies> search_dependencies(const DependencyQuestion& question);

}  // namespace saltus::modeling
