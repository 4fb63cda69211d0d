// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <catch2/catch.hpp>
#include <cstddef>
#include <functional>
#include <vector>

#include "saltus/autodiff/recorded.hpp"
#include "saltus/autodiff/tape_array.hpp"

namespace saltus::test {

using modeling::Recorded, modeling::Recording, modeling::Tape, modeling::TapeArray;

/// A curve through two unknowns, as scaled Taylor coefficients c[k * 2 + j].
constexpr double kStart = 0.7;
constexpr double kScale = 0.5;
inline const std::vector<std::vector<double>> kCurve = {{0.4, 0.7},    {0.3, -0.2}, {0.1, 0.15},
                                                        {-0.05, 0.04}, {0.02, 0.0}, {0.0, 0.01}};

inline std::vector<double> curve(std::size_t coefficients) {
  std::vector<double> c(2 * coefficients, 0.0);
  for (std::size_t k = 0; k < std::min(coefficients, kCurve.size()); ++k) {
    c[2 * k] = kCurve[k][0];
    c[2 * k + 1] = kCurve[k][1];
  }
  return c;
}

using Equation = std::function<Recorded(Recorded x, Recorded y, Recorded xp, Recorded t)>;
/// The array of one equation in two unknowns.
inline TapeArray recorded(const Equation& equation) {
  Tape tape;
  Recording recording(tape);
  recording.add_row(equation(recording.unknown(0, 0, 0.4), recording.unknown(1, 0, 0.7),
                             recording.unknown(0, 1, 0.6), recording.time(kStart)));
  return {tape, 2};
}

/// The array's Jacobian by its linearization (the shift structure) against central differences.
inline void check_array_jacobian(modeling::TapeArray& array, double t, double scale,
                                 std::size_t degree, std::vector<double> c, double tolerance) {
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

}  // namespace saltus::test
