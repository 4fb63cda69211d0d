// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "values.hpp"

namespace saltus::fmu_export {

/// The derivatives of outputs with respect to time, which a co-simulation gives so that whoever is
/// connected can extrapolate (FMI 3.0, 4.1.2; FMI 2.0, 4.2.1): directional derivatives along the
/// solution, in which time moves at 1 and each state at its own speed. Inputs stand still: what
/// they do next only the importer knows.

/// Throws `CallError` where it is no continuous real output, or not the first derivative.
void check_output_derivative(const Values& values, Reference output, std::int32_t order);

/// What moves, and how fast, where `model` was evaluated last.
struct OutputMotion {
  std::vector<Reference> knowns;
  std::vector<double> seed;
};
OutputMotion output_motion(const modeling::DescribedModel& model);

}  // namespace saltus::fmu_export
