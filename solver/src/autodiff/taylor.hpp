// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>

/// Taylor coefficients of elementary operations from those of their operands, by the recurrences of
/// Griewank and Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, section 13.2 (tables 13.1 and
/// 13.2).
///
/// `Degree` is known at compile time for 0 to 3, which are what index reduction mostly
/// asks for; -1 takes it from the argument. Results never overlap operands.
namespace saltus::modeling::taylor {

template <int Degree>
class Series {
 public:
  using In = const double* __restrict;
  using Out = double* __restrict;

  explicit Series(int degree) : degree_(degree) {}
  int degree() const { return Degree >= 0 ? Degree : degree_; }

  // f(k) for k = 0 ... degree, and for k = 1 ... degree.
  template <class F>
  void all(F f) const {
    f(0);
    higher(f);
  }
  template <class F>
  void higher(F f) const {
    if constexpr (Degree < 0) {
      for (int k = 1; k <= degree_; ++k) {
        f(k);
      }
    }
    if constexpr (Degree >= 1) {
      f(1);
    }
    if constexpr (Degree >= 2) {
      f(2);
    }
    if constexpr (Degree >= 3) {
      f(3);
    }
  }

  void multiply(In a, In b, Out c) const {
    all([&](int k) { c[k] = convolution(a, b, 0, k, k); });
  }
  void divide(In a, In b, Out c) const {
    all([&](int k) { c[k] = (a[k] - convolution(c, b, 0, k - 1, k)) / b[0]; });
  }
  void sqrt(In a, Out r) const {
    r[0] = std::sqrt(a[0]);
    higher([&](int k) {
      const double rest = a[k] - convolution(r, r, 1, k - 1, k);
      r[k] = rest == 0.0 ? 0.0 : rest / (2.0 * r[0]);
    });
  }
  void exp(In a, Out r) const { exponential(std::exp(a[0]), a, r); }
  // r' = a' r
  void exponential(double r0, In a, Out r) const {
    r[0] = r0;
    higher([&](int k) { r[k] = moment(a, r, 1, k, k) / k; });
  }
  // r' = a' / w, for log, asin, atan (and with -a' for acos)
  void integral(double r0, double sign, In a, In w, Out r) const {
    r[0] = r0;
    higher([&](int k) { r[k] = (sign * k * a[k] - moment(r, w, 1, k - 1, k)) / (k * w[0]); });
  }
  // s' = a' c, c' = sign a' s
  void pair(double s0, double c0, double sign, In a, Out s, Out c) const {
    s[0] = s0;
    c[0] = c0;
    higher([&](int k) {
      s[k] = moment(a, c, 1, k, k) / k;
      c[k] = sign * moment(a, s, 1, k, k) / k;
    });
  }
  // t' = a' w, w = 1 + sign t^2
  void tangent(double t0, double w0, double sign, In a, Out t, Out w) const {
    t[0] = t0;
    w[0] = w0;
    higher([&](int k) {
      t[k] = moment(a, w, 1, k, k) / k;
      w[k] = sign * convolution(t, t, 0, k, k);
    });
  }
  // r = a^p with p at rest: a r' = p a' r
  void power(In a, double p, Out r) const {
    r[0] = std::pow(a[0], p);
    if (degree() > 0 && a[0] == 0.0) {
      power_at_zero(degree(), a, p, r);
      return;
    }
    higher([&](int k) {
      double sum = 0.0;
      for (int j = 1; j <= k; ++j) {
        sum += (p * j - (k - j)) * a[j] * r[k - j];
      }
      r[k] = sum / (k * a[0]);
    });
  }
  // r = exp(b log a); `scratch` holds two series.
  void power(In a, In b, Out r, double* scratch) const {
    bool rests = true;
    higher([&](int k) { rests = rests && b[k] == 0.0; });
    if (rests) {
      power(a, b[0], r);
      return;
    }
    double* logarithm = scratch;
    double* exponent = scratch + degree() + 1;
    integral(std::log(a[0]), 1.0, a, a, logarithm);
    multiply(b, logarithm, exponent);
    exponential(std::pow(a[0], b[0]), exponent, r);
  }
  // (x^2 + y^2) r' = x y' - y x'; `scratch` holds one series.
  void atan2(In y, In x, Out r, double* scratch) const {
    r[0] = std::atan2(y[0], x[0]);
    all([&](int k) { scratch[k] = convolution(x, x, 0, k, k) + convolution(y, y, 0, k, k); });
    higher([&](int k) {
      const double turn = moment(y, x, 1, k, k) - moment(x, y, 1, k, k);
      r[k] = (turn - moment(r, scratch, 1, k - 1, k)) / (k * scratch[0]);
    });
  }

 private:
  // Sums over j = from ... to of a_j b_{k-j}, and of j a_j b_{k-j}.
  static double convolution(const double* a, const double* b, int from, int to, int k) {
    double sum = 0.0;
    for (int j = from; j <= to; ++j) {
      sum += a[j] * b[k - j];
    }
    return sum;
  }
  static double moment(const double* a, const double* b, int from, int to, int k) {
    double sum = 0.0;
    for (int j = from; j <= to; ++j) {
      sum += j * a[j] * b[k - j];
    }
    return sum;
  }
  static void power_at_zero(int degree, const double* a, double p, double* r);

  int degree_;
};

/// a^p for a_0 = 0, degree above zero: the recurrence would divide by zero. With a = tau^v u,
/// u_0 != 0, it is tau^(vp) u^p, smooth only for whole p; other powers have derivatives below vp
/// alone. A base that rests at zero stays there.
void power_at_zero(int degree, const double* a, double p, double* r);

template <int Degree>
void Series<Degree>::power_at_zero(int degree, const double* a, double p, double* r) {
  taylor::power_at_zero(degree, a, p, r);
}

}  // namespace saltus::modeling::taylor
