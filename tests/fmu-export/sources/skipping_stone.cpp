// SPDX-License-Identifier: BSD-2-Clause
// A model in several files, with a definition from the build: what an FMU with sources has to take
// along.
#include <cmath>

#include "saltus/fmu_export/export_fmu.hpp"
#include "stone/water.hpp"

using namespace saltus::modeling;

namespace {
constexpr double kEpsilon = 0.6;  // a name that Saltus has as well
}

template <class Real>
struct SkippingStone {
  static constexpr ModelInfo info{.description = "A stone that jumps over water", .stop = 1.0};
  State<Real> height{"height", {.unit = "m", .start = 0.5}};
  State<Real> speed{"speed", {.unit = "m/s"}};
  Parameter<Real> g{"g", {.unit = "m/s2", .start = STONE_GRAVITY}};
  Output<Real> energy{"energy", {.unit = "J/kg"}};
  Discrete<int> jumps{"jumps"};

  void equations(Equations<Real>&) {
    der(height) = speed;
    der(speed) = -g - drag_of_water() * sin(speed) * speed;
    energy = g * height + speed * speed / 2.0;
  }
  void events(Events<Real>& ev) {
    if (ev.when(height <= 0.0 && speed < 0.0)) {
      speed = -kEpsilon * speed;
      jumps = jumps + 1;
    }
  }
};
SALTUS_EXPORT_FMU(SkippingStone)
