// SPDX-License-Identifier: BSD-2-Clause
// What one does by hand where a solver cannot do it: constraints differentiated twice, solved for
// accelerations and multipliers at every right-hand side.
#include <algorithm>
#include <array>
#include <cmath>

#include "dae_peer.hpp"
#include "problems/daes/andrews_squeezer.hpp"

namespace saltus::benchmarks {
namespace {

// In place by Cholesky's decomposition; the lower triangle of a is given.
void solve_symmetric(std::array<std::array<double, 6>, 6>& a, std::array<double, 6>& x) {
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      for (std::size_t i = j; i < 6; ++i) {
        a[i][j] -= a[i][k] * a[j][k];
      }
    }
    const double root = 1.0 / std::sqrt(a[j][j]);
    for (std::size_t i = j; i < 6; ++i) {
      a[i][j] *= root;
    }
    x[j] *= root;
    for (std::size_t i = j + 1; i < 6; ++i) {
      x[i] -= a[i][j] * x[j];
    }
    a[j][j] = root;
  }
  for (std::size_t j = 6; j-- > 0;) {
    for (std::size_t i = j + 1; i < 6; ++i) {
      x[j] -= a[i][j] * x[i];
    }
    x[j] *= a[j][j];
  }
}

// A symmetric 2 by 2 matrix.
struct Pair {
  double a, b, c;
  Pair inverse() const {
    const double factor = 1.0 / (a * c - b * b);
    return {c * factor, -b * factor, a * factor};
  }
  std::array<double, 2> times(double x, double y) const { return {a * x + b * y, b * x + c * y}; }
};

