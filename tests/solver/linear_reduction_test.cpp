// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/dae/linear_reduction.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "linear_array.hpp"
#include "linear_examples.hpp"
#include "saltus/core/error.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus {
namespace {

using test::constant;
using test::LinearArray;
using test::polynomial;

/// Row i of A x + f.
double row(const DenseMatrix& A, std::size_t i, const std::vector<double>& x) {
  double sum = 0.0;
  for (std::size_t j = 0; j < A.columns; ++j) {
    sum += A(i, j) * x[j];
  }
  return sum;
}

/// How far (x, x') is from fulfilling the reduced system.
double defect(const StrangenessFree& system, const std::vector<double>& x,
              const std::vector<double>& xp) {
  double largest = 0.0;
  for (std::size_t i = 0; i < system.E1.rows; ++i) {
    largest =
        std::max(largest, std::abs(row(system.E1, i, xp) - row(system.A1, i, x) - system.f1[i]));
  }
  for (std::size_t i = 0; i < system.A2.rows; ++i) {
    largest = std::max(largest, std::abs(row(system.A2, i, x) + system.f2[i]));
  }
  return largest;
}

/// The reduced system at one time as constant equations, to be analysed once more.
LinearArray frozen(const StrangenessFree& system) {
  const int n = static_cast<int>(system.E1.columns);
  const int d = static_cast<int>(system.E1.rows);
  const int a = static_cast<int>(system.A2.rows);
  std::vector<LinearArray::Term> terms;
  for (int i = 0; i < d + a; ++i) {
    for (int j = 0; j < n; ++j) {
      const auto column = static_cast<std::size_t>(j);
      if (i < d) {
        const auto r = static_cast<std::size_t>(i);
        terms.push_back({i, j, 0, constant(-system.A1(r, column))});
        terms.push_back({i, j, 1, constant(system.E1(r, column))});
      } else {
        terms.push_back({i, j, 0, constant(system.A2(static_cast<std::size_t>(i - d), column))});
      }
    }
  }
  return {d + a, n, 1, terms};
}

template <class Real>
struct Contradictory {
  modeling::State<Real> x{"x"};
  modeling::Algebraic<Real> y{"y"}, z{"z"};
  void equations(modeling::Equations<Real>& eq) {
    eq(y, 1.0);
    eq(y, 2.0);
    eq(der(x), y + z);
  }
};

/// x of a square system A x = -f by elimination; two by two is enough here.
std::vector<double> solve(const DenseMatrix& A, const std::vector<double>& f) {
  const double determinant = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
  return {(-f[0] * A(1, 1) + f[1] * A(0, 1)) / determinant,
          (-f[1] * A(0, 0) + f[0] * A(1, 0)) / determinant};
}

}  // namespace

TEST_CASE("The first problem of Kunkel and Mehrmann is solved by its reduction alone", "[index]") {
  LinearArray array = test::kunkel_mehrmann();
  LinearReduction reduction(array, 0.0);
  for (const double t : {0.0, 0.4, 1.0, 3.0}) {
    const StrangenessFree reduced = reduction.at(t);
    REQUIRE(reduced.E1.rows == 0);
    REQUIRE(reduced.A2.rows == 2);
    const std::vector<double> x = solve(reduced.A2, reduced.f2);
    CHECK(x[0] == Approx((1.0 + t) * std::exp(-t)).epsilon(1e-12));
    CHECK(x[1] == Approx(std::exp(-t)).epsilon(1e-12));
  }
  CHECK(reduction.report().text().empty());
}

TEST_CASE("Bases of a reduction are smooth functions of time", "[index]") {
  LinearArray array = test::wunderlich_4_11();
  LinearReduction reduction(array, 1.0);
  CHECK(reduction.values() == CharacteristicValues{.mu = 1, .d = 1, .a = 2, .m = 3, .n = 3});
  // Second differences over h^2 stay bounded as h falls: no jump of sign or rotation.
  for (const double h : {1e-2, 1e-3}) {
    const StrangenessFree left = reduction.at(1.5 - h);
    const StrangenessFree middle = reduction.at(1.5);
    const StrangenessFree right = reduction.at(1.5 + h);
    for (std::size_t k = 0; k < middle.A2.entries.size(); ++k) {
      const double curvature =
          (left.A2.entries[k] - 2.0 * middle.A2.entries[k] + right.A2.entries[k]) / (h * h);
      CHECK(std::abs(curvature) < 10.0);
    }
  }
}

