// SPDX-License-Identifier: BSD-2-Clause
// In FMUs of one size, whose dependencies a source tells that was written with the description.
#include "description_parts.hpp"
#include "own_description.hpp"
#include "saltus/modeling/dependencies.hpp"

extern "C" {
/// By this name `saltus_add_fmu` asks for this file.
extern const char saltus_written_dependencies = 0;
/// What `description_source` wrote.
extern const unsigned saltus_described_dependencies[];
}

namespace saltus::fmu_export {
namespace {

std::size_t position_of_reference(unsigned reference) {
  return reference == 0 ? kTimePosition : reference - 1;
}

}  // namespace

std::vector<VariableDependencies> own_dependencies(modeling::DescribedModel&) {
  const unsigned* next = saltus_described_dependencies;
  std::vector<VariableDependencies> lists(*next++);
  for (VariableDependencies& list : lists) {
    list.variable = position_of_reference(*next++);
    list.dependencies.resize(*next++);
    for (VariableDependencies::Dependency& dependency : list.dependencies) {
      dependency.on = position_of_reference(*next++);
      dependency.kind = static_cast<DependencyKind>(*next++);
    }
  }
  return lists;
}

}  // namespace saltus::fmu_export

// The search for dependencies is over: nothing in such an FMU asks for it.
std::vector<saltus::VariableDependencies> saltus::modeling::find_dependencies(
    const DependencyQuestion&) {
  return {};
}
