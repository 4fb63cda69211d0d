// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/integrator.hpp"

namespace saltus {

double Integrator::time_at(double fraction) const {
  return fraction == 1.0 ? end() : begin() + fraction * length();
}

}  // namespace saltus