TEST_CASE("Contradictory equations hold in the sense of least squares", "[index]") {
  // x = 1, x = 2, and y' = x.
  LinearArray array(3, 2, 1,
                    {{0, 0, 0, constant(1.0)},
                     {1, 0, 0, constant(1.0)},
                     {2, 0, 0, constant(-1.0)},
                     {2, 1, 1, constant(1.0)}},
                    {constant(1.0), constant(2.0), {}});
  LinearReduction reduction(array, 0.0, {.unknown_names = {"x", "y"}});
  const CharacteristicValues& values = reduction.values();
  CHECK(values.d == 1);
  CHECK(values.a == 1);
  CHECK(values.v == 1);
  CHECK(values.u == 0);
  const StrangenessFree reduced = reduction.at(0.0);
  CHECK(-reduced.f2[0] / reduced.A2(0, 0) == Approx(1.5));
  const LeastSquaresReport report = reduction.report();
  // (1, -1) / sqrt(2) of (1, 2), against its length sqrt(5).
  CHECK(report.ignored == Approx(1.0 / std::sqrt(10.0)));
  CHECK(report.ignored_equations == std::vector<std::string>{"equation 1", "equation 2"});
  CHECK_THAT(report.text(), Catch::Contains("contradict") && Catch::Contains("equation 2"));
}

TEST_CASE("What repeats is ignored without loss, what is undetermined is held", "[index]") {
  // x' = -x + w, x' = -x + w once more, y = 3 x: nobody says what w is.
  LinearArray array(3, 3, 1,
                    {{0, 0, 0, constant(1.0)},
                     {0, 0, 1, constant(1.0)},
                     {0, 2, 0, constant(-1.0)},
                     {1, 0, 0, constant(1.0)},
                     {1, 0, 1, constant(1.0)},
                     {1, 2, 0, constant(-1.0)},
                     {2, 0, 0, constant(-3.0)},
                     {2, 1, 0, constant(1.0)}});
  LinearReduction reduction(array, 0.0, {.unknown_names = {"x", "y", "w"}});
  CHECK(reduction.values() ==
        CharacteristicValues{.mu = 0, .d = 1, .a = 1, .u = 1, .v = 1, .m = 3, .n = 3});
  const LeastSquaresReport report = reduction.report();
  CHECK(report.ignored == 0.0);
  CHECK(report.held_unknowns == std::vector<std::string>{"w"});
  CHECK_THAT(report.text(),
             Catch::Contains("repeat") && Catch::Contains("\"w\" is not determined"));
  // Any w(t) gives a solution: x = e^-t, w = 0.
  CHECK(defect(reduction.at(0.5), {std::exp(-0.5), 3.0 * std::exp(-0.5), 0.0},
               {-std::exp(-0.5), 0.0, 0.0}) < 1e-14);
}

TEST_CASE("What a model has too much and too little of is told by its own names", "[index]") {
  modeling::NativeModel<Contradictory> model{"Contradictory"};
  std::vector<double> y(model.shape().unknowns());
  model.initialize({}, y);
  LinearReduction reduction(*model.derivative_array(), 0.0, {.unknown_names = {"x", "y", "z"}});
  CHECK(to_string(reduction.values()) == "mu = 0, d = 1, a = 1, u = 1, v = 1");
  CHECK_THAT(reduction.report().text(),
             Catch::Contains("\"y = 1\", \"y = 2\" contradict each other") &&
                 Catch::Contains("least squares") &&
                 Catch::Contains("\"z\" is not determined: held"));
}

TEST_CASE("Values that change with time stop a reduction with both", "[index]") {
  // t x' = x, y' = x: at t = 0 the first equation is algebraic.
  LinearArray array(2, 2, 1,
                    {{0, 0, 0, constant(-1.0)},
                     {0, 0, 1, polynomial(0.0, 1.0)},
                     {1, 0, 0, constant(-1.0)},
                     {1, 1, 1, constant(1.0)}});
  LinearReduction reduction(array, -1.0);
  CHECK(reduction.values().d == 2);
  CHECK_NOTHROW(reduction.at(-0.5));
  try {
    reduction.at(0.0);
    FAIL("the change went unnoticed");
  } catch (const DaeError& error) {
    CHECK(error.reason() == DaeError::Reason::index_changed);
    CHECK_THAT(error.what(), Catch::Contains("d = 2") && Catch::Contains("d = 1"));
  }
}

