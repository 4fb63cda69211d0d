// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include "saltus/modeling/native_model.hpp"

namespace saltus::truth {

using namespace saltus::modeling;

/// Tends to a level. A hit mixes it with another number and changes the level. A clock of its own
/// hits it once, if that is set.
template <class Real>
struct MixedCell {
  Input<Real> other{"other"}, mix{"mix"};
  State<Real> x{"x", {.start = 1.0}};
  Parameter<Real> r{"r", {.start = 0.5}}, b{"b", {.start = 1.0}};
  Parameter<Real> lead{"lead", {.start = 1.0}}, u{"u", {.start = 0.0}}, w{"w", {.start = 1e9}};
  Discrete<Real> level{"level", {.start = 1.0}};

  void equations(Equations<Real>&) { der(x) = level - b * x; }
  void events(Events<Real>& ev) {
    if (ev.at(u * lead + w)) hit();
  }
  void hit() {
    level = level + 0.5 * x;
    x = r * x + mix * other;
  }
};

/// Four cells, hit by a periodic clock, by one of a single instant, by the own one of a cell, and
/// by a condition on z, which is linear in time or not. Their instants are u p + v q + w, with the
/// `lead` of the third cell for p.
template <class Real>
struct MeetingClocks {
  Parameter<Real> q{"q", {.start = 1.0}}, m{"m", {.start = 0.3}};
  Parameter<Real> u0{"u0", {.start = 0.0}}, v0{"v0", {.start = 0.0}}, w0{"w0", {.start = 1.0}},
      periods{"periods", {.start = 1.0}};
  Parameter<Real> u1{"u1", {.start = 0.0}}, v1{"v1", {.start = 0.0}}, w1{"w1", {.start = 1.0}};
  Parameter<Real> u3{"u3", {.start = 0.0}}, v3{"v3", {.start = 0.0}}, w3{"w3", {.start = 1.0}};
  Parameter<Real> u4{"u4", {.start = 0.0}}, v4{"v4", {.start = 0.0}}, w4{"w4", {.start = 1.0}};
  Parameter<Real> g{"g", {.start = 1.0}}, growth{"growth", {.start = 0.0}},
      tie{"tie", {.start = 1.0}};
  State<Real> z{"z", {.start = 1.0}};
  Submodels<MixedCell<Real>> cells{"cells", 5};

  void equations(Equations<Real>& eq) {
    for (std::size_t i = 0; i < 5; ++i) {
      cells[i].other = i < 3 ? cells[(i + 1) % 3].x : i < 4 ? tie * cells[0].x : Real(0.0);
      cells[i].mix = m;
    }
    cells.equations(eq);
    der(z) = g * (1.0 - growth + growth * z);
  }
  void events(Events<Real>& ev) {
    const Real& p = cells[2].lead;
    if (ev.every((u0 * p + v0 * q + w0) / periods)) cells[0].hit();
    if (ev.at(u1 * p + v1 * q + w1)) cells[1].hit();
    cells.events(ev);
    const Real instant = u3 * p + v3 * q + w3;
    if (ev.when(z > (1.0 - growth) * (1.0 + g * instant) + growth * exp(g * instant))) {
      cells[3].hit();
    }
    if (ev.when(ev.time >= u4 * p + v4 * q + w4)) cells[4].hit();
  }
};

}  // namespace saltus::truth
