// SPDX-License-Identifier: BSD-2-Clause
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "saltus/autodiff/recorded.hpp"
#include "saltus/autodiff/tape_array.hpp"
#include "taped_equation.hpp"

using namespace saltus;
using namespace saltus::modeling;
using namespace saltus::test;

namespace {

// x' = u, y' = v, u' = -s x, v' = -s y - g, x^2 + y^2 = 1 with the unknowns x, y, u, v, s and g as
// a parameter.
TapeArray pendulum() {
  Tape tape;
  Recording r(tape);
  const auto z = [&](int j) { return r.unknown(j, 0, 0.5); };
  const auto zp = [&](int j) { return r.unknown(j, 1, 0.5); };
  const Recorded g = r.number(0, 9.81);
  r.add_row(zp(0) - z(2));
  r.add_row(zp(1) - z(3));
  r.add_row(zp(2) + z(4) * z(0));
  r.add_row(zp(3) + z(4) * z(1) + g);
  r.add_row(z(0) * z(0) + z(1) * z(1) - 1.0);
  return {tape, 5, {"x'", "y'", "u'", "v'"}};
}

}  // namespace

TEST_CASE("The pendulum's entries, pattern and derivatives") {
  TapeArray array = pendulum();
  CHECK(array.equations() == 5);
  CHECK(array.order() == 1);
  CHECK(array.equation_name(2) == "u'");
  CHECK(array.equation_name(4) == "equation 5");

  const std::vector<std::array<int, 3>> expected = {{0, 0, 1}, {0, 2, 0},  // row, unknown, order
                                                    {1, 1, 1}, {1, 3, 0},  //
                                                    {2, 0, 0}, {2, 2, 1}, {2, 4, 0},  //
                                                    {3, 1, 0}, {3, 3, 1}, {3, 4, 0},  //
                                                    {4, 0, 0}, {4, 1, 0}};
  std::vector<std::array<int, 3>> entries;
  for (const DerivativeArray::Entry& e : array.entries()) {
    entries.push_back({e.row, e.unknown, e.order});
  }
  CHECK(entries == expected);
  CHECK(array.pattern().rows == 5);
  CHECK(array.pattern().first == std::vector<int>{0, 3, 6, 8, 10, 12});
  CHECK(array.pattern().row == std::vector<int>{0, 2, 4, 1, 3, 4, 0, 2, 1, 3, 2, 3});

  const std::vector<double> y = {0.6, 0.8, -0.3, 0.2, 7.0};
  const std::vector<double> yp = {1.0, 2.0, 3.0, 4.0, 5.0};
  std::vector<double> by_value(12);
  std::vector<double> by_slope(12);
  REQUIRE(array.evaluate(0.0, y, yp, by_value, by_slope) == Eval::ok);
  CHECK(by_value == std::vector<double>{0, 7, 1.2, 0, 7, 1.6, -1, 0, -1, 0, 0.6, 0.8});
  CHECK(by_slope == std::vector<double>{1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0});

  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const std::size_t degree : {0U, 1U, 2U, 3U}) {
    std::vector<double> c(5 * (degree + 2));
    for (double& coefficient : c) {
      coefficient = uniform(random);
    }
    check_array_jacobian(array, 0.0, 0.1, degree, c, 1e-9);
  }
}

