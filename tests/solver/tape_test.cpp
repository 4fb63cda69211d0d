// SPDX-License-Identifier: BSD-2-Clause
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "saltus/modeling/passes.hpp"
#include "saltus/modeling/recorded.hpp"
#include "saltus/modeling/tape_array.hpp"
#include "saltus/modeling/variables.hpp"

using namespace saltus;
using namespace saltus::modeling;

namespace {

using Complex = std::complex<double>;

// A curve through two unknowns, as scaled Taylor coefficients c[k * 2 + j].
constexpr double kStart = 0.7;
constexpr double kScale = 0.5;
const std::vector<std::vector<double>> kCurve = {{0.4, 0.7},    {0.3, -0.2}, {0.1, 0.15},
                                                 {-0.05, 0.04}, {0.02, 0.0}, {0.0, 0.01}};

std::vector<double> curve(std::size_t coefficients) {
  std::vector<double> c(2 * coefficients, 0.0);
  for (std::size_t k = 0; k < std::min(coefficients, kCurve.size()); ++k) {
    c[2 * k] = kCurve[k][0];
    c[2 * k + 1] = kCurve[k][1];
  }
  return c;
}

// Unknown j on that curve at a complex tau, and its derivative by time.
Complex on_curve(std::size_t j, Complex tau) {
  Complex sum = 0.0;
  for (std::size_t k = kCurve.size(); k-- > 0;) {
    sum = sum * tau + kCurve[k][j];
  }
  return sum;
}
Complex slope_on_curve(std::size_t j, Complex tau) {
  Complex sum = 0.0;
  for (std::size_t k = kCurve.size() - 1; k > 0; --k) {
    sum = sum * tau + static_cast<double>(k) * kCurve[k][j];
  }
  return sum / kScale;
}

// Taylor coefficients of an analytic function by Cauchy's integral over a circle: the trapezoidal
// rule converges geometrically.
std::vector<double> cauchy(const std::function<Complex(Complex)>& f, std::size_t degree) {
  constexpr int kPoints = 128;
  constexpr double kRadius = 0.5;
  std::vector<double> c(degree + 1, 0.0);
  for (int i = 0; i < kPoints; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kPoints;
    const Complex value = f(std::polar(kRadius, angle));
    for (std::size_t k = 0; k <= degree; ++k) {
      const auto power = static_cast<double>(k);
      c[k] += (value * std::polar(std::pow(kRadius, -power), -power * angle)).real() / kPoints;
    }
  }
  return c;
}

using Equation = std::function<Recorded(Recorded x, Recorded y, Recorded xp, Recorded t)>;
using Analytic = std::function<Complex(Complex x, Complex y, Complex xp, Complex t)>;

TapeArray recorded(const Equation& equation) {
  Tape tape;
  Recording recording(tape);
  recording.add_row(equation(recording.unknown(0, 0, 0.4), recording.unknown(1, 0, 0.7),
                             recording.unknown(0, 1, 0.6), recording.time(kStart)));
  return {tape, 2};
}

std::vector<double> coefficients(TapeArray& array, std::size_t degree) {
  std::vector<double> F(degree + 1);
  const std::vector<double> c = curve(degree + 1 + array.order());
  REQUIRE(array.values(kStart, kScale, degree, c, F) == Eval::ok);
  return F;
}

void check_taylor(const char* name, const Equation& equation, const Analytic& analytic) {
  INFO(name);
  TapeArray array = recorded(equation);
  const auto along = [&](Complex tau) {
    return analytic(on_curve(0, tau), on_curve(1, tau), slope_on_curve(0, tau),
                    kStart + kScale * tau);
  };
  const std::vector<double> exact = cauchy(along, 6);
  for (std::size_t degree = 0; degree <= 6; ++degree) {  // each has code of its own
    const std::vector<double> F = coefficients(array, degree);
    for (std::size_t k = 0; k <= degree; ++k) {
      INFO("degree " << degree << ", coefficient " << k);
      CHECK(F[k] == Approx(exact[k]).epsilon(1e-12).margin(2e-13));
    }
  }
}

// The array's Jacobian by its linearization (the shift structure) against central differences.
void check_array_jacobian(TapeArray& array, double t, double scale, std::size_t degree,
                          std::vector<double> c, double tolerance) {
  const std::size_t n = array.unknowns();
  const std::size_t m = array.equations();
  const auto entries = array.entries();
  std::vector<double> a((degree + 1) * entries.size());
  REQUIRE(array.linearize(t, scale, degree, c, a) == Eval::ok);
  const std::size_t columns = (degree + 1 + array.order()) * n;
  std::vector<double> jacobian((degree + 1) * m * columns, 0.0);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto q = static_cast<std::size_t>(entries[e].order);
    for (std::size_t k = 0; k <= degree; ++k) {
      for (std::size_t l = q; l <= k + q; ++l) {
        double factor = 1.0;
        for (std::size_t f = l; f > l - q; --f) {
          factor *= static_cast<double>(f) / scale;
        }
        const std::size_t row = k * m + static_cast<std::size_t>(entries[e].row);
        const std::size_t column = l * n + static_cast<std::size_t>(entries[e].unknown);
        jacobian[row * columns + column] += factor * a[(k - l + q) * entries.size() + e];
      }
    }
  }
  std::vector<double> plus((degree + 1) * m);
  std::vector<double> minus(plus.size());
  for (std::size_t column = 0; column < columns; ++column) {
    constexpr double kStep = 1e-5;
    const double kept = c[column];
    c[column] = kept + kStep;
    REQUIRE(array.values(t, scale, degree, c, plus) == Eval::ok);
    c[column] = kept - kStep;
    REQUIRE(array.values(t, scale, degree, c, minus) == Eval::ok);
    c[column] = kept;
    for (std::size_t row = 0; row < plus.size(); ++row) {
      INFO("row " << row << ", column " << column);
      const double quotient = (plus[row] - minus[row]) / (2.0 * kStep);
      CHECK(jacobian[row * columns + column] ==
            Approx(quotient).epsilon(tolerance).margin(tolerance));
    }
  }
}

