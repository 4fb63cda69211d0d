// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/dae/index_analysis.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "linear_array.hpp"
#include "linear_examples.hpp"
#include "saltus/core/error.hpp"

namespace saltus {
namespace {

using test::constant;
using test::LinearArray;
using test::polynomial;

CharacteristicValues values_of(DerivativeArray& array, double t, const IndexOptions& options = {}) {
  return characteristic_values(array, t, {}, options);
}

CharacteristicValues expected(int mu, int d, int a, int u, int v, int size) {
  return {.mu = mu, .d = d, .a = a, .u = u, .v = v, .m = size, .n = size};
}

CharacteristicValues second_order(int mu, int d2, int d1, int a, int size) {
  return {.mu = mu, .d = d2 + d1, .d2 = d2, .a = a, .u = 0, .v = 0, .m = size, .n = size};
}

}  // namespace

TEST_CASE("A chain of four equations has index 4, by structure and by ranks", "[index]") {
  LinearArray chain = test::index_chain(4);
  IndexAnalysis structural = analyze_index(chain, 0.3, {});
  CHECK(structural.structural);
  CHECK(structural.values == expected(3, 0, 4, 0, 0, 4));
  CHECK(structural.level == std::vector<int>{3, 2, 1, 0});
  CHECK(structural.order == std::vector<int>{3, 2, 1, 0});
  CHECK(values_of(chain, 0.3) == expected(3, 0, 4, 0, 0, 4));
  const IndexAnalysis numerical =
      analyze_index(chain, 0.3, {}, {.method = IndexOptions::Method::numerical});
  CHECK_FALSE(numerical.structural);
  CHECK(numerical.level == structural.level);
}

TEST_CASE("The first problem of Kunkel and Mehrmann deceives the structure, not the ranks",
          "[index]") {
  // x1' - t x2' = 0, x1 - t x2 = exp(-t): E - h A is singular for every h and t.
  LinearArray array = test::kunkel_mehrmann();
  for (const double t : {0.0, 0.7, 5.0}) {
    const IndexAnalysis analysis = analyze_index(array, t, {});
    CHECK_FALSE(analysis.structural);
    CHECK(analysis.values == expected(1, 0, 2, 0, 0, 2));
    CHECK(analysis.level == std::vector<int>{0, 1});
    CHECK(analysis.differential == std::vector<char>{0, 0});
    CHECK_FALSE(analysis.why_not_structural.empty());
  }
}

TEST_CASE("Second-order systems have the index that their derivative array shows", "[index]") {
  // Wunderlich (2008), Examples 3.1, 3.14, 3.23; their companion forms have one more.
  LinearArray e31 = test::wunderlich_3_1();
  CHECK(values_of(e31, 1.0) == second_order(2, 0, 0, 2, 2));
  LinearArray e314 = test::wunderlich_3_14();
  CHECK(values_of(e314, 0.5) == second_order(3, 1, 1, 2, 4));
  for (const double t : {0.5, 2.0}) {
    LinearArray e323 = test::wunderlich_3_23();
    CHECK(values_of(e323, t) == second_order(2, 1, 0, 2, 3));
    LinearArray companion = test::companion(e323);
    CHECK(values_of(companion, t) == expected(3, 2, 4, 0, 0, 6));
  }
  LinearArray companion31 = test::companion(e31);
  CHECK(values_of(companion31, 1.0).mu == 3);
  LinearArray pendulum = test::frozen_pendulum();
  CHECK(values_of(pendulum, 0.0) == second_order(2, 1, 0, 2, 3));
  LinearArray companion_pendulum = test::companion(pendulum);
  CHECK(values_of(companion_pendulum, 0.0) == expected(3, 2, 4, 0, 0, 6));
}

TEST_CASE("Velocities where they are needed do not raise the index of a pendulum", "[index]") {
  LinearArray pendulum = test::pendulum_with_velocities();
  CHECK(values_of(pendulum, 0.0) == expected(2, 2, 3, 0, 0, 5));
}

TEST_CASE("The configurations of the boost converter have index 1 and 2", "[index]") {
  // Switch open or closed (i_S or v_S is zero), diode conducting or not (v_D or i_D is zero).
  const int v_S = 2;
  const int v_D = 3;
  const int i_S = 5;
  const int i_D = 6;
  const auto both = [](int first, int second, const CharacteristicValues& values) {
    LinearArray array = test::boost_converter(first, second);
    CHECK(values_of(array, 0.0, {.scale = 1e-3}) == values);
    const IndexAnalysis structural = analyze_index(array, 0.0, {});
    CHECK(structural.structural);
    CHECK(structural.values == values);
  };
  both(i_S, v_D, expected(0, 2, 5, 0, 0, 7));
  both(v_S, i_D, expected(0, 2, 5, 0, 0, 7));
  both(i_S, i_D, expected(1, 1, 6, 0, 0, 7));
  both(v_S, v_D, expected(1, 1, 6, 0, 0, 7));
}

TEST_CASE("The bowed string has index 3, slipping and sticking", "[index]") {
  for (const int cells : {4, 5, 12}) {
    LinearArray slipping = test::bowed_string(cells, false);
    CHECK(values_of(slipping, 0.0, {.scale = 1e-2}) ==
          expected(2, 2 * cells, 6, 0, 0, 2 * cells + 6));
    CHECK(analyze_index(slipping, 0.0, {}).values ==
          expected(2, 2 * cells, 6, 0, 0, 2 * cells + 6));
    LinearArray sticking = test::bowed_string(cells, true);
    CHECK(values_of(sticking, 0.0, {.scale = 1e-2}) ==
          expected(2, 2 * cells - 1, 8, 0, 0, 2 * cells + 7));
  }
}

TEST_CASE("A second-order system is structurally analysed as it stands", "[index]") {
  LinearArray e31 = test::wunderlich_3_1();
  const IndexAnalysis analysis = analyze_index(e31, 1.0, {});
  CHECK(analysis.structural);
  CHECK(analysis.values == second_order(2, 0, 0, 2, 2));
  CHECK(analysis.level == std::vector<int>{0, 2});
  CHECK(analysis.order == std::vector<int>{2, 0});
  LinearArray pendulum = test::frozen_pendulum();
  CHECK(analyze_index(pendulum, 0.0, {}).values.degrees_of_freedom() == 2);
}

TEST_CASE("First-order examples have the published characteristic values", "[index]") {
  // Wunderlich (2008), Example 4.11.
  LinearArray e411 = test::wunderlich_4_11();
  CHECK(values_of(e411, 1.5) == expected(1, 1, 2, 0, 0, 3));
  // Example 4.12 is square, yet one unknown is free and one equation redundant.
  LinearArray e412 = test::wunderlich_4_12();
  CharacteristicValues singular = values_of(e412, 1.5);
  CHECK(singular.mu == 2);
  CHECK(singular.u == 1);
  CHECK(singular.v == 1);
  CHECK_THROWS_AS(require_regular(analyze_index(e412, 1.5, {}), e412, 1.5), DaeError);
  // The optimality system of x' = 2 x + w with the cost x^2 + r w^2: (lambda, x, w).
  LinearArray regular = test::linear_quadratic(1.0);
  CHECK(values_of(regular, 0.0) == expected(0, 2, 1, 0, 0, 3));
  LinearArray cheap = test::linear_quadratic(0.0);
  CHECK(values_of(cheap, 0.0).mu == 2);
  // Example 4.21: a gyroscopic system of two degrees of freedom with one constraint.
  LinearArray gyroscope = test::gyroscope();
  CHECK(values_of(gyroscope, 0.0) == expected(2, 2, 3, 0, 0, 5));
  // Remark 6.17: E = diag(1, 0), A = I, and a third unknown z = x2' appended.
  LinearArray plain(
      2, 2, 1, {{0, 0, 0, constant(-1.0)}, {0, 0, 1, constant(1.0)}, {1, 1, 0, constant(1.0)}});
  CHECK(values_of(plain, 0.0) == expected(0, 1, 1, 0, 0, 2));
  LinearArray appended(3, 3, 1,
                       {{0, 0, 0, constant(-1.0)},
                        {0, 0, 1, constant(1.0)},
                        {1, 1, 0, constant(1.0)},
                        {2, 1, 1, constant(-1.0)},
                        {2, 2, 0, constant(1.0)}});
  CHECK(values_of(appended, 0.0).mu == 1);
}

TEST_CASE("The sliding stick-slip oscillator has index 2", "[index]") {
  // Wunderlich (2008), (7.5): x' = v, v' = -3 x - (2 lambda - 1), 0 = v - 0.2.
  LinearArray array(3, 3, 1,
                    {{0, 0, 1, constant(1.0)},
                     {0, 1, 0, constant(-1.0)},
                     {1, 0, 0, constant(3.0)},
                     {1, 1, 1, constant(1.0)},
                     {1, 2, 0, constant(2.0)},
                     {2, 1, 0, constant(1.0)}},
                    {{}, constant(1.0), constant(0.2)});
  CHECK(values_of(array, 0.0) == expected(1, 1, 2, 0, 0, 3));
  const IndexAnalysis analysis = analyze_index(array, 0.0, {});
  CHECK(analysis.structural);
  CHECK(analysis.values == expected(1, 1, 2, 0, 0, 3));
}

TEST_CASE("Capacitances that form a singular block need the ranks", "[index]") {
  // Two nodes joined by one capacitor: C (x1' - x2') + x1 = 0, -C (x1' - x2') + x2 = 1.
  const double C = 1e-6;
  LinearArray array(2, 2, 1,
                    {{0, 0, 0, constant(1e-3)},
                     {0, 0, 1, constant(C)},
                     {0, 1, 1, constant(-C)},
                     {1, 0, 1, constant(-C)},
                     {1, 1, 0, constant(1e-3)},
                     {1, 1, 1, constant(C)}},
                    {{}, constant(1.0)});
  const IndexAnalysis analysis = analyze_index(array, 0.0, {}, {.scale = 1e-3});
  CHECK_FALSE(analysis.structural);
  CHECK(analysis.values == expected(0, 1, 1, 0, 0, 2));
  CHECK(analysis.level == std::vector<int>{0, 0});
  CHECK(analysis.explicit_level == std::vector<int>{1, 1});
  CHECK(analysis.differential == std::vector<char>{1, 1});
}

TEST_CASE("Charges of 1e-13 beside volts do not disturb the ranks", "[index]") {
  // q' = i, q = C v with C = 4e-13 F, v = 5 sin(t / 1 ns), and a second loop w = v, p' = j, p = C
  // w.
  const double C = 4e-13;
  LinearArray array(6, 6, 1,
                    {{0, 0, 1, constant(1.0)},
                     {0, 2, 0, constant(-1.0)},
                     {1, 0, 0, constant(1.0)},
                     {1, 1, 0, constant(-C)},
                     {2, 1, 0, constant(1.0)},
                     {3, 3, 1, constant(1.0)},
                     {3, 5, 0, constant(-1.0)},
                     {4, 3, 0, constant(1.0)},
                     {4, 4, 0, constant(-C)},
                     {5, 1, 0, constant(-1.0)},
                     {5, 4, 0, constant(1.0)}},
                    {{}, {}, constant(5.0)});
  for (const double scale : {1.0, 1e-3, 1e-9}) {
    const IndexOptions options{.scale = scale, .method = IndexOptions::Method::numerical};
    const IndexAnalysis analysis = analyze_index(array, 0.0, {}, options);
    CHECK(analysis.values == expected(1, 0, 6, 0, 0, 6));
    CHECK(analysis.level == std::vector<int>{0, 1, 1, 0, 1, 1});
  }
  CHECK(analyze_index(array, 0.0, {}).structural);
}

TEST_CASE("Values that cannot be told apart are undecided, with both", "[index]") {
  // x1' + x2' = 0 and x1' + (1 + 1e-10) x2' + x1 = 0: one or two differential equations?
  const auto pair = [](double difference) {
    return LinearArray(2, 2, 1,
                       {{0, 0, 1, constant(1.0)},
                        {0, 1, 1, constant(1.0)},
                        {1, 0, 0, constant(1.0)},
                        {1, 0, 1, constant(1.0)},
                        {1, 1, 1, constant(1.0 + difference)}});
  };
  LinearArray undecided = pair(1e-10);
  try {
    values_of(undecided, 0.0, {.rank_gap = 1e11});
    FAIL("decided");
  } catch (const DaeError& error) {
    CHECK(error.reason() == DaeError::Reason::undecided);
    CHECK_FALSE(error.equations().empty());
    CHECK_THAT(error.what(), Catch::Contains("e-11"));
    CHECK_THAT(error.what(), Catch::Contains("rank_tolerance"));
  }
  LinearArray two = pair(1e-3);
  CHECK(values_of(two, 0.0) == expected(0, 2, 0, 0, 0, 2));
  LinearArray one = pair(0.0);
  CHECK(values_of(one, 0.0) == expected(0, 1, 1, 0, 0, 2));
}

TEST_CASE("A structurally singular system is told by names", "[index]") {
  // Three equations for x and y, none for w and z but w + z = 1.
  LinearArray array(4, 4, 1,
                    {{0, 0, 0, constant(1.0)},
                     {0, 1, 0, constant(1.0)},
                     {1, 0, 0, constant(1.0)},
                     {1, 0, 1, constant(1.0)},
                     {2, 1, 0, constant(1.0)},
                     {3, 2, 0, constant(1.0)},
                     {3, 3, 0, constant(1.0)}});
  const StructuralOffsets offsets = structural_offsets(4, 4, array.entries());
  CHECK_FALSE(offsets.matched);
  CHECK(offsets.overdetermined_equations == std::vector<int>{0, 1, 2});
  CHECK(offsets.overdetermined_unknowns == std::vector<int>{0, 1});
  CHECK(offsets.underdetermined_equations == std::vector<int>{3});
  CHECK(offsets.underdetermined_unknowns == std::vector<int>{2, 3});
  const std::vector<std::string> names = {"x", "y", "w", "z"};
  CHECK(describe(offsets, array, names) ==
        "3 equations (\"equation 1\", \"equation 2\", \"equation 3\") contain only 2 unknowns "
        "(\"x\", \"y\"); 2 unknowns (\"w\", \"z\") occur in only 1 equation (\"equation 4\")");
  const IndexAnalysis analysis = analyze_index(array, 0.0, {});
  CHECK(analysis.values.v == 1);
  CHECK(analysis.values.u == 1);
  try {
    require_regular(analysis, array, 0.0, names);
    FAIL("regular");
  } catch (const DaeError& error) {
    CHECK(error.reason() == DaeError::Reason::singular);
    CHECK(error.unknowns() == std::vector<std::string>{"w", "z"});
    CHECK(error.equations().size() == 3);
  }
}

TEST_CASE("An equation that repeats others by numbers alone is found too", "[index]") {
  // x' = y, y' = -x, and the sum of both once more instead of an equation for z.
  LinearArray array(3, 3, 1,
                    {{0, 0, 1, constant(1.0)},
                     {0, 1, 0, constant(-1.0)},
                     {1, 0, 0, constant(1.0)},
                     {1, 1, 1, constant(1.0)},
                     {1, 2, 0, constant(1.0)},
                     {2, 0, 0, constant(1.0)},
                     {2, 0, 1, constant(1.0)},
                     {2, 1, 0, constant(-1.0)},
                     {2, 1, 1, constant(1.0)},
                     {2, 2, 0, constant(1.0)}});
  const IndexAnalysis analysis = analyze_index(array, 0.0, {});
  CHECK(analysis.values == expected(0, 2, 0, 1, 1, 3));
  CHECK(analysis.redundant_equations == std::vector<int>{0, 1, 2});
  CHECK_THROWS_AS(require_regular(analysis, array, 0.0), DaeError);
}

TEST_CASE("Offsets of a ladder of a hundred thousand equations are found", "[index]") {
  // x_k' = z_k - z_{k-1}, 0 = z_k - (x_{k+1} - x_k): index 1. One more constraint makes two.
  const int half = 50000;
  std::vector<DerivativeArray::Entry> entries;
  for (int k = 0; k < half; ++k) {
    entries.push_back({k, k, 1});
    if (k > 0) {
      entries.push_back({k, half + k - 1, 0});
    }
    entries.push_back({k, half + k, 0});
  }
  for (int k = 0; k < half; ++k) {
    entries.push_back({half + k, k, 0});
    if (k + 1 < half) {
      entries.push_back({half + k, k + 1, 0});
      entries.push_back({half + k, half + k, 0});
    }
  }
  const StructuralOffsets offsets = structural_offsets(2 * half, 2 * half, entries);
  REQUIRE(offsets.matched);
  CHECK(*std::max_element(offsets.equation_offset.begin(), offsets.equation_offset.end()) == 1);
  CHECK(std::count(offsets.equation_offset.begin(), offsets.equation_offset.end(), 1) == 1);
  CHECK(offsets.equation_offset.back() == 1);
}

TEST_CASE("Offsets of a large system are verified by a sparse factorisation", "[index]") {
  // x_k' + joint x_(k+1)' = 0 in pairs, x_k' joint + x_(k+1)' + x_k = 0: singular for joint = 1.
  const auto pairs = [](double joint) {
    std::vector<LinearArray::Term> terms;
    for (int k = 0; k < 1000; k += 2) {
      terms.push_back({k, k, 1, constant(1.0)});
      terms.push_back({k, k + 1, 1, constant(joint)});
      terms.push_back({k + 1, k, 0, constant(1.0)});
      terms.push_back({k + 1, k, 1, constant(joint)});
      terms.push_back({k + 1, k + 1, 1, constant(1.0)});
    }
    return LinearArray(1000, 1000, 1, terms);
  };
  LinearArray regular = pairs(0.5);
  const IndexAnalysis analysis = analyze_index(regular, 0.0, {});
  CHECK(analysis.structural);
  CHECK(analysis.values == expected(0, 1000, 0, 0, 0, 1000));
  // In the 1-norm: 1.5 times 1.5 / 0.75.
  CHECK(analysis.condition == Approx(3.0));
  LinearArray singular = pairs(1.0);
  CHECK_THROWS_AS(analyze_index(singular, 0.0, {}, {.method = IndexOptions::Method::structural}),
                  DaeError);
}

}  // namespace saltus