// M a + G' lambda = f, G a = -bend, with the variables of the model in problems/daes. In G the
// first two bodies stand in all rows, each other pair of bodies (or the spring's body alone) in
// two.
void accelerate(const double* q, const double* v, double* a, double* lambda) {
  using namespace problems::squeezer;
  const double sin_be = std::sin(q[0]), cos_be = std::cos(q[0]);
  const double sin_th = std::sin(q[1]), cos_th = std::cos(q[1]);
  const double sin_ga = std::sin(q[2]), cos_ga = std::cos(q[2]);
  const double sin_ph = std::sin(q[3]), cos_ph = std::cos(q[3]);
  const double sin_de = std::sin(q[4]), cos_de = std::cos(q[4]);
  const double sin_om = std::sin(q[5]), cos_om = std::cos(q[5]);
  const double sin_ep = std::sin(q[6]), cos_ep = std::cos(q[6]);
  const double sin_beth = sin_be * cos_th + cos_be * sin_th;
  const double cos_beth = cos_be * cos_th - sin_be * sin_th;
  const double sin_phde = sin_ph * cos_de + cos_ph * sin_de;
  const double cos_phde = cos_ph * cos_de - sin_ph * sin_de;
  const double sin_omep = sin_om * cos_ep + cos_om * sin_ep;
  const double cos_omep = cos_om * cos_ep - sin_om * sin_ep;

  constexpr double arm4 = e - ea, arm6 = zf - fa;
  const double m12 = m2 * (da * da - da * rr * cos_th) + i2;
  const Pair bars = Pair{m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * cos_th + da * da) + i1 + i2,
                         m12, m2 * da * da + i2}
                        .inverse();
  constexpr double third = 1.0 / (m3 * (sa * sa + sb * sb) + i3);
  const Pair left = Pair{m4 * arm4 * arm4 + i4, m4 * (arm4 * arm4 + zt * arm4 * sin_ph) + i4,
                         m4 * (zt * zt + 2.0 * zt * arm4 * sin_ph + arm4 * arm4) +
                             m5 * (ta * ta + tb * tb) + i4 + i5}
                        .inverse();
  const Pair right = Pair{m6 * arm6 * arm6 + i6, m6 * (arm6 * arm6 - u * arm6 * sin_om) + i6,
                          m6 * (arm6 * arm6 - 2.0 * u * arm6 * sin_om + u * u) +
                              m7 * (ua * ua + ub * ub) + i6 + i7}
                         .inverse();

  const double xd = sd * cos_ga + sc * sin_ga + xb - xc;
  const double yd = sd * sin_ga - sc * cos_ga + yb - yc;
  const double force = stiffness * (rest / std::sqrt(xd * xd + yd * yd) - 1.0);
  const std::array<double, 2> f01 =
      bars.times(torque - m2 * da * rr * v[1] * (v[1] + 2.0 * v[0]) * sin_th,
                 m2 * da * rr * v[0] * v[0] * sin_th);
  const double f2 =
      third * force * (xd * (sc * cos_ga - sd * sin_ga) + yd * (sd * cos_ga + sc * sin_ga));
  const std::array<double, 2> f34 = left.times(
      m4 * zt * arm4 * v[4] * v[4] * cos_ph, -m4 * zt * arm4 * v[3] * (v[3] + 2.0 * v[4]) * cos_ph);
  const std::array<double, 2> f56 = right.times(
      -m6 * u * arm6 * v[6] * v[6] * cos_om, m6 * u * arm6 * v[5] * (v[5] + 2.0 * v[6]) * cos_om);

  // Rows of G: the part of the bars, in x and in y, and the parts of the others.
  const std::array<std::array<double, 2>, 2> g_bars{
      {{-rr * sin_be + d * sin_beth, d * sin_beth}, {rr * cos_be - d * cos_beth, -d * cos_beth}}};
  const std::array<double, 2> g_third{-ss * cos_ga, -ss * sin_ga};
  const std::array<std::array<double, 2>, 2> g_left{
      {{-e * cos_phde, -e * cos_phde + zt * sin_de}, {-e * sin_phde, -e * sin_phde - zt * cos_de}}};
  const std::array<std::array<double, 2>, 2> g_right{
      {{zf * sin_omep, zf * sin_omep - u * cos_ep}, {-zf * cos_omep, -zf * cos_omep - u * sin_ep}}};

  const double v0 = v[0] * v[0], v01 = (v[0] + v[1]) * (v[0] + v[1]), v2 = v[2] * v[2];
  const double v34 = (v[3] + v[4]) * (v[3] + v[4]), v56 = (v[5] + v[6]) * (v[5] + v[6]);
  const double bend_x = -rr * cos_be * v0 + d * cos_beth * v01;
  const double bend_y = -rr * sin_be * v0 + d * sin_beth * v01;
  std::array<double, 6> x{bend_x + ss * sin_ga * v2,
                          bend_y - ss * cos_ga * v2,
                          bend_x + e * sin_phde * v34 + zt * cos_de * v[4] * v[4],
                          bend_y - e * cos_phde * v34 + zt * sin_de * v[4] * v[4],
                          bend_x + zf * cos_omep * v56 + u * sin_ep * v[6] * v[6],
                          bend_y + zf * sin_omep * v56 - u * cos_ep * v[6] * v[6]};

  std::array<std::array<double, 6>, 6> s;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::array<double, 2> of_bars = bars.times(g_bars[i][0], g_bars[i][1]);
    const std::array<double, 2> of_left = left.times(g_left[i][0], g_left[i][1]);
    const std::array<double, 2> of_right = right.times(g_right[i][0], g_right[i][1]);
    for (std::size_t j = 0; j < 2; ++j) {
      const double common = of_bars[0] * g_bars[j][0] + of_bars[1] * g_bars[j][1];
      for (std::size_t block = 0; block < 6; block += 2) {
        s[2 + i][block + j] = s[4 + i][block + j] = s[i][block + j] = common;
      }
      s[i][j] += third * g_third[i] * g_third[j];
      s[2 + i][2 + j] += of_left[0] * g_left[j][0] + of_left[1] * g_left[j][1];
      s[4 + i][4 + j] += of_right[0] * g_right[j][0] + of_right[1] * g_right[j][1];
    }
    const double common = g_bars[i][0] * f01[0] + g_bars[i][1] * f01[1];
    x[i] += common + g_third[i] * f2;
    x[2 + i] += common + g_left[i][0] * f34[0] + g_left[i][1] * f34[1];
    x[4 + i] += common + g_right[i][0] * f56[0] + g_right[i][1] * f56[1];
  }
  solve_symmetric(s, x);

  const auto back = [](const Pair& inverse, const std::array<std::array<double, 2>, 2>& g,
                       double lx, double ly) {
    return inverse.times(g[0][0] * lx + g[1][0] * ly, g[0][1] * lx + g[1][1] * ly);
  };
  const std::array<double, 2> b01 = back(bars, g_bars, x[0] + x[2] + x[4], x[1] + x[3] + x[5]);
  const std::array<double, 2> b34 = back(left, g_left, x[2], x[3]);
  const std::array<double, 2> b56 = back(right, g_right, x[4], x[5]);
  a[0] = f01[0] - b01[0];
  a[1] = f01[1] - b01[1];
  a[2] = f2 - third * (g_third[0] * x[0] + g_third[1] * x[1]);
  a[3] = f34[0] - b34[0];
  a[4] = f34[1] - b34[1];
  a[5] = f56[0] - b56[0];
  a[6] = f56[1] - b56[1];
  if (lambda != nullptr) {
    std::copy(x.begin(), x.end(), lambda);
  }
}

