// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "linear/fast_complex.hpp"

namespace saltus {

/// What solving for the stages of variations needs, of two parameters side by side: the equations
/// of both have the same matrices, each entry of which is read once for both. The second of an odd
/// number of parameters is none, and all its numbers are zero.
struct PartVectors {
  Pair *y0, *z1, *z2, *z3;  // the beginning of the step, the stages without it
  Pair *w1, *w2, *w3;       // the same, transformed
  Pair *r1, *r2, *r3;       // residuals of the stages
  Pair *s1, *s2, *s3;       // where residuals are asked: values
  Pair *v1, *v2, *v3;       // and slopes
  Pair *inside, *outside;   // what changes are measured by, in the error test and outside of it
  std::vector<ComplexPair> complex;

  void resize(std::size_t unknowns) {
    if (complex.size() == unknowns && !numbers_.empty()) return;
    complex.resize(unknowns);
    numbers_.resize(18 * unknowns);
    Pair* next = numbers_.data();
    for (Pair** v : {&y0, &z1, &z2, &z3, &w1, &w2, &w3, &r1, &r2, &r3, &s1, &s2, &s3, &v1, &v2, &v3,
                     &inside, &outside}) {
      *v = next;
      next += unknowns;
    }
  }

 private:
  std::vector<Pair> numbers_;
};

}  // namespace saltus
