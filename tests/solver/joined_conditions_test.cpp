// SPDX-License-Identifier: BSD-2-Clause
// Conditions that join the comparison of a surface slid on with another one, which begins or ceases
// to let it count.
#include <catch2/catch.hpp>
#include <memory>

#include "saltus/control/mode_controller.hpp"
#include "saltus/control/sliding_described_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus {
namespace {

using namespace modeling;

enum class Law { plain_or, plain_and, behind_other, behind_surface };

// The motion slides on a = 0 from t = 1/7 on, 0.65 of it on the positive side. c counts down to 0.5
// at t = 0.5, or up to it.
template <class Real, Law law, bool falls>
struct Joined {
  State<Real> a{"a", {.start = 0.1}}, b{"b"}, c{"c", {.start = falls ? 1.0 : 0.0}};

  void equations(Equations<Real>&) {
    der(a) = (a > 0.0 ? Real(-1.0) : Real(1.0)) + 0.3;
    der(c) = falls ? -1.0 : 1.0;
    const Real up = 1.0, down = -1.0;
    if constexpr (law == Law::plain_or) {
      der(b) = a > 0.0 || c > 0.5 ? up : down;
    } else if constexpr (law == Law::plain_and) {
      der(b) = a > 0.0 && c < 0.5 ? up : down;
    } else if constexpr (law == Law::behind_other) {
      if (b > -5.0) {
        der(b) = a > 0.0 || c > 0.5 ? up : down;
      } else {
        der(b) = 0.0;
      }
    } else {
      if (a > 0.0) {
        der(b) = up;
      } else {
        der(b) = a > 0.0 || c > 0.5 ? up : down;
      }
    }
  }
};
template <class Real>
using FallingOr = Joined<Real, Law::plain_or, true>;
template <class Real>
using FallingAnd = Joined<Real, Law::plain_and, true>;
template <class Real>
using FallingBehindOther = Joined<Real, Law::behind_other, true>;
template <class Real>
using FallingBehindSurface = Joined<Real, Law::behind_surface, true>;
template <class Real>
using RisingOr = Joined<Real, Law::plain_or, false>;
template <class Real>
using RisingAnd = Joined<Real, Law::plain_and, false>;

template <template <class> class M>
double end_of_b(bool projecting, double tolerance) {
  SlidingDescribedModel model{std::make_unique<NativeModel<M>>("M"),
                              {.projecting_driver = projecting}};
  DormandPrince integrator{model, {.relative_tolerance = tolerance}};
  IntegratedModel system{model, integrator};
  ModeController{system}.run({.stop = 1.0, .tolerance = tolerance});
  CHECK(std::abs(system.unknowns()[0]) < 1e-6);
  return system.unknowns()[1];
}

}  // namespace

TEST_CASE("a joined condition changes with its other comparison on a surface slid on",
          "[SlidingModel]") {
  constexpr double kOnSurface = 2.0 * 0.65 - 1.0;  // the slope of b where a alone decides
  const bool projecting = GENERATE(true, false);
  const double tolerance = GENERATE(1e-4, 1e-6, 1e-8, 1e-10);
  CAPTURE(projecting, tolerance);
  const auto is = [&](double value) { return Approx(value).epsilon(0.0).margin(10.0 * tolerance); };
  CHECK(end_of_b<FallingOr>(projecting, tolerance) == is(0.5 + 0.5 * kOnSurface));
  CHECK(end_of_b<FallingBehindOther>(projecting, tolerance) == is(0.5 + 0.5 * kOnSurface));
  CHECK(end_of_b<FallingBehindSurface>(projecting, tolerance) == is(0.5 + 0.5 * kOnSurface));
  CHECK(end_of_b<FallingAnd>(projecting, tolerance) == is(-0.5 + 0.5 * kOnSurface));
  const double before = 1.0 / 7.0;  // the surface is reached
  const double sliding = (0.5 - before) * kOnSurface;
  CHECK(end_of_b<RisingOr>(projecting, tolerance) == is(before + sliding + 0.5));
  CHECK(end_of_b<RisingAnd>(projecting, tolerance) == is(before + sliding - 0.5));
}

}  // namespace saltus
