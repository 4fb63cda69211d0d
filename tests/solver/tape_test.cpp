// SPDX-License-Identifier: BSD-2-Clause
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
      SALTUS_BOTH(atan2(x, Complex(1.0).real())),
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
