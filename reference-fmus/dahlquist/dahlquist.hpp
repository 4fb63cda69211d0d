// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::reference {

using namespace saltus::modeling;

/// Exponential decay, the simplest test of accuracy.
template <class Real>
struct Dahlquist {
  static constexpr ModelInfo info{
      .description = "Exponential decay", .stop = 10.0, .step_size = 0.1};

  State<Real> x{"x", {.start = 1.0, .description = "what decays"}};
  Parameter<Real> k{"k", {.unit = "1/s", .start = 1.0, .description = "rate of decay"}};

  void equations(Equations<Real>&) { der(x) = -k * x; }
};

}  // namespace saltus::reference