struct Function {
  const char* name;
  Equation equation;
  Analytic analytic;
};

#define SALTUS_BOTH(expression)                                                            \
  {                                                                                        \
#expression, [](Recorded x, Recorded y, Recorded xp, Recorded t) -> Recorded {           \
      (void)x, (void)y, (void)xp, (void)t;                                                   \
      return expression;                                                                     \
    },                                                                                       \
        [](Complex x, Complex y, Complex xp, Complex t) -> Complex {                         \
          (void)x, (void)y, (void)xp, (void)t;                                               \
          return expression;                                                                 \
        } \
  }

Complex atan2(Complex y, Complex x) { return std::atan(y / x); }  // for x > 0

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      SALTUS_BOTH(x + y),
      SALTUS_BOTH(x - 3.0 * y),
      SALTUS_BOTH(2.0 - x),
      SALTUS_BOTH(x * y),
      SALTUS_BOTH(-x * (y + 1.0)),
      SALTUS_BOTH(x / y),
      SALTUS_BOTH(2.0 / y),
      SALTUS_BOTH(x / 3.0),
      SALTUS_BOTH(xp * t),
      SALTUS_BOTH(sqrt(y)),
      SALTUS_BOTH(exp(x * y)),
      SALTUS_BOTH(log(y + t)),
      SALTUS_BOTH(log10(y + t)),
      SALTUS_BOTH(sin(x)),
      SALTUS_BOTH(cos(x * t)),
      SALTUS_BOTH(sin(y) * cos(y)),
      SALTUS_BOTH(tan(x)),
      SALTUS_BOTH(asin(x * y)),
      SALTUS_BOTH(acos(x * y)),
      SALTUS_BOTH(atan(x)),
      SALTUS_BOTH(sinh(x)),
      SALTUS_BOTH(cosh(y)),
      SALTUS_BOTH(sinh(y) + cosh(y) * x),
      SALTUS_BOTH(tanh(x + y)),
      SALTUS_BOTH(atan2(x, y + 1.0)),
      SALTUS_BOTH(atan2(x, 1.0)),
      SALTUS_BOTH(pow(x, 2.0)),
      SALTUS_BOTH(pow(x, 5.0) + pow(y, -3.0)),
      SALTUS_BOTH(pow(y, 0.5)),
      SALTUS_BOTH(pow(y, 2.7)),
      SALTUS_BOTH(pow(y, -1.3)),
      SALTUS_BOTH(pow(2.5, x)),
      SALTUS_BOTH(pow(y, x)),
      SALTUS_BOTH(exp(-sin(x) * y) / (1.0 + sqrt(y + t * t)) - xp * tanh(xp)),
  };
  return all;
}
#undef SALTUS_BOTH

}  // namespace

TEST_CASE("Taylor coefficients on a tape are those of the function") {
  for (const Function& f : functions()) {
    check_taylor(f.name, f.equation, f.analytic);
  }
}

TEST_CASE("Derivatives on a tape follow the shift structure of the array") {
  for (const Function& f : functions()) {
    INFO(f.name);
    TapeArray array = recorded(f.equation);
    for (const std::size_t degree : {0U, 1U, 2U, 4U}) {
      check_array_jacobian(array, kStart, kScale, degree, curve(degree + 2), 2e-8);
    }
  }
}

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

