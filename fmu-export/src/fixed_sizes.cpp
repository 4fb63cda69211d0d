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

SnapshotOrigin Instance::origin(std::uint64_t token_hash) const {
  return {.token_hash = token_hash,
          .interface = interface_,
          .modes = static_cast<ModeSet>(running_modes() | bit(dialect_->after_error)),
          .states = y_.size(),
          .may_have_more = !model_->is_explicit(),
          .variables = model_->variables().size()};
}

void Instance::resize() {}
void Instance::add_sizes(std::vector<std::byte>&) const {}
std::span<const std::byte> Instance::take_sizes(const Snapshot& snapshot) { return snapshot.model; }

}  // namespace saltus::fmu_export
