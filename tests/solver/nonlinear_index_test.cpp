// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "recorded_array.hpp"
#include "saltus/core/error.hpp"
#include "saltus/dae/index_analysis.hpp"

namespace saltus {
namespace {

using modeling::Recorded;
using modeling::TapeArray;
using Numbers = std::vector<Recorded>;
constexpr auto kNumerical = IndexOptions::Method::numerical;

const double kGravity = 9.81;

/// Unknowns x, y, u, v, lambda.
Numbers pendulum_equations(const Numbers& x, const Numbers& xp) {
  return {xp[0] - x[2], xp[1] - x[3], xp[2] + x[0] * x[4], xp[3] + x[1] * x[4] + kGravity,
          x[0] * x[0] + x[1] * x[1] - 1.0};
}

TapeArray pendulum() {
  return test::recorded_array(5, [](const Recorded&, const Numbers& x, const Numbers& xp,
                                    const Numbers&) { return pendulum_equations(x, xp); });
}

/// The same equations, each one a sum of all.
TapeArray mixed_pendulum() {
  return test::recorded_array(
      5, [](const Recorded&, const Numbers& x, const Numbers& xp, const Numbers&) {
        const Numbers plain = pendulum_equations(x, xp);
        Numbers mixed(5);
        for (int i = 0; i < 5; ++i) {
          for (int k = 0; k < 5; ++k) {
            // Regular: a Hilbert-like matrix plus the identity.
            mixed[static_cast<std::size_t>(i)] +=
                plain[static_cast<std::size_t>(k)] * (1.0 / (i + k + 1) + (i == k ? 1.0 : 0.0));
          }
        }
        return mixed;
      });
}

/// Swinging through (0.6, -0.8) with the speed 1.5 along the circle.
const std::vector<double> kSwinging = {0.6, -0.8, 1.2, 0.9, 0.0};

CharacteristicValues expected(int mu, int d, int a, int size) {
  return {.mu = mu, .d = d, .a = a, .m = size, .n = size};
}

/// The transistor amplifier of the Bari test set (Mazzia, Magherini 2008), index 1.
TapeArray transistor_amplifier() {
  return test::recorded_array(
      8, [](const Recorded& t, const Numbers& y, const Numbers& yp, const Numbers&) {
        const double Ub = 6.0;
        const double R0 = 1000.0;
        const double R = 9000.0;
        const double alpha = 0.99;
        const Recorded Ue = 0.1 * sin(200.0 * 3.141592653589793 * t);
        const auto g = [](const Recorded& u) { return 1e-6 * (exp(u / 0.026) - 1.0); };
        const Recorded first = g(y[1] - y[2]);
        const Recorded second = g(y[4] - y[5]);
        const auto C = [](int k) { return 1e-6 * k; };
        return Numbers{C(1) * (yp[0] - yp[1]) - (Ue - y[0]) / R0,
                       C(1) * (yp[1] - yp[0]) - Ub / R + y[1] * (2.0 / R) - (alpha - 1.0) * first,
                       C(2) * yp[2] - first + y[2] / R,
                       C(3) * (yp[3] - yp[4]) - Ub / R + y[3] / R + alpha * first,
                       C(3) * (yp[4] - yp[3]) - Ub / R + y[4] * (2.0 / R) - (alpha - 1.0) * second,
                       C(4) * yp[5] - second + y[5] / R,
                       C(5) * (yp[6] - yp[7]) - Ub / R + y[6] / R + alpha * second,
                       C(5) * (yp[7] - yp[6]) + y[7] / R};
      });
}

}  // namespace

TEST_CASE("The pendulum has strangeness index 2", "[index]") {
  TapeArray array = pendulum();
  const IndexAnalysis structural = analyze_index(array, 0.0, kSwinging);
  CHECK(structural.structural);
  CHECK(structural.values == expected(2, 2, 3, 5));
  CHECK(structural.level == std::vector<int>{1, 1, 0, 0, 2});
  CHECK(structural.order == std::vector<int>{2, 2, 1, 1, 0});
  CHECK(structural.differential == std::vector<char>{1, 1, 1, 1, 0});
  for (const double scale : {1e-4, 1e-2, 1.0}) {
    const IndexAnalysis numerical =
        analyze_index(array, 0.0, kSwinging, {.scale = scale, .method = kNumerical});
    CHECK(numerical.values == expected(2, 2, 3, 5));
    CHECK(numerical.level == structural.level);
    CHECK(numerical.differential[4] == 0);
    CHECK(numerical.gap > 1e3);
    // The ranks are taken on the solution: lambda = u^2 + v^2 - g y.
    CHECK(numerical.coefficients[4] == Approx(2.25 + 0.8 * kGravity));
    CHECK(numerical.coefficients[0] == Approx(0.6));
  }
}

TEST_CASE("Mixing the rows of the pendulum hides its structure, not its index", "[index]") {
  TapeArray array = mixed_pendulum();
  const IndexAnalysis analysis = analyze_index(array, 0.0, kSwinging, {.scale = 0.05});
  CHECK_FALSE(analysis.structural);
  CHECK(analysis.values == expected(2, 2, 3, 5));
  CHECK(analysis.level == std::vector<int>(5, 2));
  CHECK(analysis.explicit_level == std::vector<int>(5, 3));
  CHECK(analysis.differential == std::vector<char>{1, 1, 1, 1, 0});
  CHECK(analysis.coefficients[4] == Approx(2.25 + 0.8 * kGravity));
}

TEST_CASE("Coefficients that vanish at the start alone do not hide a row", "[index]") {
  // Hanging at rest, x and the velocities are zero: lambda there depends on y alone.
  TapeArray array = pendulum();
  const std::vector<double> at_rest = {0.0, -1.0, 0.0, 0.0, kGravity};
  const IndexAnalysis analysis = analyze_index(array, 0.0, at_rest, {.method = kNumerical});
  CHECK(analysis.values == expected(2, 2, 3, 5));
  CHECK(analysis.level == std::vector<int>{1, 1, 0, 0, 2});
  CHECK(analysis.differential == std::vector<char>{1, 1, 1, 1, 0});
}

TEST_CASE("The transistor amplifier has singular capacitances that only ranks see", "[index]") {
  TapeArray array = transistor_amplifier();
  const std::vector<double> start = {0.0, 3.0, 3.0, 6.0, 3.0, 3.0, 6.0, 0.0};
  for (const double scale : {2e-5, 2e-3, 0.2}) {
    const IndexAnalysis analysis = analyze_index(array, 0.0, start, {.scale = scale});
    CHECK_FALSE(analysis.structural);
    CHECK_THAT(analysis.why_not_structural, Catch::Contains("singular"));
    CHECK(analysis.values == expected(0, 5, 3, 8));
    CHECK(analysis.level == std::vector<int>(8, 0));
    CHECK(analysis.explicit_level == std::vector<int>{1, 1, 0, 1, 1, 0, 1, 1});
    CHECK(analysis.differential == std::vector<char>(8, 1));
  }
}

TEST_CASE("A nonlinear second-order system of index 1 is not taken for index 0", "[index]") {
  // Wunderlich (2008), Example 3.32: x1'' = x1 x2, x1 x3' = x2 - 1, 0 = x3 - 1.
  TapeArray array = test::recorded_array(
      3, [](const Recorded&, const Numbers& x, const Numbers& xp, const Numbers& xpp) {
        return Numbers{xpp[0] - x[0] * x[1], x[0] * xp[2] - x[1] + 1.0, x[2] - 1.0};
      });
  const std::vector<double> start = {1.2, 1.0, 1.0, 0.3, 0.0, 0.0};
  const CharacteristicValues values{.mu = 1, .d = 1, .d2 = 1, .a = 2, .m = 3, .n = 3};
  CHECK(characteristic_values(array, 0.0, start) == values);
  CHECK(analyze_index(array, 0.0, start).values == values);
}

TEST_CASE("Equations that cannot be evaluated at the start are named", "[index]") {
  TapeArray array = test::recorded_array(
      2,
      [](const Recorded&, const Numbers& x, const Numbers& xp, const Numbers&) {
        return Numbers{xp[0] - x[1], log(x[0]) - x[1]};
      },
      {"motion", "law"});
  const std::vector<double> start = {-1.0, 0.0};
  try {
    analyze_index(array, 0.0, start);
    FAIL("evaluated");
  } catch (const IntegrationError& error) {
    CHECK(error.reason() == IntegrationError::Reason::bad_start);
  }
}

TEST_CASE("A mechanism in a singular position is undetermined there", "[index]") {
  // Two constraints that touch at the start: x = 0 and x + y^2 = 0 at y = 0.
  TapeArray array = test::recorded_array(
      4, [](const Recorded&, const Numbers& x, const Numbers& xp, const Numbers&) {
        return Numbers{xp[0] - x[2], xp[1] - x[3], x[0], x[0] + x[1] * x[1]};
      });
  const IndexAnalysis analysis = analyze_index(array, 0.0, std::vector<double>(4, 0.0));
  CHECK_FALSE(analysis.values.is_regular());
  CHECK_THROWS_AS(require_regular(analysis, array, 0.0), DaeError);
  const std::vector<double> elsewhere = {0.0, 1.0, 0.0, 0.0};
  CHECK(analyze_index(array, 0.0, elsewhere).values == expected(1, 0, 4, 4));
}

}  // namespace saltus
