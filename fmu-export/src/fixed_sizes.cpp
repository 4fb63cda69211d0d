// SPDX-License-Identifier: BSD-2-Clause
// In FMUs whose sizes nobody changes: `sized_arrays.cpp` takes the place of this in the others.
#include "elements.hpp"
#include "instance.hpp"

namespace saltus::fmu_export {

bool sizes_are_structural() { return false; }
void check_given(const modeling::Variable& variable, std::int64_t value) {
  modeling::check_whole(variable, value);
}
ExportedModel exported_like(const modeling::DescribedModel&, Interface interface) {
  return exported_model(interface);
}
void fit_sizes(SnapshotOrigin&, const Snapshot&) {}

void Instance::resize() {}
void Instance::add_sizes(std::vector<std::byte>&) const {}
std::span<const std::byte> Instance::take_sizes(const Snapshot& snapshot) { return snapshot.model; }

}  // namespace saltus::fmu_export
