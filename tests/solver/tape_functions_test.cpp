// SPDX-License-Identifier: BSD-2-Clause
// Every function that equations may contain, recorded: its Taylor coefficients and derivatives.
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <vector>

#include "saltus/autodiff/recorded.hpp"
#include "saltus/autodiff/tape_array.hpp"
#include "taped_equation.hpp"

using namespace saltus;
using namespace saltus::modeling;
using namespace saltus::test;

namespace {

using Complex = std::complex<double>;

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

using Analytic = std::function<Complex(Complex x, Complex y, Complex xp, Complex t)>;

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
