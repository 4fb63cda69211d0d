// SPDX-License-Identifier: BSD-2-Clause
// When comparisons of time alone change next, along curves.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "saltus/autodiff/tangent.hpp"
#include "saltus/autodiff/time_comparisons.hpp"
#include "saltus/core/types.hpp"

namespace saltus::modeling::test {
namespace {

using Curve = std::function<Tangent(Tangent)>;

/// The next change of  curve(t) > 0  after `now`.
double next_change(double now, const Curve& curve) {
  return next_time_comparison(now, [&](double t, bool of_time, std::vector<Comparison>& met) {
    met.clear();
    const Tangent margin = curve(Tangent(t, of_time ? 1.0 : 0.0));
    met.push_back({margin.value(), margin.rate(), false});
  });
}

bool is_positive(const Curve& curve, double t) { return curve(Tangent(t)).value() > 0.0; }

}  // namespace

TEST_CASE("a change of a curve is announced to the last bit", "[time_curves]") {
  struct Case {
    const char* name;
    Curve curve;
    double now, expected;
  };
  const double pi = M_PI;
  const std::vector<Case> cases{
      {"a sine", [](Tangent t) { return sin(50.0 * t); }, 0.01, pi / 50.0},
      {"a sine that begins at zero", [](Tangent t) { return -sin(50.0 * t); }, 0.0, pi / 50.0},
      {"a cosine that begins level", [](Tangent t) { return cos(1e6 * t); }, 0.0, 0.5e-6 * pi},
      {"whole periods in a unit of time", [=](Tangent t) { return sin(2.0 * pi * 50.0 * t) + 0.5; },
       0.0, 7.0 / 600.0},
      {"a slow sine", [](Tangent t) { return sin(1e-7 * t + 0.1); }, 0.0, 1e7 * (pi - 0.1)},
      {"a crest just above", [](Tangent t) { return sin(t) - 0.999999; }, 0.0, std::asin(0.999999)},
      {"a pair of roots", [](Tangent t) { return -(t - 3.0) * (t - 3.001); }, 0.0, 3.0},
      {"a beat", [](Tangent t) { return sin(40.0 * t) + sin(41.0 * t) - 1.9; }, 1.0, -1.0},
      {"a decay", [](Tangent t) { return exp(-t) - 1e-9; }, 0.0, 9.0 * std::log(10.0)},
      {"far from zero", [](Tangent t) { return 1e3 - t * t * t; }, 0.0, 10.0},
      {"late", [](Tangent t) { return sin(50.0 * t); }, 1e5, -1.0},
      {"before time zero", [](Tangent t) { return -t * t + 4.0 * t; }, -3.0, 0.0}};
  for (const Case& each : cases) {
    INFO(each.name);
    double change = each.now;
    for (int looks = 0;
         looks < 10 && is_positive(each.curve, change) == is_positive(each.curve, each.now);
         ++looks) {
      change = next_change(change, each.curve);
    }
    REQUIRE(change < kNever);
    CHECK(change > each.now);
    CHECK(is_positive(each.curve, change) != is_positive(each.curve, each.now));
    CHECK(is_positive(each.curve, std::nextafter(change, -kNever)) ==
          is_positive(each.curve, each.now));
    if (each.expected != -1.0) CHECK(change == Approx(each.expected).epsilon(1e-9).margin(1e-12));
    // Nothing has changed before.
    const int looks = 20000;
    int other = 0;
    for (int k = 1; k < looks; ++k) {
      const double t = each.now + (change - each.now) * k / looks;
      other += is_positive(each.curve, t) != is_positive(each.curve, each.now) ? 1 : 0;
    }
    CHECK(other == 0);
  }
}

TEST_CASE("a curve that does not change is looked at again later", "[time_curves]") {
  const Curve high = [](Tangent t) { return sin(50.0 * t) + 1.5; };
  const double later = next_change(0.0, high);
  CHECK(later > 0.5);  // some periods on
  CHECK(later < kNever);
  CHECK(next_change(later, high) > later + 0.5);
}

TEST_CASE("curves without changes, with jumps, and with ends", "[time_curves]") {
  CHECK(next_change(0.0, [](Tangent) { return Tangent(1.0); }) == kNever);
  CHECK(next_change(1.0, [](Tangent t) { return exp(-t); }) > 100.0);
  CHECK(next_change(0.0, [](Tangent t) { return sqrt(2.0 - t) + 1.0; }) == kNever);
  const Curve jump = [](Tangent t) { return t.value() < 2.5 ? sin(0.1 * t) + 1.0 : Tangent(-1.0); };
  CHECK(next_change(next_change(0.0, jump), jump) == 2.5);
}

}  // namespace saltus::modeling::test
