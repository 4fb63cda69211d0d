// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "pounding/pounding.hpp"
#include "problems/problem.hpp"

namespace saltus::problems {

/// Problem 2 of DISODE45: six contacts, each with a beginning, a deepest point and an end. Computed
/// in quadruple precision by an event-driven Taylor series method, with the depth replaced by a
/// fourth power on entry and a square on exit.
inline Problem pounding() {
  return {.name = "DISODE45 2, pounding",
          .stop = 3.0,
          .events = {{cross, 0.4006647561337034799},
                     {cross, 0.4070937935388119361},
                     {cross, 0.4172457287422297142},
                     {cross, 0.8384843675547181086},
                     {cross, 0.8446385587056022718},
                     {cross, 0.8543899214113198104},
                     {cross, 1.2818765717948855085},
                     {cross, 1.2880468407964794465},
                     {cross, 1.2978366666970029864},
                     {cross, 1.7307494406860061491},
                     {cross, 1.7369384114013884090},
                     {cross, 1.7467581801639853686},
                     {cross, 2.1799041341631572565},
                     {cross, 2.1860935522602174250},
                     {cross, 2.1959132038853792020},
                     {cross, 2.6287209257815976613},
                     {cross, 2.6349091857247678819},
                     {cross, 2.6447269314784875385}},
          .last = {-0.0092625198214956399882, 0.14009843612182288617}};
}

/// The authors' own table, with atol = rtol = tolerance.
inline std::vector<Published> pounding_published() {
  return {{1e-3, 1065, 1148, 113, 7, 2.2e-4, 3.0e-4},  {1e-4, 1118, 1092, 118, 13, 1.1e-4, 1.8e-4},
          {1e-5, 1243, 1006, 135, 19, 2.4e-5, 2.7e-5}, {1e-6, 1666, 1241, 184, 44, 8.9e-6, 1.0e-5},
          {1e-7, 2280, 1519, 260, 71, 9.2e-7, 1.1e-6}, {1e-8, 3268, 1868, 400, 89, 8.6e-8, 6.6e-8},
          {1e-9, 4657, 2336, 613, 106, 8.0e-9, 8.6e-9}};
}

}  // namespace saltus::problems
