// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::reference {

using namespace saltus::modeling;

/// A boost converter with an ideal switch and an ideal diode: four configurations, of which two
/// tie a differentiated unknown down and so are entered with an impulse.
template <class Real>
struct BoostConverter {
  static constexpr ModelInfo info{.description = "Boost converter with ideal switch and diode",
                                  .stop = 1.0,
                                  .tolerance = 1e-8,
                                  .step_size = 0.002};
  enum Mode { open_conducting = 1, closed_blocking, open_blocking, closed_conducting };

  State<Real> v_C{"v_C", {.unit = "V", .start = 10.0, .description = "voltage of the capacitor"}};
  State<Real> i_L{"i_L", {.unit = "A", .start = 10.0, .description = "current of the inductor"}};
  Algebraic<Real> v_S{"v_S", {.unit = "V", .start = 10.0, .description = "across the switch"}};
  Algebraic<Real> v_D{"v_D", {.unit = "V", .start = 10.0, .description = "across the diode"}};
  Algebraic<Real> i_R{"i_R", {.unit = "A", .start = 10.0, .description = "through the load"}};
  Algebraic<Real> i_S{"i_S", {.unit = "A", .start = 10.0, .description = "through the switch"}};
  Algebraic<Real> i_D{"i_D", {.unit = "A", .start = 10.0, .description = "through the diode"}};
  Parameter<Real> V_i{"V_i", {.unit = "V", .start = 48.0, .description = "of the source"}};
  Parameter<Real> R{"R", {.unit = "Ohm", .start = 2.0}};
  Parameter<Real> C{"C", {.unit = "F", .start = 0.01}};
  Parameter<Real> L{"L", {.unit = "H", .start = 1.0}};
  Parameter<Real> open_time{"open_time", {.unit = "s", .start = 0.10}};
  Parameter<Real> closed_time{"closed_time", {.unit = "s", .start = 0.06}};
  Parameter<Real> eta{"eta", {.start = 1e-9, .description = "threshold of the diode"}};
  Discrete<bool> closed{"closed", {.description = "whether the switch is"}};
  Discrete<Real> next_edge{"next_edge", {.unit = "s", .start = 0.10}};
  Discrete<int> mode{"mode", {.start = open_conducting}};

  void equations(Equations<Real>& eq) {
    eq(C * der(v_C), i_D - i_R);
    eq(L * der(i_L), v_S - V_i);
    eq(v_D + v_C + v_S, 0.0);
    eq(R * i_R, v_C);
    eq(i_S + i_L, i_D);
    const bool is_closed = mode == closed_blocking || mode == closed_conducting;
    const bool conducts = mode == open_conducting || mode == closed_conducting;
    eq(is_closed ? v_S : i_S, 0.0);
    eq(conducts ? v_D : i_D, 0.0);
  }

  void events(Events<Real>& ev) {
    if (ev.at(next_edge)) {
      closed = !closed;
      next_edge = next_edge + (closed ? closed_time : open_time);
    }
    Transitions<Real> leave{ev, mode};
    leave(open_conducting, open_blocking, i_D < -eta);
    leave(open_conducting, closed_conducting, bool(closed));
    leave(closed_blocking, closed_conducting, v_D > eta);
    leave(closed_blocking, open_blocking, !closed);
    leave(open_blocking, open_conducting, v_D > eta);
    leave(open_blocking, closed_blocking, bool(closed));
    leave(closed_conducting, closed_blocking, i_D < -eta);
    leave(closed_conducting, open_conducting, !closed);
  }
};

}  // namespace saltus::reference
