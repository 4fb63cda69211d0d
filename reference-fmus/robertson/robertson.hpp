// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "robertson_equations.hpp"

namespace saltus::reference {

/// The reactions of the benchmarks, to the time that Robertson gave.
template <class Real>
struct Robertson : problems::Robertson<Real> {
  static constexpr modeling::ModelInfo info{
      .description = "Robertson's reactions with conservation of mass",
      .stop = 40.0,
      .step_size = 0.1};
};

}  // namespace saltus::reference
