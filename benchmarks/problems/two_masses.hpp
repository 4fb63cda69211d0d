// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "problems/problem.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::problems {

using namespace saltus::modeling;

/// Problem 4 of DISODE45: two masses, a spring between them, on a floor that is rougher on one side
/// of zero than on the other. They start where two surfaces meet, pulled apart by the spring; the
/// first mass comes to rest, then the second.
template <class Real>
struct TwoMasses {
  static constexpr ModelInfo info{.description = "Two masses on a rough floor",
                                  .stop = 12.0,
                                  .tolerance = 1e-8,
                                  .step_size = 0.02};

  State<Real> y1{"y1", {.start = -2.0}};
  State<Real> y2{"y2", {.start = 3.0}};
  State<Real> v1{"v1"};
  State<Real> v2{"v2"};

  void equations(Equations<Real>&) {
    const Real spring = y2 - y1;
    const Real friction1 = y1 > 0.0 ? Real(1.0) : Real(0.6);
    const Real friction2 = y2 > 0.0 ? Real(0.2) : Real(0.5);
    der(y1) = v1;
    der(y2) = v2;
    der(v1) = spring - (v1 > 0.0 ? friction1 : -friction1);
    der(v2) = -spring - (v2 > 0.0 ? friction2 : -friction2);
  }
};

/// Computed in quadruple precision by an event-driven Taylor series method; the closed
/// trigonometric solution from event to event agrees to all digits shown. The paper prints [0, 6]
/// as interval, but the events it describes end after 10.8.
inline Problem two_masses() {
  constexpr double y1 = -0.46820604389228272091;
  constexpr double y2 = -0.05953691159357568710;
  return {.name = "DISODE45 4, two masses",
          .stop = 12.0,
          .events = {{cross, 1.0524788191283198367},
                     {cross, 1.2772926673602023521},
                     {cross, 2.0611025602515253799},
                     {cross, 2.2878341586013608709},
                     {cross, 3.3379209230495308796},
                     {cross, 3.6011613673774517365},
                     {cross, 4.4440805314364488528},
                     {cross, 4.5256054169287575078},
                     {cross, 5.5529684146084577291},
                     {cross, 5.9432514319285349079},
                     {cross, 6.4970702864156852008},
                     {cross, 6.7546329210831957834},
                     {cross, 7.6335807418312726633},
                     {enter, 8.8259234327080750362},
                     {cross, 9.0973585189796501945},
                     {cross, 9.2954950839106610727},
                     {cross, 9.6044951965260907380},
                     {enter, 10.819728308717975957}},
          .last = {y1, y2, 0.0, 0.0}};
}

/// The authors' own table, with atol = rtol = tolerance. At 1e-3 their second mass came to rest at
/// 9.228 already, and the last events were not found.
inline std::vector<Published> two_masses_published() {
  return {
      {1e-3, 824, 4922, 58, 0, 3.3e-3, 3.5e-4, 9.228}, {1e-4, 791, 4483, 60, 0, 2.3e-3, 2.1e-4},
      {1e-5, 874, 5082, 70, 0, 5.5e-4, 5.4e-5},        {1e-6, 1190, 7910, 94, 9, 9.1e-5, 8.9e-6},
      {1e-7, 1577, 10750, 130, 24, 1.2e-5, 1.2e-6},    {1e-8, 2098, 14019, 185, 30, 1.4e-6, 1.4e-7},
      {1e-9, 2729, 16722, 270, 36, 1.5e-7, 1.5e-8}};
}

}  // namespace saltus::problems
