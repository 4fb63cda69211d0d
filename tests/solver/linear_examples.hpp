// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "linear_array.hpp"

// Small linear systems with published characteristic values.
namespace saltus::test {

/// a exp(-t).
inline Series decay(double a) {
  return [a](double t, int k) {
    double value = a * std::exp(-t);
    for (int i = 1; i <= k; ++i) {
      value /= -i;
    }
    return value;
  };
}

/// a sin(t + phase).
inline Series sine(double a, double phase = 0.0) {
  return [a, phase](double t, int k) {
    double value = a * std::sin(t + phase + k * 1.5707963267948966);
    for (int i = 2; i <= k; ++i) {
      value /= i;
    }
    return value;
  };
}

inline Series operator+(const Series& a, const Series& b) {
  return [a, b](double t, int k) { return a(t, k) + b(t, k); };
}

/// t a(t).
inline Series times_t(const Series& a) {
  return [a](double t, int k) { return t * a(t, k) + (k > 0 ? a(t, k - 1) : 0.0); };
}

/// x1 = f, x2 = x1', x3 = x2', ...: the index is the number of equations.
inline LinearArray index_chain(int size) {
  std::vector<LinearArray::Term> terms = {{0, 0, 0, constant(1.0)}};
  for (int i = 1; i < size; ++i) {
    terms.push_back({i, i - 1, 1, constant(-1.0)});
    terms.push_back({i, i, 0, constant(1.0)});
  }
  return {size, size, 1, terms, {sine(1.0)}};
}

/// Kunkel, Mehrmann: x1' - t x2' = 0, x1 - t x2 = exp(-t); x = ((1 + t) exp(-t), exp(-t)).
inline LinearArray kunkel_mehrmann() {
  return {2,
          2,
          1,
          {{0, 0, 1, constant(1.0)},
           {0, 1, 1, polynomial(0.0, -1.0)},
           {1, 0, 0, constant(1.0)},
           {1, 1, 0, polynomial(0.0, -1.0)}},
          {{}, decay(1.0)}};
}

/// Wunderlich (2008), Example 3.1: x1'' + x1' + x2 = f1, x1 = f2.
inline LinearArray wunderlich_3_1() {
  return {2,
          2,
          2,
          {{0, 0, 1, constant(1.0)},
           {0, 0, 2, constant(1.0)},
           {0, 1, 0, constant(1.0)},
           {1, 0, 0, constant(1.0)}},
          {constant(1.0), sine(1.0)}};
}

/// Example 3.14: x1'' + t x4' = f1, t x2'' + t x1' = f2, x3' + x1 = f3, x3 = f4.
inline LinearArray wunderlich_3_14(std::vector<Series> f = {}) {
  return {4,
          4,
          2,
          {{0, 0, 2, constant(1.0)},
           {0, 3, 1, polynomial(0.0, 1.0)},
           {1, 0, 1, polynomial(0.0, 1.0)},
           {1, 1, 2, polynomial(0.0, 1.0)},
           {2, 0, 0, constant(1.0)},
           {2, 2, 1, constant(1.0)},
           {3, 2, 0, constant(1.0)}},
          std::move(f)};
}

/// Example 3.23: t x1'' + x1' + x1 = f1, x2'' + x3'' + x2 = f2,
/// t (x2'' + x3'') + (1 + t) x2 + x3 = f3, with f such that x = (sin t, cos t, t^2).
inline LinearArray wunderlich_3_23() {
  return {3,
          3,
          2,
          {{0, 0, 0, constant(1.0)},
           {0, 0, 1, constant(1.0)},
           {0, 0, 2, polynomial(0.0, 1.0)},
           {1, 1, 0, constant(1.0)},
           {1, 1, 2, constant(1.0)},
           {1, 2, 2, constant(1.0)},
           {2, 1, 0, polynomial(1.0, 1.0)},
           {2, 1, 2, polynomial(0.0, 1.0)},
           {2, 2, 0, constant(1.0)},
           {2, 2, 2, polynomial(0.0, 1.0)}},
          {times_t(sine(-1.0)) + sine(1.0, 1.5707963267948966) + sine(1.0), constant(2.0),
           polynomial(0.0, 2.0, 1.0) + sine(1.0, 1.5707963267948966)}};
}

/// The pendulum x'' = -2 x lambda, y'' = -2 y lambda - g, x^2 + y^2 = 1, linearised at
/// (0.6, 0.8, 0.5) with frozen coefficients.
inline LinearArray frozen_pendulum() {
  return {3,
          3,
          2,
          {{0, 0, 0, constant(1.0)},
           {0, 0, 2, constant(1.0)},
           {0, 2, 0, constant(1.2)},
           {1, 1, 0, constant(1.0)},
           {1, 1, 2, constant(1.0)},
           {1, 2, 0, constant(1.6)},
           {2, 0, 0, constant(1.2)},
           {2, 1, 0, constant(1.6)}}};
}

/// The same with u = x', v = y' as unknowns, but no derivative of lambda: (x, y, u, v, lambda).
inline LinearArray pendulum_with_velocities() {
  return {5,
          5,
          1,
          {{0, 0, 1, constant(1.0)},
           {0, 2, 0, constant(-1.0)},
           {1, 1, 1, constant(1.0)},
           {1, 3, 0, constant(-1.0)},
           {2, 0, 0, constant(1.0)},
           {2, 2, 1, constant(1.0)},
           {2, 4, 0, constant(1.2)},
           {3, 1, 0, constant(1.0)},
           {3, 3, 1, constant(1.0)},
           {3, 4, 0, constant(1.6)},
           {4, 0, 0, constant(1.2)},
           {4, 1, 0, constant(1.6)}}};
}

/// The boost converter of Wunderlich (2008), section 7.2.1, with its four configurations: unknowns
/// v_C, i_L, v_S, v_D, i_R, i_S, i_D; the last two equations say that these unknowns are zero.
inline LinearArray boost_converter(int first_zero, int second_zero) {
  return {7,
          7,
          1,
          {{0, 0, 1, constant(1e-2)},
           {0, 4, 0, constant(1.0)},
           {0, 6, 0, constant(-1.0)},
           {1, 1, 1, constant(1.0)},
           {1, 2, 0, constant(-1.0)},
           {2, 0, 0, constant(1.0)},
           {2, 2, 0, constant(1.0)},
           {2, 3, 0, constant(1.0)},
           {3, 0, 0, constant(-1.0)},
           {3, 4, 0, constant(2.0)},
           {4, 1, 0, constant(1.0)},
           {4, 5, 0, constant(1.0)},
           {4, 6, 0, constant(-1.0)},
           {5, first_zero, 0, constant(1.0)},
           {6, second_zero, 0, constant(1.0)}},
          {{}, constant(-48.0)}};
}

/// The bowed string of Wunderlich (2008), section 7.2.4, on `cells` cells: unknowns y_b,
/// y_0 ... y_N, v_b, v_0 ... v_N and the forces at both ends; while it sticks, also the friction
/// force and v_c = v_b.
inline LinearArray bowed_string(int cells, bool sticking) {
  const int nodes = cells + 1;
  const int v_b = nodes + 1;
  const int ends = 2 * nodes + 2;
  const int friction = ends + 2;
  const int bowed = cells / 2;
  const double stiffness = 5.5 * cells * cells / 0.49;
  const double rho = 0.5;
  const int size = sticking ? friction + 1 : friction;
  std::vector<LinearArray::Term> terms;
  for (int i = 0; i < nodes + 1; ++i) {
    terms.push_back({i, i, 1, constant(1.0)});
    terms.push_back({i, v_b + i, 0, constant(-1.0)});
  }
  terms.push_back({v_b, v_b, 1, constant(1.0)});
  if (sticking) {
    terms.push_back({v_b, friction, 0, constant(-1.0)});
  }
  for (int k = 0; k < nodes; ++k) {
    const int row = v_b + 1 + k;
    if (k > 0) {
      terms.push_back({row, k, 0, constant(-stiffness)});
    }
    terms.push_back({row, 1 + k, 0, constant(2.0 * stiffness)});
    if (k + 1 < nodes) {
      terms.push_back({row, 2 + k, 0, constant(-stiffness)});
    }
    terms.push_back({row, row, 1, constant(rho)});
    if (k == 0 || k == cells) {
      terms.push_back({row, k == 0 ? ends : ends + 1, 0, constant(1.0)});
    }
    if (sticking && k == bowed) {
      terms.push_back({row, friction, 0, constant(1.0)});
    }
  }
  terms.push_back({ends, 1, 0, constant(1.0)});
  terms.push_back({ends + 1, nodes, 0, constant(1.0)});
  if (sticking) {
    terms.push_back({friction, v_b, 0, constant(-1.0)});
    terms.push_back({friction, v_b + 1 + bowed, 0, constant(1.0)});
  }
  return {size, size, 1, terms};
}

/// Example 4.11: x1' = t x3 + b1, t x2' = x2 + b2, 0 = t x1 + b3.
inline LinearArray wunderlich_4_11(std::vector<Series> b = {}) {
  return {3,
          3,
          1,
          {{0, 0, 1, constant(1.0)},
           {0, 2, 0, polynomial(0.0, -1.0)},
           {1, 1, 0, constant(-1.0)},
           {1, 1, 1, polynomial(0.0, 1.0)},
           {2, 0, 0, polynomial(0.0, -1.0)}},
          std::move(b)};
}

/// Example 4.12: t x3' = x5, t x4' = x6, t x1' = x3, t x2' = 0, 0 = x1, 0 = x2.
inline LinearArray wunderlich_4_12() {
  const Series t = polynomial(0.0, 1.0);
  return {6,
          6,
          1,
          {{0, 2, 1, t},
           {0, 4, 0, constant(-1.0)},
           {1, 3, 1, t},
           {1, 5, 0, constant(-1.0)},
           {2, 0, 1, t},
           {2, 2, 0, constant(-1.0)},
           {3, 1, 1, t},
           {4, 0, 0, constant(-1.0)},
           {5, 1, 0, constant(-1.0)}}};
}

/// The optimality system of x' = 2 x + w with the cost x^2 + weight w^2, unknowns (lambda, x, w):
/// x' = 2 x + w, -lambda' = 2 lambda + x, 0 = lambda + weight w.
inline LinearArray linear_quadratic(double weight) {
  return {3,
          3,
          1,
          {{0, 1, 0, constant(-2.0)},
           {0, 1, 1, constant(1.0)},
           {0, 2, 0, constant(-1.0)},
           {1, 0, 0, constant(-2.0)},
           {1, 0, 1, constant(-1.0)},
           {1, 1, 0, constant(-1.0)},
           {2, 0, 0, constant(-1.0)},
           {2, 2, 0, constant(-weight)}}};
}

/// Example 4.21: C p' + M v' = -K p + G^T lambda, -M p' = -M v, 0 = G p, with two degrees of
/// freedom, M = I, K = 4 I, C skew, G = (1, 1).
inline LinearArray gyroscope() {
  return {5,
          5,
          1,
          {{0, 0, 0, constant(4.0)},
           {0, 1, 1, constant(0.5)},
           {0, 2, 1, constant(1.0)},
           {0, 4, 0, constant(-1.0)},
           {1, 0, 1, constant(-0.5)},
           {1, 1, 0, constant(4.0)},
           {1, 3, 1, constant(1.0)},
           {1, 4, 0, constant(-1.0)},
           {2, 0, 1, constant(-1.0)},
           {2, 2, 0, constant(1.0)},
           {3, 1, 1, constant(-1.0)},
           {3, 3, 0, constant(1.0)},
           {4, 0, 0, constant(1.0)},
           {4, 1, 0, constant(1.0)}}};
}

}  // namespace saltus::test
