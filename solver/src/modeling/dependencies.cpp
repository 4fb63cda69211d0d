// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/dependencies.hpp"

#include "modeling/dependency_search.hpp"

namespace saltus::modeling {

std::vector<VariableDependencies> find_dependencies(const DependencyQuestion& question) {
  return search_dependencies(question);
}

}  // namespace saltus::modeling
