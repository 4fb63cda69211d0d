// SPDX-License-Identifier: BSD-2-Clause
// Directional derivatives (FMI 3.0, 2.2.11), for models that know their partial ones.

#include "plain_fmu.h"

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        size_t nUnknowns, const fmi3ValueReference knowns[],
                                        size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                        fmi3Float64 sensitivity[], size_t nSensitivity) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_initialization | mode_event | mode_continuous_time)) {
    return fmi3Error;
  }
  if (the_model.partial == NULL || nKnowns != nSeed || nUnknowns != nSensitivity) {
    report(self, fmi3Error, "%s: not offered, or vectors of different lengths", __func__);
    return finish(self, __func__, fmi3Error);
  }
  const fmi3Status status = the_model.calculate(self);
  for (size_t i = 0; status == fmi3OK && i < nUnknowns; ++i) {
    sensitivity[i] = 0.0;
    for (size_t j = 0; j < nKnowns; ++j) {
      sensitivity[i] += the_model.partial(self, unknowns[i], knowns[j]) * seed[j];
    }
  }
  return finish(self, __func__, status);
}