TEST_CASE("Values up to levels of their own are the full ones, and the rest is untouched") {
  TapeArray array = pendulum();
  const double g = 9.81;
  array.set_numbers({&g, 1});
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> c(5 * 5);
  for (double& coefficient : c) {
    coefficient = uniform(random);
  }
  std::vector<double> all(4 * 5);
  REQUIRE(array.values(0.3, 0.1, 3, c, all) == Eval::ok);
  for (const std::vector<int>& level :
       {std::vector<int>{1, 1, 0, 0, 2}, {-1, 3, -1, 0, 1}, {-1, -1, -1, -1, -1}}) {
    constexpr double kUntouched = 123.0;
    std::vector<double> some(4 * 5, kUntouched);
    std::vector<double> by_default(4 * 5, kUntouched);
    REQUIRE(array.values_upto(0.3, 0.1, level, c, some) == Eval::ok);
    REQUIRE(array.DerivativeArray::values_upto(0.3, 0.1, level, c, by_default) == Eval::ok);
    for (std::size_t k = 0; k < 4; ++k) {
      for (std::size_t i = 0; i < 5; ++i) {
        const bool wanted = static_cast<int>(k) <= level[i];
        CHECK(some[k * 5 + i] == (wanted ? all[k * 5 + i] : kUntouched));
        CHECK(by_default[k * 5 + i] == some[k * 5 + i]);
      }
    }
  }
}

TEST_CASE("Rows that share functions may ask for different levels of them") {
  Tape tape;
  {
    Recording r(tape);
    const Recorded x = r.unknown(0, 0, 0.4);
    const Recorded y = r.unknown(1, 0, 0.7);
    r.add_row(sin(x) + tanh(y));
    r.add_row(cos(x) * y);
    r.add_row(tanh(y) * asin(x) + r.time(kStart));
    r.add_row(cosh(x * y));
  }
  TapeArray array(tape, 2);
  const std::vector<double> c = curve(7);
  std::vector<double> all(6 * 4);
  REQUIRE(array.values(kStart, kScale, 5, c, all) == Eval::ok);
  std::mt19937 random(7);
  std::uniform_int_distribution<int> uniform(-1, 5);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<int> level(4);
    for (int& l : level) {
      l = uniform(random);
    }
    std::vector<double> some(all.size(), 123.0);
    REQUIRE(array.values_upto(kStart, kScale, level, c, some) == Eval::ok);
    for (std::size_t k = 0; k < 6; ++k) {
      for (std::size_t i = 0; i < 4; ++i) {
        const double expected = static_cast<int>(k) <= level[i] ? all[k * 4 + i] : 123.0;
        CHECK(some[k * 4 + i] == Approx(expected).epsilon(1e-14));
      }
    }
  }
}

TEST_CASE("Second derivatives of unknowns belong to the array, not to the linearization") {
  Tape tape;
  {
    Recording r(tape);
    r.add_row(r.unknown(0, 2, 0.1) * r.unknown(0, 0, 0.4) - r.unknown(0, 1, 0.4));
  }
  TapeArray array(tape, 1);
  CHECK(array.order() == 2);
  const std::vector<double> c = {0.3, -0.4, 0.7, 0.2, -0.9};
  std::vector<double> F(1);
  REQUIRE(array.values(0.0, 0.5, 0, c, F) == Eval::ok);
  CHECK(F[0] == Approx(2.0 * 0.7 / 0.25 * 0.3 + 0.4 / 0.5));
  check_array_jacobian(array, 0.0, 0.5, 2, c, 1e-8);
  std::vector<double> one(1);
  CHECK_THROWS_AS((void)array.evaluate(0.0, one, one, one, one), std::logic_error);
}

TEST_CASE("Parameters are read at evaluation and rest in time") {
  Tape tape;
  {
    Recording r(tape);
    const Recorded n = r.number(1, 2.0);
    const Recorded k = r.number(0, 3.0);
    r.add_row(k * r.unknown(0, 0, 0.4) + sqrt(k) + pow(r.unknown(1, 0, 0.7), n));
  }
  TapeArray array(tape, 2);
  const std::vector<double> c = curve(3);
  for (const double k : {0.0, 4.0}) {
    for (const double n : {2.0, 3.0}) {
      array.set_numbers(std::vector<double>{k, n});
      std::vector<double> F(2);
      REQUIRE(array.values(0.0, 0.5, 1, c, F) == Eval::ok);
      CHECK(F[0] == Approx(k * c[0] + std::sqrt(k) + std::pow(c[1], n)));
      CHECK(F[1] == Approx(k * c[2] + n * std::pow(c[1], n - 1.0) * c[3]));
      std::vector<double> a(2);
      REQUIRE(array.linearize(0.0, 0.5, 0, c, a) == Eval::ok);
      CHECK(a[0] == k);
      CHECK(a[1] == Approx(n * std::pow(c[1], n - 1.0)));
    }
  }
  CHECK_THROWS_AS(array.set_numbers(std::vector<double>{1.0}), std::invalid_argument);
}

