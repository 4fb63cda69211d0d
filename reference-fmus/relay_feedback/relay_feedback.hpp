// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::reference {

using namespace saltus::modeling;

/// A linear system of order three under a relay that always pushes against its output. The output
/// slides along zero for a while and breaks out in bursts of short arcs, some of them tiny.
template <class Real>
struct RelayFeedback {
  static constexpr ModelInfo info{.description = "A linear system under relay feedback",
                                  .stop = 12.566370614359172,
                                  .tolerance = 1e-8,
                                  .step_size = 0.01};

  State<Real> y1{"y1", {.description = "the output that the relay sees"}};
  State<Real> y2{"y2", {.start = 0.2}};
  State<Real> y3{"y3", {.start = 0.06}};
  Parameter<Real> omega{"omega", {.unit = "rad/s", .start = 25.0}};
  Parameter<Real> zeta{"zeta", {.start = 0.05, .description = "damping"}};

  void equations(Equations<Real>&) {
    const Real relay = y1 > 0.0 ? Real(1.0) : Real(-1.0);
    const Real damping = 2.0 * zeta * omega;
    const Real stiffness = omega * omega;
    der(y1) = -(damping + 1.0) * y1 + y2 - relay;
    der(y2) = -(damping + stiffness) * y1 + y3 + 2.0 * relay;
    der(y3) = -stiffness * y1 - relay;
  }
};

}  // namespace saltus::reference
