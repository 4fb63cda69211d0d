// SPDX-License-Identifier: BSD-2-Clause
#include "switching_equations.hpp"

#include <utility>

#include "saltus/control/prepared_model.hpp"

namespace saltus::fmu_export {

std::unique_ptr<modeling::DescribedModel> switching_equations(
    std::unique_ptr<modeling::DescribedModel> model, const SlidingOptions& options) {
  return modeling::with_sliding(std::move(model), options);
}

}  // namespace saltus::fmu_export