TEST_CASE("Powers at zero have the derivatives that exist") {
  const auto at_zero = [](double p, std::vector<double> base, std::size_t degree, Eval expected) {
    Tape tape;
    {
      Recording r(tape);
      r.add_row(pow(r.unknown(0, 0, 0.0), r.number(0, p)));
    }
    TapeArray array(tape, 1);
    array.set_numbers({&p, 1});
    std::vector<double> F(degree + 1);
    CHECK(array.values(0.0, 1.0, degree, base, F) == expected);
    return F;
  };
  using Coefficients = std::vector<double>;
  CHECK(at_zero(2.0, {0, 2, 3, 1}, 3, Eval::ok) == Coefficients{0, 0, 4, 12});
  CHECK(at_zero(3.0, {0, 0, 2, 1}, 3, Eval::ok) == Coefficients{0, 0, 0, 0});
  CHECK(at_zero(1.0, {0, 2, 3, 1}, 3, Eval::ok) == Coefficients{0, 2, 3, 1});
  CHECK(at_zero(0.0, {0, 2, 3, 1}, 2, Eval::ok) == Coefficients{1, 0, 0});
  CHECK(at_zero(2.5, {0, 2, 3, 1}, 2, Eval::ok) == Coefficients{0, 0, 0});
  CHECK(at_zero(0.5, {0, 0, 0}, 2, Eval::ok) == Coefficients{0, 0, 0});
  (void)at_zero(1.5, {0, 2, 3}, 2, Eval::discard);
  (void)at_zero(-1.0, {0, 2, 3}, 2, Eval::discard);
}

TEST_CASE("What is not finite is discarded") {
  TapeArray root = recorded([](auto x, auto, auto, auto) { return sqrt(x); });
  std::vector<double> F(2);
  CHECK(root.values(0.0, 1.0, 0, std::vector<double>{-1.0, 0.0}, F) == Eval::discard);
  CHECK(root.values(0.0, 1.0, 0, std::vector<double>{0.0, 0.0}, F) == Eval::ok);
  CHECK(root.values(0.0, 1.0, 1, std::vector<double>{0.0, 0.0, 1.0, 0.0}, F) == Eval::discard);
  std::vector<double> a(1);
  CHECK(root.linearize(0.0, 1.0, 0, std::vector<double>{0.0, 0.0}, a) == Eval::discard);
}

TEST_CASE("tan and tanh stay finite far out") {
  TapeArray array = recorded([](auto x, auto y, auto, auto) { return tanh(x) + tan(y); });
  std::vector<double> F(3);
  std::vector<double> a(2 * array.entries().size());
  const std::vector<double> c = {800.0, 1e6, 1.0, 1.0, 0.0, 0.0};
  REQUIRE(array.values(0.0, 1.0, 2, c, F) == Eval::ok);
  const double slope = 1.0 + std::tan(1e6) * std::tan(1e6);
  CHECK(F[0] == 1.0 + std::tan(1e6));
  CHECK(F[1] == Approx(slope));
  REQUIRE(array.linearize(0.0, 1.0, 1, c, a) == Eval::ok);
  CHECK(a[0] == 0.0);
  CHECK(a[1] == Approx(slope));
}