TEST_CASE("A recording replays the locks") {
  const auto residual = [](const Recorded& x, const Recorded& y) {
    return (x > y && !(y >= 1.0) ? x : -y) + max(x, y) + min(x, y) * 10.0 + abs(x) * 100.0;
  };
  for (const bool first : {true, false}) {
    const Lock taken = first ? Lock::yes : Lock::no;
    std::vector<Lock> locks(4, taken);
    Tape tape;
    {
      Recording r(tape);
      const CursorScope scope(Cursor{.lock = locks.data(), .end = locks.data() + locks.size()});
      r.add_row(residual(r.unknown(0, 0, 0.4), r.unknown(1, 0, 0.7)));
      CHECK(cursor.lock == cursor.end);
      CHECK_THROWS_AS((void)static_cast<bool>(Recorded(1.0) > Recorded(0.0)), std::logic_error);
    }
    TapeArray array(tape, 2);
    std::vector<double> F(1);
    REQUIRE(array.values(0.0, 1.0, 0, std::vector<double>{2.0, 3.0}, F) == Eval::ok);
    CHECK(F[0] == Approx(first ? 2.0 + 2.0 + 30.0 + 200.0 : -3.0 + 3.0 + 20.0 - 200.0));
  }
  const LiveScope live;
  CHECK(static_cast<bool>(Recorded(1.0) > Recorded(0.0)));
  CHECK_FALSE(static_cast<bool>(Recorded(1.0) > Recorded(0.0) && Recorded(1.0) < Recorded(1.0)));
  CHECK(static_cast<bool>(Recorded(1.0) <= Recorded(1.0)));
}

TEST_CASE("Recorded constants need no recording, recorded numbers do") {
  const Recorded product = Recorded(2.0) * 3.0 + sin(Recorded(0.5)) - pow(2.0, Recorded(3.0));
  CHECK(product.value() == Approx(6.0 + std::sin(0.5) - 8.0));
  Tape tape;
  Recorded leaked;
  {
    Recording r(tape);
    leaked = r.time(1.5);
  }
  CHECK_THROWS_AS(leaked + 1.0, std::logic_error);
}

namespace {

template <class Real>
struct Ball {
  State<Real> h{"h", {.start = 1.0}};
  State<Real> v{"v"};
  Parameter<Real> g{"g", {.start = 9.81}};
  Parameter<Real> e{"e", {.start = 0.7}};

  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = v > 0.0 ? -g - v : -g;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h <= 0.0 && v < 0.0)) {
      h = 0.0;
      v = -e * v;
    }
  }
};

}  // namespace

TEST_CASE("A model is recorded as it is written") {
  Enrolled<Ball, Recorded> ball;
  std::vector<Lock> locks = {Lock::yes};
  Tape tape;
  {
    Recording r(tape);
    const CursorScope scope(Cursor{.lock = locks.data(), .end = locks.data() + 1});
    for (int j = 0; j < 2; ++j) {
      const auto state = static_cast<std::size_t>(j);
      *ball.members.states[state] = r.unknown(j, 0, 1.0);
      *ball.members.numbers[state] = r.number(j, ball.members.numbers[state]->value());
    }
    Equations<Recorded> equations{r.time(0.0)};
    ball.model.equations(equations);
    for (int j = 0; j < 2; ++j) {
      r.add_row(r.unknown(j, 1, 0.0) - *ball.members.derivatives[static_cast<std::size_t>(j)]);
    }
  }
  TapeArray array(tape, 2);
  array.set_numbers(std::vector<double>{9.81, 0.7});
  std::vector<double> F(2);
  REQUIRE(array.values(0.0, 1.0, 0, std::vector<double>{1.0, -2.0, 0.5, 0.25}, F) == Eval::ok);
  CHECK(F[0] == 0.5 + 2.0);
  CHECK(F[1] == Approx(0.25 + 9.81 - 2.0));

  const LiveScope live;
  EventMemory memory{.held = {Lock::no}, .clock = {}, .running = true};
  double z = 0.0;
  EventPass pass{.way = EventPass::Way::act, .memory = &memory, .z = &z};
  *ball.members.states[0] = Recorded(-0.1);
  *ball.members.states[1] = Recorded(-2.0);
  *ball.members.numbers[1] = Recorded(0.7);
  Events<Recorded> events(pass, Recorded(0.0));
  ball.model.events(events);
  CHECK(pass.fired);
  CHECK(ball.model.v.value() == Approx(1.4));
}
