// SPDX-License-Identifier: BSD-2-Clause
// Directional and adjoint derivatives (FMI 3.0, 2.2.11), for models that know their partial ones.

#include "plain_fmu.h"

typedef struct {
  const fmi3ValueReference* unknowns;
  const fmi3ValueReference* knowns;
  size_t unknown_count, known_count;
} Block;

// The product of the partial derivatives, or of their transpose, with `seed`.
static fmi3Status multiply(Instance* self, const char* function, Block block,
                           const fmi3Float64 seed[], size_t seeds, fmi3Float64 product[],
                           size_t products) {
  if (!is_allowed(self, function, mode_initialization | mode_event | mode_continuous_time)) {
    return fmi3Error;
  }
  const size_t columns = self->is_adjoint ? block.unknown_count : block.known_count;
  const size_t rows = self->is_adjoint ? block.known_count : block.unknown_count;
  if (the_model.partial == NULL || columns != seeds || rows != products) {
    report(self, fmi3Error, "%s: not offered, or vectors of different lengths", function);
    return finish(self, function, fmi3Error);
  }
  const fmi3Status status = the_model.calculate(self);
  for (size_t i = 0; status == fmi3OK && i < rows; ++i) {
    product[i] = 0.0;
    for (size_t j = 0; j < columns; ++j) {
      const size_t unknown = self->is_adjoint ? j : i, known = self->is_adjoint ? i : j;
      product[i] += the_model.partial(self, block.unknowns[unknown], block.knowns[known]) * seed[j];
    }
  }
  return finish(self, function, status);
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        size_t nUnknowns, const fmi3ValueReference knowns[],
                                        size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                        fmi3Float64 sensitivity[], size_t nSensitivity) {
  const Block block = {unknowns, knowns, nUnknowns, nKnowns};
  return multiply(instance, __func__, block, seed, nSeed, sensitivity, nSensitivity);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                    size_t nUnknowns, const fmi3ValueReference knowns[],
                                    size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                    fmi3Float64 sensitivity[], size_t nSensitivity) {
  Instance* self = instance;
  const Block block = {unknowns, knowns, nUnknowns, nKnowns};
  if (self == NULL) return fmi3Error;
  self->is_adjoint = true;
  const fmi3Status status = multiply(self, __func__, block, seed, nSeed, sensitivity, nSensitivity);
  self->is_adjoint = false;
  return status;
}
