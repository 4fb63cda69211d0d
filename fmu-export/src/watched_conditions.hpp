// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>

#include "saltus/core/described_model.hpp"

namespace saltus::fmu_export {

/// The event indicators of an FMU: those of the model, and behind them the comparisons that its
/// conditions of several are made of. `x > 1 && x < 1.001` holds for a moment only, so that most
/// importers, which compare signs at the ends of their steps, would step over it; the comparison
/// `x > 1` they see. An event where only a comparison has changed changes nothing.
inline std::size_t number_of_indicators(const modeling::DescribedModel& model) {
  return model.shape().indicators + model.part_names().size();
}

/// As they were written.
std::string indicator_text(const modeling::DescribedModel& model, std::size_t i);

/// `z` has one place for each of them.
Eval watch_conditions(modeling::DescribedModel& model, double t, ConstVec y, Vec z);

}  // namespace saltus::fmu_export
