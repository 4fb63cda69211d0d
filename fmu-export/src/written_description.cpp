// SPDX-License-Identifier: BSD-2-Clause
// In FMUs, which a source of its own is compiled for when they are described.
#include <cstddef>

#include "description_parts.hpp"
#include "own_description.hpp"
#include "saltus/modeling/dependencies.hpp"
#include "saltus/modeling/units.hpp"

extern "C" {
/// By this name `saltus_add_fmu` asks for this file.
extern const char saltus_written_description = 0;
/// What `description_source` wrote.
extern const char saltus_described_token[];
extern const unsigned saltus_described_dependencies[];
extern const unsigned saltus_described_dae[];
}

namespace saltus::fmu_export {
namespace {

// One binary is for one version of FMI.
const std::string& token() {
  static const std::string token = saltus_described_token;
  return token;
}

std::size_t position_of(unsigned reference) {
  return reference == 0 ? kTimePosition : reference - 1;
}

}  // namespace

const std::string& own_instantiation_token() { return token(); }
const std::string& own_guid() { return token(); }

std::vector<VariableDependencies> own_dependencies(modeling::DescribedModel&) {
  const unsigned* next = saltus_described_dependencies;
  std::vector<VariableDependencies> lists(*next++);
  for (VariableDependencies& list : lists) {
    list.variable = position_of(*next++);
    list.dependencies.resize(*next++);
    for (VariableDependencies::Dependency& dependency : list.dependencies) {
      dependency.on = position_of(*next++);
      dependency.kind = static_cast<DependencyKind>(*next++);
    }
  }
  return lists;
}

constinit DependencySearch dependency_search = nullptr;

DaeForm own_dae_form() { return dae_form_of(saltus_described_dae); }

}  // namespace saltus::fmu_export

// The search for dependencies is over, unless sizes have changed.
std::vector<saltus::VariableDependencies> saltus::modeling::find_dependencies(
    const DependencyQuestion& question) {
  const auto search = fmu_export::dependency_search;
  return search == nullptr ? std::vector<VariableDependencies>() : search(question);
}

// Who made the FMU was told.
void saltus::modeling::warn_of_units(const Experiment&, std::span<const Variable>) {}
