// SPDX-License-Identifier: BSD-2-Clause
// One coefficient of every kind of operation, from all lower ones: the recurrences of taylor.hpp,
// one degree at a time.
#include <cmath>

#include "tape_series.hpp"
#include "taylor.hpp"

namespace saltus::modeling {
namespace {

// The sum of a[j] b[k - j] for j = from ... to; four partial sums, so that no addition waits for
// the one before.
inline double convolution(const double* a, const double* b, int from, int to, int k) {
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  const double* x = a + from;
  const double* y = b + (k - from);
  int count = to - from + 1;
  for (; count >= 4; count -= 4, x += 4, y -= 4) {
    s0 += x[0] * y[0];
    s1 += x[1] * y[-1];
    s2 += x[2] * y[-2];
    s3 += x[3] * y[-3];
  }
  for (; count > 0; --count) {
    s0 += *x++ * *y--;
  }
  return (s0 + s1) + (s2 + s3);
}

// The sum of a[j] a[k - j] for j = from ... k - from: each product but the middle one is there
// twice.
inline double square(const double* a, int from, int k) {
  const int half = (k - 1) / 2;
  const double twice = 2.0 * convolution(a, a, from, half, k);
  return k % 2 == 0 && k / 2 >= from ? twice + a[k / 2] * a[k / 2] : twice;
}

// The sum of j a[j] b[k - j].
inline double moment(const double* a, const double* b, int from, int to, int k) {
  double s0 = 0.0, s1 = 0.0;
  int j = from;
  for (; j < to; j += 2) {
    s0 += j * a[j] * b[k - j];
    s1 += (j + 1) * a[j + 1] * b[k - j - 1];
  }
  return j == to ? s0 + s1 + j * a[j] * b[k - j] : s0 + s1;
}

// s' = a' c, c' = sign a' s
inline void pair(const double* a, double sign, double* s, double* c, int k) {
  double sum_s = 0.0, sum_c = 0.0;
  for (int j = 1; j <= k; ++j) {
    const double slope = j * a[j];
    sum_s += slope * c[k - j];
    sum_c += slope * s[k - j];
  }
  s[k] = sum_s / k;
  c[k] = sign * sum_c / k;
}

// r' = a' / w
inline void integral(double sign, const double* a, const double* w, double* r, int k) {
  r[k] = (sign * k * a[k] - moment(r, w, 1, k - 1, k)) / (k * w[0]);
}

}  // namespace

void TapeSeries::coefficient(const Run& run, const Operands* operands, int k) {
  double* const values = schedule_.values_.data();
  const double* const steady = steady_.data();
  const std::size_t stride = schedule_.stride_;
  const auto moving = [&](auto f) {
    double* out = values + run.out;
    for (const Operands* o = operands; o != operands + run.count; ++o, out += stride) {
      f(values + o->a, values + o->b, out);
    }
  };
  const auto resting = [&](auto f) {
    double* out = values + run.out;
    for (const Operands* o = operands; o != operands + run.count; ++o, out += stride) {
      f(values + o->a, steady[o->b], out);
    }
  };
  const auto pairs = [&](auto f) {
    double* out = values + run.out;
    for (const Operands* o = operands; o != operands + run.count; ++o, out += 2 * stride) {
      f(values + o->a, out, out + stride);
    }
  };
  using In = const double*;
  using Out = double*;

  switch (run.code) {
    case Code::lift:
      return resting([&](In, double, Out r) { r[k] = 0.0; });
    case Code::negate:
      return moving([&](In a, In, Out r) { r[k] = -a[k]; });
    case Code::add:
      return moving([&](In a, In b, Out r) { r[k] = a[k] + b[k]; });
    case Code::add_steady:
    case Code::subtract_steady:
      return resting([&](In a, double, Out r) { r[k] = a[k]; });
    case Code::subtract:
      return moving([&](In a, In b, Out r) { r[k] = a[k] - b[k]; });
    case Code::steady_minus:
      return resting([&](In a, double, Out r) { r[k] = -a[k]; });
    case Code::multiply:
      return moving(
          [&](In a, In b, Out r) { r[k] = a == b ? square(a, 0, k) : convolution(a, b, 0, k, k); });
    case Code::scale:
      return resting([&](In a, double b, Out r) { r[k] = b * a[k]; });
    case Code::divide:
      return moving(
          [&](In a, In b, Out r) { r[k] = (a[k] - convolution(r, b, 0, k - 1, k)) / b[0]; });
    case Code::divide_steady:
      return resting([&](In a, double b, Out r) { r[k] = a[k] / b; });
    case Code::steady_over:
      return resting([&](In a, double, Out r) { r[k] = -convolution(r, a, 0, k - 1, k) / a[0]; });
    // Rare, and with cases of their own: all coefficients again.
    case Code::power:
      return moving([&](In a, In b, Out r) {
        std::vector<double> scratch(2 * stride);
        taylor::Series<-1>(k).power(a, b, r, scratch.data());
      });
    case Code::atan2:
      return moving([&](In a, In b, Out r) {
        std::vector<double> scratch(stride);
        taylor::Series<-1>(k).atan2(a, b, r, scratch.data());
      });
    case Code::power_steady:
      return resting([&](In a, double p, Out r) {
        if (a[0] == 0.0) {
          taylor::Series<-1>(k).power(a, p, r);
          return;
        }
        double sum = 0.0;
        for (int j = 1; j <= k; ++j) {
          sum += (p * j - (k - j)) * a[j] * r[k - j];
        }
        r[k] = sum / (k * a[0]);
      });
    case Code::sqrt:
      return moving([&](In a, In, Out r) {
        const double rest = a[k] - square(r, 1, k);
        r[k] = rest == 0.0 ? 0.0 : rest / (2.0 * r[0]);
      });
    case Code::exp:
      return moving([&](In a, In, Out r) { r[k] = moment(a, r, 1, k, k) / k; });
    case Code::log:
      return moving([&](In a, In, Out r) { integral(1.0, a, a, r, k); });
    case Code::log10:
      return moving([&](In a, In, Out r) { integral(1.0 / std::log(10.0), a, a, r, k); });
    case Code::sin_cos:
      return pairs([&](In a, Out s, Out c) { pair(a, -1.0, s, c, k); });
    case Code::sinh_cosh:
      return pairs([&](In a, Out s, Out c) { pair(a, 1.0, s, c, k); });
    case Code::tan:
      return pairs([&](In a, Out t, Out w) {
        t[k] = moment(a, w, 1, k, k) / k;
        w[k] = square(t, 0, k);
      });
    case Code::tanh:
      return pairs([&](In a, Out t, Out w) {
        t[k] = moment(a, w, 1, k, k) / k;
        w[k] = -square(t, 0, k);
      });
    case Code::asin:
    case Code::atan:
      return moving([&](In a, In b, Out r) { integral(1.0, a, b, r, k); });
    case Code::acos:
      return moving([&](In a, In b, Out r) { integral(-1.0, a, b, r, k); });
    // Singles of pairs are never asked for above degree 0.
    case Code::sin:
    case Code::cos:
    case Code::sinh:
    case Code::cosh:
    case Code::count:
      return;
  }
}

// How coefficient k > 0 of a result changes with coefficient k of its operands.
void TapeSeries::partials(Correction& c) const {
  const Run& run = schedule_.runs_[c.run];
  const Operands& o = schedule_.operands_[c.instruction];
  const double* const values = schedule_.values_.data();
  const double r = values[c.out * schedule_.stride_];
  const auto a = [&] { return values[o.a]; };
  const auto b = [&] { return values[o.b]; };
  const auto resting = [&] { return steady_.data()[o.b]; };
  const auto other = [&] {  // of the pair
    return c.second ? values[(c.out - 1) * schedule_.stride_]
                    : values[(c.out + 1) * schedule_.stride_];
  };
  c.by_b = 0.0;
  switch (run.code) {
    case Code::negate:
    case Code::steady_minus:
      c.by_a = -1.0;
      break;
    case Code::add:
      c.by_a = c.by_b = 1.0;
      break;
    case Code::add_steady:
    case Code::subtract_steady:
      c.by_a = 1.0;
      break;
    case Code::subtract:
      c.by_a = 1.0;
      c.by_b = -1.0;
      break;
    case Code::multiply:
      c.by_a = b();
      c.by_b = a();
      break;
    case Code::scale:
      c.by_a = resting();
      break;
    case Code::divide:
      c.by_a = 1.0 / b();
      c.by_b = -r / b();
      break;
    case Code::divide_steady:
      c.by_a = 1.0 / resting();
      break;
    case Code::steady_over:
      c.by_a = -r / a();
      break;
    case Code::power:
      c.by_a = b() * std::pow(a(), b() - 1.0);
      c.by_b = r == 0.0 ? 0.0 : r * std::log(a());
      break;
    case Code::power_steady:
      c.by_a = resting() * std::pow(a(), resting() - 1.0);
      break;
    case Code::atan2: {
      const double square_of_radius = a() * a() + b() * b();
      c.by_a = b() / square_of_radius;
      c.by_b = -a() / square_of_radius;
      break;
    }
    case Code::sqrt:
      c.by_a = r > 0.0 ? 0.5 / r : 0.0;  // a root that rests at zero
      break;
    case Code::exp:
      c.by_a = r;
      break;
    case Code::log:
      c.by_a = 1.0 / a();
      break;
    case Code::log10:
      c.by_a = 1.0 / (std::log(10.0) * a());
      break;
    case Code::sin_cos:
      c.by_a = c.second ? -other() : other();
      break;
    case Code::sinh_cosh:
      c.by_a = other();
      break;
    case Code::tan:
      c.by_a = c.second ? 2.0 * other() * r : other();
      break;
    case Code::tanh:
      c.by_a = c.second ? -2.0 * other() * r : other();
      break;
    case Code::asin:
    case Code::atan:
      c.by_a = 1.0 / b();
      break;
    case Code::acos:
      c.by_a = -1.0 / b();
      break;
    default:
      c.by_a = 0.0;
      break;
  }
}

}  // namespace saltus::modeling
