// SPDX-License-Identifier: BSD-2-Clause
// The examples of L. Wunderlich, Analysis and Numerical Solution of Structured and Switched
// Differential-Algebraic Systems (TU Berlin, 2008), chapters 3 and 4, level by level, and what
// their reduced forms say about the solution.
#include <catch2/catch.hpp>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "linear_examples.hpp"
#include "recorded_array.hpp"
#include "saltus/dae/index_analysis.hpp"
#include "saltus/dae/linear_reduction.hpp"

namespace saltus {
namespace {

using modeling::Recorded;
using test::LinearArray;
using test::operator+;
using Numbers = std::vector<Recorded>;
using Triple = std::tuple<int, int, int>;

std::vector<LevelRanks> levels_of(DerivativeArray& array, double t, ConstVec c = {}) {
  return analyze_index(array, t, c, {.method = IndexOptions::Method::numerical}).ranks;
}

/// The ranks of M, [M, L] and [M, L, N] at each level.
std::vector<Triple> triples(const std::vector<LevelRanks>& levels) {
  std::vector<Triple> result;
  for (const LevelRanks& level : levels) {
    REQUIRE(level.rank_from.size() == 3);
    result.emplace_back(level.rank_from[2], level.rank_from[1], level.rank_from[0]);
  }
  return result;
}

bool hides_something(const LevelRanks& level) {
  const CharacteristicValues& v = level.values;
  return v.d + v.a + v.v != v.m;
}

double row(const DenseMatrix& A, std::size_t i, const std::vector<double>& x) {
  double sum = 0.0;
  for (std::size_t j = 0; j < A.columns; ++j) {
    sum += A(i, j) * x[j];
  }
  return sum;
}

/// The unknowns j and k of two equations A x = f that contain no others.
std::pair<double, double> solve(const DenseMatrix& A, const std::vector<double>& f, std::size_t j,
                                std::size_t k) {
  REQUIRE(A.rows == 2);
  for (std::size_t other = 0; other < A.columns; ++other) {
    if (other != j && other != k) {
      CHECK(std::hypot(A(0, other), A(1, other)) < 1e-12);
    }
  }
  const double determinant = A(0, j) * A(1, k) - A(0, k) * A(1, j);
  REQUIRE(std::fabs(determinant) > 1e-6);
  return {(f[0] * A(1, k) - f[1] * A(0, k)) / determinant,
          (f[1] * A(0, j) - f[0] * A(1, j)) / determinant};
}

}  // namespace

TEST_CASE("Example 3.14 goes on hiding something through two equal levels", "[index]") {
  LinearArray array = test::wunderlich_3_14();
  for (const double t : {0.2, 0.5, 3.0}) {
    const std::vector<LevelRanks> levels = levels_of(array, t);
    CHECK(triples(levels) == std::vector<Triple>{{2, 3, 4}, {5, 6, 8}, {8, 10, 12}, {11, 14, 16}});
    // The thesis prints u = 0 at level 0; with d = 2 and a = 1 of four unknowns one is left.
    CHECK(levels[0].values ==
          CharacteristicValues{.mu = 0, .d = 2, .d2 = 2, .a = 1, .u = 1, .v = 0, .m = 4, .n = 4});
    CHECK(levels[1].values.d == levels[2].values.d);
    CHECK(levels[1].values.d2 == levels[2].values.d2);
    CHECK(levels[1].values.a == levels[2].values.a);
    for (std::size_t l = 0; l < 3; ++l) {
      CHECK(hides_something(levels[l]));
    }
    CHECK(levels[3].values ==
          CharacteristicValues{.mu = 3, .d = 2, .d2 = 1, .a = 2, .u = 0, .v = 0, .m = 4, .n = 4});
  }
}

TEST_CASE("Example 3.23 has the same ranks at all times", "[index]") {
  LinearArray array = test::wunderlich_3_23();
  for (const double t : {0.1, 0.5, 1.0, 2.0, 7.0}) {
    CHECK(triples(levels_of(array, t)) == std::vector<Triple>{{2, 2, 3}, {4, 5, 6}, {6, 7, 9}});
  }
}

TEST_CASE("Example 3.32 is accepted at level 1, not at level 0", "[index]") {
  // x1'' = x1 x2, x1 x3' = x2 - 1, 0 = x3 - 1.
  modeling::TapeArray array = test::recorded_array(
      3, [](const Recorded&, const Numbers& x, const Numbers& xp, const Numbers& xpp) {
        return Numbers{xpp[0] - x[0] * x[1], x[0] * xp[2] - x[1] + 1.0, x[2] - 1.0};
      });
  const std::vector<double> start = {1.2, 1.0, 1.0, 0.3, 0.0, 0.0};
  const std::vector<LevelRanks> levels = levels_of(array, 0.0, start);
  REQUIRE(levels.size() == 2);
  CHECK(hides_something(levels[0]));
  CHECK(levels[1].rank_from == std::vector<int>{6, 4, 3});
  // Of x, x', x'', x''' in three unknowns, the equations of level 1 leave a manifold of
  // dimension 6.
  CHECK(4 * 3 - levels[1].rank_from[0] == 6);
  CHECK(levels[1].values == CharacteristicValues{.mu = 1, .d = 1, .d2 = 1, .a = 2, .m = 3, .n = 3});
}

TEST_CASE("A system of first order has two ranks at each level", "[index]") {
  LinearArray chain = test::index_chain(4);
  const std::vector<LevelRanks> levels = levels_of(chain, 0.3);
  REQUIRE(levels.size() == 4);
  for (int l = 0; l < 4; ++l) {
    // Each level gives away one more of the four constraints.
    const std::vector<int> ranks = {4 * (l + 1), 4 * (l + 1) - (l + 1)};
    CHECK(levels[static_cast<std::size_t>(l)].rank_from == ranks);
  }
}

TEST_CASE("Example 3.1 is solved by its reduction alone", "[index]") {
  // x1 = f2, x2 = f1 - f2' - f2'' with f1 = 1, f2 = sin t.
  LinearArray array = test::wunderlich_3_1();
  SecondOrderReduction reduction(array, 0.0);
  for (const double t : {0.0, 0.7, 2.5}) {
    const ReducedSecondOrder reduced = reduction.at(t);
    CHECK(reduced.M1.rows + reduced.C2.rows == 0);
    const auto [x1, x2] = solve(reduced.K3, reduced.f3, 0, 1);
    CHECK(x1 == Approx(std::sin(t)).margin(1e-13));
    CHECK(x2 == Approx(1.0 - std::cos(t) + std::sin(t)).margin(1e-13));
  }
}

TEST_CASE("The reduced form of Example 3.14 gives x1, x3 and the slope of x4", "[index]") {
  // With f4 = sin t and f3 = e^-t: x3 = f4, x1 = f3 - f4'; f1 and f2 such that x4' = 2 t and
  // x2 = sin t. Indeed t x4' = f1 - f3'' + f4'''.
  LinearArray array = test::wunderlich_3_14(
      {test::decay(1.0) + test::sine(1.0, 1.5707963267948966) + test::polynomial(0.0, 0.0, 2.0),
       test::times_t(test::decay(-1.0)), test::decay(1.0), test::sine(1.0)});
  SecondOrderReduction reduction(array, 0.5);
  for (const double t : {0.5, 0.8, 1.4}) {
    const ReducedSecondOrder reduced = reduction.at(t);
    const auto [x1, x3] = solve(reduced.K3, reduced.f3, 0, 2);
    CHECK(x1 == Approx(std::exp(-t) - std::cos(t)).epsilon(1e-10));
    CHECK(x3 == Approx(std::sin(t)).epsilon(1e-10));
    const std::vector<double> x = {x1, std::sin(t), x3, t * t};
    const std::vector<double> xp = {-std::exp(-t) + std::sin(t), std::cos(t), std::cos(t), 0.0};
    const std::vector<double> xpp = {std::exp(-t) + std::cos(t), -std::sin(t), -std::sin(t), 2.0};
    REQUIRE(reduced.C2.rows == 1);
    CHECK((reduced.f2[0] - row(reduced.K2, 0, x) - row(reduced.C2, 0, xp)) / reduced.C2(0, 3) ==
          Approx(2.0 * t).epsilon(1e-9));
    REQUIRE(reduced.M1.rows == 1);
    const std::vector<double> slope = {xp[0], xp[1], xp[2], 2.0 * t};
    CHECK(row(reduced.M1, 0, xpp) + row(reduced.C1, 0, slope) + row(reduced.K1, 0, x) ==
          Approx(reduced.f1[0]).epsilon(1e-10));
  }
}

TEST_CASE("The algebraic part of Example 3.23 gives x2 and x3", "[index]") {
  LinearArray array = test::wunderlich_3_23();
  SecondOrderReduction reduction(array, 0.5);
  for (const double t : {0.5, 0.8, 2.0}) {
    const ReducedSecondOrder reduced = reduction.at(t);
    const auto [x2, x3] = solve(reduced.K3, reduced.f3, 1, 2);
    CHECK(x2 == Approx(std::cos(t)).epsilon(1e-10));
    CHECK(x3 == Approx(t * t).epsilon(1e-10));
    // What is left is the first equation, t x1'' + x1' + x1 = f1, times a number.
    const double factor = reduced.M1(0, 0) / t;
    REQUIRE(std::fabs(factor) > 1e-3);
    CHECK(reduced.C1(0, 0) == Approx(factor));
    CHECK(reduced.K1(0, 0) == Approx(factor));
  }
}

TEST_CASE("The strangeness-free form of Example 4.11 gives x1 and x3", "[index]") {
  // Made for x = (sin t, t^2, e^-t): 0 = x1 / t + t x3 + b1 + b3' / t and 0 = t x1 + b3.
  LinearArray array =
      test::wunderlich_4_11({test::sine(1.0, 1.5707963267948966) + test::times_t(test::decay(-1.0)),
                             test::polynomial(0.0, 0.0, 1.0), test::times_t(test::sine(-1.0))});
  LinearReduction reduction(array, 1.0);
  for (const double t : {1.0, 1.5, 3.0}) {
    const StrangenessFree reduced = reduction.at(t);
    const auto [x1, x3] = solve(reduced.A2, reduced.f2, 0, 2);
    CHECK(-x1 == Approx(std::sin(t)).epsilon(1e-11));
    CHECK(-x3 == Approx(std::exp(-t)).epsilon(1e-11));
    REQUIRE(reduced.E1.rows == 1);
    // t x2' = x2 + b2, times a number.
    const double factor = reduced.E1(0, 1) / t;
    REQUIRE(std::fabs(factor) > 1e-3);
    CHECK(std::fabs(reduced.E1(0, 0)) + std::fabs(reduced.E1(0, 2)) < 1e-12);
    CHECK(row(reduced.A1, 0, {std::sin(t), t * t, std::exp(-t)}) + reduced.f1[0] ==
          Approx(factor * 2.0 * t * t).epsilon(1e-11));
  }
}

}  // namespace saltus
