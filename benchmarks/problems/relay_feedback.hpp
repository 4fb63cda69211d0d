// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "problems/problem.hpp"
#include "relay_feedback/relay_feedback.hpp"

namespace saltus::problems {

/// Problem 3 of DISODE45: 28 sliding stretches, the first from the start on, with 27 arcs between
/// them. Computed with matrix exponentials in 45 digits, and by a Taylor series method in quadruple
/// precision, which agrees to all digits shown.
inline Problem relay_feedback() {
  return {.name = "DISODE45 3, relay",
          .stop = 12.566370614359172954,
          .events = {{leave, 0.8593591114457138086}, {enter, 1.0913496633578377339},
                     {leave, 1.1143775653256175228}, {enter, 1.3390366577350218837},
                     {leave, 1.3748005324595703985}, {enter, 1.5875220436174749357},
                     {leave, 1.6655695848845348659}, {enter, 1.8413299201474029805},
                     {leave, 3.0829583997017718304}, {enter, 3.3325242970249222322},
                     {leave, 3.3347431815978975756}, {enter, 3.5773772704778292883},
                     {leave, 3.5869288565152903744}, {enter, 3.8245125769319428367},
                     {leave, 3.8399869687000354569}, {enter, 4.0719871444531894616},
                     {leave, 4.0950008199630150210}, {enter, 4.3196736337993063752},
                     {leave, 4.3554090711671644189}, {enter, 4.5681564350079205466},
                     {leave, 4.6460292722984517802}, {enter, 4.8219473324732536133},
                     {leave, 6.0638891209211721038}, {enter, 6.3134540421076818474},
                     {leave, 6.3156739182483634387}, {enter, 6.5583076649937230971},
                     {leave, 6.5678596317978635749}, {enter, 6.8054430125040654999},
                     {leave, 6.8209178264618551399}, {enter, 7.0529175925249354615},
                     {leave, 7.0759318735575432081}, {enter, 7.3006041033523111137},
                     {leave, 7.3363407506769178304}, {enter, 7.5490870144645930937},
                     {leave, 7.6269672683662691517}, {enter, 7.8028786356702080206},
                     {leave, 9.0448070718414955937}, {enter, 9.2943720344885619527},
                     {leave, 9.2965918685130978269}, {enter, 9.5392256297931787515},
                     {leave, 9.5487775804213629851}, {enter, 9.7863609755594278185},
                     {leave, 9.8018357715813267618}, {enter, 10.033835555049290015},
                     {leave, 10.056849810357259735}, {enter, 10.281522064964043651},
                     {leave, 10.317258660884859842}, {enter, 10.530004971407053796},
                     {leave, 10.607884910191364230}, {enter, 10.783796561867634664},
                     {leave, 12.025725565257935441}, {enter, 12.275290526143461217},
                     {leave, 12.277510361957391479}, {enter, 12.520144122619938775},
                     {leave, 12.529696073935387355}},
          .last = {0.0014140416428761753128, 1.0747350976356428027, 0.31912238869515337202},
          .begins_sliding = true};
}

/// The authors' own table, with atol = rtol = tolerance; above 1e-7 with their finest search for
/// events, because with the default they missed some.
inline std::vector<Published> relay_feedback_published() {
  return {
      {1e-3, 3826, 32804, 166, 56, 8.1e-3, 9.1e-3},  {1e-4, 4420, 38427, 250, 60, 1.4e-3, 2.8e-3},
      {1e-5, 4964, 39406, 333, 69, 3.2e-4, 6.3e-4},  {1e-6, 5075, 39034, 393, 73, 4.3e-5, 5.6e-5},
      {1e-7, 6694, 37295, 581, 92, 4.1e-6, 3.4e-6},  {1e-8, 8798, 43928, 862, 95, 4.8e-7, 1.8e-7},
      {1e-9, 11092, 44691, 1283, 80, 4.9e-8, 6.7e-9}};
}

/// The relay of Piiroinen and Kuznetsov (ACM TOMS 34 (2008), article 13, equation 32) from
/// x = (0, -0.001, -0.02). Computed with matrix exponentials in 45 digits.
inline std::unique_ptr<modeling::DescribedModel> make_small_start_relay() {
  auto model = std::make_unique<modeling::NativeModel<reference::RelayFeedback>>("RelayFeedback");
  set(*model, "y2", -0.001);
  set(*model, "y3", -0.02);
  return model;
}
inline Problem small_start_relay() {
  return {.name = "relay from near zero",
          .stop = 10.0,
          .events = {{leave, 2.8124033760233011852}, {enter, 3.0416216394218904352},
                     {leave, 3.0689768333298093344}, {enter, 3.2894991641419615020},
                     {leave, 3.3350693617721689663}, {enter, 3.5390565228878159911},
                     {leave, 4.9321478559227211352}, {enter, 5.1817090420026521947},
                     {leave, 5.1839327123719109930}, {enter, 5.4265651486724520222},
                     {leave, 5.4361185739119081129}, {enter, 5.6737006534016347087},
                     {leave, 5.6891770845362574896}, {enter, 5.9211752812953729777},
                     {leave, 5.9441918818465730624}, {enter, 6.1688618744208485823},
                     {leave, 6.2046031569625715191}, {enter, 6.4173452066196224278},
                     {leave, 6.4952538864941134672}, {enter, 6.6711395993307186256},
                     {leave, 7.9130169020657800207}, {enter, 8.1625820236033361328},
                     {leave, 8.1648016962250871858}, {enter, 8.4074355132046576300},
                     {leave, 8.4169874018439038331}, {enter, 8.6545708522871855803},
                     {leave, 8.6700455795759323675}, {enter, 8.9020454297421311392},
                     {leave, 8.9250595864694134876}, {enter, 9.1497319361596012197},
                     {leave, 9.1854683350939835249}, {enter, 9.3982148247094190903},
                     {leave, 9.4760935559451655313}, {enter, 9.6520062973488535355}},
          .last = {0.0, -0.8973301894997486254058, 2.358698811195020256867},
          .begins_sliding = true};
}

}  // namespace saltus::problems
