// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "dae_rows.hpp"

namespace saltus::fmu_export {

/// Which equations become free of derivatives when multiples of others are added, whatever the
/// parameters are: the rows of the constant matrix of their factors that depend on others. Empty
/// where there are none. Throws `std::runtime_error` where the factors of derivatives are no
/// constants, or where parameters decide about it.
std::vector<DaeForm::Combination> find_combinations(modeling::DescribedModel& model, double t,
                                                    ConstVec y, ConstVec yp);

}  // namespace saltus::fmu_export
