// SPDX-License-Identifier: BSD-2-Clause
#include <utility>

#include "saltus/control/prepared_model.hpp"
#include "saltus/control/sliding_described_model.hpp"

// A file of its own: the linker takes it, and all that stands behind it, where somebody asks for
// it.
namespace saltus::modeling {

std::unique_ptr<DescribedModel> with_sliding(std::unique_ptr<DescribedModel> model,
                                             const SlidingOptions& options) {
  return std::make_unique<SlidingDescribedModel>(std::move(model), options);
}

}  // namespace saltus::modeling