TEST_CASE("Equal operations are one, and what needs no arithmetic is none") {
  Tape tape;
  const Tape::Node x = tape.unknown(0, 0);
  const Tape::Node y = tape.unknown(1, 0);
  const Tape::Node zero = tape.constant(0.0);
  const Tape::Node one = tape.constant(1.0);
  CHECK(tape.add(x, y) == tape.add(y, x));
  CHECK(tape.multiply(x, y) == tape.multiply(y, x));
  CHECK(tape.subtract(x, y) == tape.negate(tape.subtract(y, x)));
  CHECK(tape.function(Tape::Op::cos, x) == tape.function(Tape::Op::sin, x) + 1);
  CHECK(tape.add(x, zero) == x);
  CHECK(tape.multiply(one, x) == x);
  CHECK(tape.multiply(zero, x) == zero);
  CHECK(tape.subtract(x, x) == zero);
  CHECK(tape.negate(tape.negate(x)) == x);
  CHECK(tape.add(x, tape.negate(x)) == zero);
  CHECK(tape.divide(x, one) == x);
  CHECK(tape.power(x, one) == x);
  CHECK(tape.power(x, tape.constant(2.0)) == tape.multiply(x, x));
  CHECK(tape.function(Tape::Op::exp, zero) == one);
  CHECK(tape.constant(-0.0) == zero);
  const std::size_t before = tape.size();
  (void)tape.multiply(tape.add(x, y), tape.function(Tape::Op::sin, x));
  CHECK(tape.size() == before + 1);
}

TEST_CASE("A derivative that cancels is no entry") {
  TapeArray array = recorded([](auto x, auto y, auto, auto) { return x * y - y * x + y; });
  REQUIRE(array.entries().size() == 1);
  CHECK(array.entries()[0].unknown == 1);
  CHECK(array.operations_for_derivatives(0) == 0);  // constant: not recomputed
}

TEST_CASE("A long banded system costs its length") {
  const auto banded = [](int n) {
    Tape tape;
    Recording r(tape);
    const Recorded k = r.number(0, 2.0);
    const auto x = [&](int i) { return i < 0 || i >= n ? Recorded(0.0) : r.unknown(i, 0, 0.5); };
    for (int i = 0; i < n; ++i) {
      r.add_row(r.unknown(i, 1, 0.0) - k * (x(i - 1) - 2.0 * x(i) + x(i + 1)) + x(i) * x(i) * x(i));
    }
    return TapeArray(tape, static_cast<std::size_t>(n));
  };
  TapeArray small = banded(1000);
  TapeArray large = banded(100000);
  CHECK(large.entries().size() == 4U * 100000U - 2U);
  CHECK(large.nodes() <= 100 * small.nodes());
  CHECK(large.nodes() < 20U * 100000U);
  CHECK(large.operations_for_derivatives(0) <= 4U * 100000U);
  const double k = 2.0;
  large.set_numbers({&k, 1});
  const std::vector<double> x(100000, 0.5);
  std::vector<double> by_value(large.pattern().entries());
  std::vector<double> by_slope(by_value.size());
  REQUIRE(large.evaluate(0.0, x, x, by_value, by_slope) == Eval::ok);
  CHECK(by_value[0] == 4.75);  // row 0, column 0
  CHECK(by_value[1] == -2.0);  // row 1, column 0
  CHECK(by_slope[0] == 1.0);
  CHECK(by_slope[1] == 0.0);
}

TEST_CASE("Deep graphs need no deep stack") {
  Tape tape;
  {
    Recording r(tape);
    Recorded sum = 0.0;
    const Recorded x = r.unknown(0, 0, 0.5);
    for (int i = 0; i < 300000; ++i) {
      sum = 0.5 * sum + x;
    }
    r.add_row(sum);
  }
  TapeArray array(tape, 1);
  std::vector<double> a(1);
  REQUIRE(array.linearize(0.0, 1.0, 0, std::vector<double>{0.3}, a) == Eval::ok);
  CHECK(a[0] == Approx(2.0));
}
