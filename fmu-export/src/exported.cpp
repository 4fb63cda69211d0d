// SPDX-License-Identifier: BSD-2-Clause
#include "exported.hpp"

#include <utility>

#include "saltus/modeling/sliding_described_model.hpp"

namespace saltus::fmu_export {

ExportedModel exported_model(Interface interface) {
  ExportedModel exported;
  saltus_exported_model(exported);
  exported.model = std::make_unique<modeling::SlidingDescribedModel>(
      std::move(exported.model),
      SlidingOptions{.projecting_driver = interface == Interface::co_simulation});
  return exported;
}

}  // namespace saltus::fmu_export