// As the model in problems/daes; y is (xl, yl, xr, yr) with its velocities.
void accelerate_axis(double t, const double* y, double* a, double* lambda) {
  constexpr double rest = 0.5, mass = 10.0 * 1e-2 * 1e-2 / 2.0, frequency = 10.0;
  const double yb = 0.1 * std::sin(frequency * t);
  const double yb1 = 0.1 * frequency * std::cos(frequency * t);
  const double yb2 = -frequency * frequency * yb;
  const double xb = std::sqrt(1.0 - yb * yb);
  const double xb1 = -yb * yb1 / xb;
  const double xb2 = -(yb1 * yb1 + yb * yb2 + xb1 * xb1) / xb;
  const double left = rest / std::sqrt(y[0] * y[0] + y[1] * y[1]) - 1.0;
  const double rx = y[2] - xb, ry = y[3] - yb;
  const double right = rest / std::sqrt(rx * rx + ry * ry) - 1.0;
  const double fxl = left * y[0], fyl = left * y[1] - mass;
  const double fxr = right * rx, fyr = right * ry - mass;
  const double dx = y[0] - y[2], dy = y[1] - y[3];
  const double dvx = y[4] - y[6], dvy = y[5] - y[7];
  const double mixed = xb * dx + yb * dy;
  const double b1 =
      -(xb * fxl + yb * fyl) - mass * (2.0 * (xb1 * y[4] + yb1 * y[5]) + xb2 * y[0] + yb2 * y[1]);
  const double b2 = -(dx * (fxl - fxr) + dy * (fyl - fyr)) - mass * (dvx * dvx + dvy * dvy);
  const double square = 4.0 * (dx * dx + dy * dy);
  const double determinant = square - 2.0 * mixed * mixed;
  const double l1 = (square * b1 - 2.0 * mixed * b2) / determinant;
  const double l2 = (b2 - mixed * b1) / determinant;
  a[0] = (fxl + l1 * xb + 2.0 * l2 * dx) / mass;
  a[1] = (fyl + l1 * yb + 2.0 * l2 * dy) / mass;
  a[2] = (fxr - 2.0 * l2 * dx) / mass;
  a[3] = (fyr - 2.0 * l2 * dy) / mass;
  if (lambda != nullptr) {
    lambda[0] = l1;
    lambda[1] = l2;
  }
}

}  // namespace

HandMadeOde andrews_ode() {
  HandMadeOde ode;
  ode.start = problems::squeezer::start_q;
  ode.start.resize(14, 0.0);
  ode.slope = [](double, const double* y, double* yp) {
    std::copy(y + 7, y + 14, yp);
    accelerate(y, y + 7, yp + 7, nullptr);
  };
  ode.algebraics = [](double, const double* y) {
    std::vector<double> rest(13);
    accelerate(y, y + 7, rest.data(), rest.data() + 7);
    return rest;
  };
  return ode;
}

HandMadeOde car_axis_ode() {
  HandMadeOde ode;
  ode.start = {0.0, 0.5, 1.0, 0.5, -0.5, 0.0, -0.5, 0.0};
  ode.slope = [](double t, const double* y, double* yp) {
    std::copy(y + 4, y + 8, yp);
    accelerate_axis(t, y, yp + 4, nullptr);
  };
  ode.algebraics = [](double t, const double* y) {
    std::array<double, 4> unused;
    std::vector<double> lambda(2);
    accelerate_axis(t, y, unused.data(), lambda.data());
    return lambda;
  };
  return ode;
}

}  // namespace saltus::benchmarks
