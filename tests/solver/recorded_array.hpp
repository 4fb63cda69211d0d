// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "saltus/autodiff/recorded.hpp"
#include "saltus/autodiff/tape_array.hpp"

namespace saltus::test {

/// The derivative array of equations written down as a function that is called once:
/// `equations(t, x, xp, xpp)` returns the residuals. Only what it uses counts.
template <class Equations>
modeling::TapeArray recorded_array(int unknowns, Equations equations,
                                   std::vector<std::string> names = {}) {
  using modeling::Recorded;
  modeling::Tape tape;
  {
    modeling::Recording recording(tape);
    std::vector<Recorded> x;
    std::vector<Recorded> xp;
    std::vector<Recorded> xpp;
    for (int j = 0; j < unknowns; ++j) {
      x.push_back(recording.unknown(j, 0, 0.5));
      xp.push_back(recording.unknown(j, 1, 0.5));
      xpp.push_back(recording.unknown(j, 2, 0.5));
    }
    for (const Recorded& residual : equations(recording.time(0.0), x, xp, xpp)) {
      recording.add_row(residual);
    }
  }
  return {std::move(tape), static_cast<std::size_t>(unknowns), std::move(names)};
}

}  // namespace saltus::test