TEST_CASE("A second-order system is reduced as it stands", "[index]") {
  // Wunderlich (2008), Example 3.23, made for x = (sin t, cos t, t^2).
  LinearArray array = test::wunderlich_3_23();
  SecondOrderReduction reduction(array, 0.5);
  for (const double t : {0.5, 0.8, 2.0}) {
    const ReducedSecondOrder reduced = reduction.at(t);
    REQUIRE(reduced.M1.rows == 1);
    REQUIRE(reduced.C2.rows == 0);
    REQUIRE(reduced.K3.rows == 2);
    const std::vector<double> x = {std::sin(t), std::cos(t), t * t};
    const std::vector<double> xp = {std::cos(t), -std::sin(t), 2.0 * t};
    const std::vector<double> xpp = {-std::sin(t), -std::cos(t), 2.0};
    CHECK(row(reduced.M1, 0, xpp) + row(reduced.C1, 0, xp) + row(reduced.K1, 0, x) ==
          Approx(reduced.f1[0]));
    CHECK(row(reduced.K3, 0, x) == Approx(reduced.f3[0]).epsilon(1e-10));
    CHECK(row(reduced.K3, 1, x) == Approx(reduced.f3[1]).epsilon(1e-10));
    CHECK(std::abs(reduced.M1(0, 1)) < 1e-14);
  }
}

TEST_CASE("The trimmed form has velocities where they are needed, and index 0", "[index]") {
  LinearArray array = test::wunderlich_3_23();
  SecondOrderReduction reduction(array, 0.5);
  CHECK(reduction.with_velocity(0.5) == std::vector<int>{0});
  for (const double t : {0.5, 0.8, 2.0}) {
    const StrangenessFree trimmed = reduction.trimmed_form(t);
    REQUIRE(trimmed.E1.columns == 4);
    // w is a multiple of t x1', its derivative of x1' + t x1''.
    const double factor = trimmed.E1(1, 1) / t;
    const std::vector<double> y = {factor * t * std::cos(t), std::sin(t), std::cos(t), t * t};
    const std::vector<double> yp = {factor * (std::cos(t) - t * std::sin(t)), std::cos(t),
                                    -std::sin(t), 2.0 * t};
    CHECK(defect(trimmed, y, yp) < 1e-12);
    LinearArray once_more = frozen(trimmed);
    CHECK(characteristic_values(once_more, t, {}) ==
          CharacteristicValues{.mu = 0, .d = 2, .a = 2, .m = 4, .n = 4});
  }
  LinearArray pendulum = test::frozen_pendulum();
  SecondOrderReduction swinging(pendulum, 0.0);
  const StrangenessFree trimmed = swinging.trimmed_form(0.0);
  LinearArray once_more = frozen(trimmed);
  CHECK(characteristic_values(once_more, 0.0, {}) ==
        CharacteristicValues{.mu = 0, .d = 2, .a = 2, .m = 4, .n = 4});
  CHECK(swinging.with_velocity(0.0) == std::vector<int>{0, 1});
}

TEST_CASE("First-order equations hidden in a second-order system are found", "[index]") {
  // Wunderlich (2008), Example 3.14: what remains is t x4' = f1 - x1'', one first-order equation.
  LinearArray array = test::wunderlich_3_14();
  SecondOrderReduction reduction(array, 0.5);
  const ReducedSecondOrder reduced = reduction.at(0.7);
  CHECK(reduced.M1.rows == 1);
  REQUIRE(reduced.C2.rows == 1);
  CHECK(reduced.K3.rows == 2);
  // With f = 0: x1 = x3 = 0 and x4' = 0; the equation says nothing about x2.
  CHECK(std::abs(reduced.C2(0, 3)) > 1e-6);
  CHECK(std::abs(reduced.C2(0, 1)) < 1e-12);
  LinearArray once_more = frozen(reduction.trimmed_form(0.7));
  CHECK(characteristic_values(once_more, 0.7, {}) ==
        CharacteristicValues{.mu = 0, .d = 3, .a = 2, .m = 5, .n = 5});
}

}  // namespace saltus
