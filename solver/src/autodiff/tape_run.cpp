// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <limits>

#include "tape_schedule.hpp"
#include "taylor.hpp"

namespace saltus::modeling {

void taylor::power_at_zero(int degree, const double* a, double p, double* r) {
  int v = 1;
  while (v <= degree && a[v] == 0.0) {
    ++v;
  }
  const bool whole = p >= 1.0 && p == std::trunc(p);
  const bool rests = v > degree || p == 0.0;
  for (int k = 1; k <= degree; ++k) {
    r[k] = rests || whole || k < v * p ? 0.0 : std::numeric_limits<double>::quiet_NaN();
  }
  if (!rests && whole && v * p <= degree) {
    const int shift = v * static_cast<int>(p);
    Series<-1>(degree - shift).power(a + v, p, r + shift);
  }
}

// Coefficient k of x^(q) is (k + q)! / k! / scale^q times coefficient k + q of x. Leaves come
// sorted by their order, so the factors are computed once for each.
void TapeSchedule::load(double t, double scale, std::size_t unknowns, const double* c) {
  double* const factor = scratch_.data();
  int order = -1;
  for (const Load& leaf : loads_) {
    if (leaf.order != order) {
      order = leaf.order;
      for (std::size_t k = 0; k < stride_; ++k) {
        factor[k] = 1.0;
        for (int q = 1; q <= order; ++q) {
          factor[k] *= (static_cast<double>(k) + q) / scale;
        }
      }
    }
    double* out = values_.data() + leaf.out;
    const double* in = c + leaf.unknown + static_cast<std::size_t>(order) * unknowns;
    for (int k = 0; k <= leaf.degree; ++k, in += unknowns) {
      out[k] = factor[k] * *in;
    }
  }
  if (time_out_ >= 0) {
    double* out = values_.data() + time_out_;
    out[0] = t;
    for (std::size_t k = 1; k < stride_; ++k) {
      out[k] = k == 1 ? scale : 0.0;
    }
  }
}

bool TapeSchedule::store(const double* steady, Vec results) const {
  double check = 0.0;  // 0 * x is not a number unless x is finite
  for (const Store& s : stores_) {
    const double* from = (s.steady ? steady : values_.data()) + s.from;
    double* to = results.data() + s.place;
    check += 0.0 * (to[0] = from[0]);
    for (int k = 1; k <= s.degree; ++k) {
      const double value = s.steady ? 0.0 : from[k];
      to[static_cast<std::size_t>(k) * wanted_] = value;
      check += 0.0 * value;
    }
  }
  return check == 0.0;
}

bool TapeSchedule::evaluate(double t, double scale, std::size_t unknowns, const double* c,
                            const double* steady, Vec results) {
  load(t, scale, unknowns, c);
  const Operands* next = operands_.data();
  for (const Run& run : runs_) {
    switch (run.degree) {
      case 0:
        execute<0>(run, next, steady);
        break;
      case 1:
        execute<1>(run, next, steady);
        break;
      case 2:
        execute<2>(run, next, steady);
        break;
      case 3:
        execute<3>(run, next, steady);
        break;
      default:
        execute<-1>(run, next, steady);
        break;
    }
    next += run.count;
  }
  return store(steady, results);
}

template <int Degree>
void TapeSchedule::execute(const Run& run, const Operands* operands, const double* steady) {
  using In = const double*;
  using Out = double*;
  const taylor::Series<Degree> series(run.degree);
  double* const values = values_.data();
  double* const scratch = scratch_.data();
  const std::size_t stride = stride_;

  // f(operand a, operand b or the resting operand, result)
  const auto moving = [&](auto f) {
    Out out = values + run.out;
    for (const Operands* o = operands; o != operands + run.count; ++o, out += stride) {
      f(In(values + o->a), In(values + o->b), out);
    }
  };
  const auto resting = [&](auto f) {
    Out out = values + run.out;
    for (const Operands* o = operands; o != operands + run.count; ++o, out += stride) {
      f(In(values + o->a), steady[o->b], out);
    }
  };
  const auto pairs = [&](auto f) {
    Out out = values + run.out;
    for (const Operands* o = operands; o != operands + run.count; ++o, out += 2 * stride) {
      f(In(values + o->a), out, out + stride);
    }
  };
  const auto& s = series;

  switch (run.code) {
    case Code::lift:
      return resting([&](In, double b, Out r) { s.all([&](int k) { r[k] = k == 0 ? b : 0.0; }); });
    case Code::negate:
      return moving([&](In a, In, Out r) { s.all([&](int k) { r[k] = -a[k]; }); });
    case Code::add:
      return moving([&](In a, In b, Out r) { s.all([&](int k) { r[k] = a[k] + b[k]; }); });
    case Code::add_steady:
      return resting([&](In a, double b, Out r) {
        r[0] = a[0] + b;
        s.higher([&](int k) { r[k] = a[k]; });
      });
    case Code::subtract:
      return moving([&](In a, In b, Out r) { s.all([&](int k) { r[k] = a[k] - b[k]; }); });
    case Code::subtract_steady:
      return resting([&](In a, double b, Out r) {
        r[0] = a[0] - b;
        s.higher([&](int k) { r[k] = a[k]; });
      });
    case Code::steady_minus:
      return resting([&](In a, double b, Out r) {
        r[0] = b - a[0];
        s.higher([&](int k) { r[k] = -a[k]; });
      });
    case Code::multiply:
      return moving([&](In a, In b, Out r) { s.multiply(a, b, r); });
    case Code::scale:
      return resting([&](In a, double b, Out r) { s.all([&](int k) { r[k] = b * a[k]; }); });
    case Code::divide:
      return moving([&](In a, In b, Out r) { s.divide(a, b, r); });
    case Code::divide_steady:
      return resting([&](In a, double b, Out r) { s.all([&](int k) { r[k] = a[k] / b; }); });
    case Code::steady_over:
      return resting([&](In a, double b, Out r) {
        r[0] = b / a[0];
        s.higher([&](int k) {
          double sum = 0.0;
          for (int j = 0; j < k; ++j) {
            sum += r[j] * a[k - j];
          }
          r[k] = -sum / a[0];
        });
      });
    case Code::power:
      return moving([&](In a, In b, Out r) { s.power(a, b, r, scratch); });
    case Code::power_steady:
      return resting([&](In a, double b, Out r) { s.power(a, b, r); });
    case Code::atan2:
      return moving([&](In a, In b, Out r) { s.atan2(a, b, r, scratch); });
    case Code::sqrt:
      return moving([&](In a, In, Out r) { s.sqrt(a, r); });
    case Code::exp:
      return moving([&](In a, In, Out r) { s.exp(a, r); });
    case Code::log:
      return moving([&](In a, In, Out r) { s.integral(std::log(a[0]), 1.0, a, a, r); });
    case Code::log10:
      return moving([&](In a, In, Out r) {
        s.integral(std::log(a[0]), 1.0, a, a, r);
        s.higher([&](int k) { r[k] /= std::log(10.0); });
        r[0] = std::log10(a[0]);
      });
    // Singles of pairs are asked for at degree 0 only.
    case Code::sin:
      return moving([&](In a, In, Out r) { r[0] = std::sin(a[0]); });
    case Code::cos:
      return moving([&](In a, In, Out r) { r[0] = std::cos(a[0]); });
    case Code::sinh:
      return moving([&](In a, In, Out r) { r[0] = std::sinh(a[0]); });
    case Code::cosh:
      return moving([&](In a, In, Out r) { r[0] = std::cosh(a[0]); });
    case Code::sin_cos:
      return pairs(
          [&](In a, Out r, Out c) { s.pair(std::sin(a[0]), std::cos(a[0]), -1.0, a, r, c); });
    case Code::sinh_cosh:
      return pairs(
          [&](In a, Out r, Out c) { s.pair(std::sinh(a[0]), std::cosh(a[0]), 1.0, a, r, c); });
    case Code::tan:
      return pairs([&](In a, Out r, Out w) {
        const double t = std::tan(a[0]);
        s.tangent(t, 1.0 + t * t, 1.0, a, r, w);
      });
    case Code::tanh:
      return pairs([&](In a, Out r, Out w) {
        const double t = std::tanh(a[0]);
        s.tangent(t, (1.0 - t) * (1.0 + t), -1.0, a, r, w);
      });
    case Code::asin:
      return moving([&](In a, In b, Out r) { s.integral(std::asin(a[0]), 1.0, a, b, r); });
    case Code::acos:
      return moving([&](In a, In b, Out r) { s.integral(std::acos(a[0]), -1.0, a, b, r); });
    case Code::atan:
      return moving([&](In a, In b, Out r) { s.integral(std::atan(a[0]), 1.0, a, b, r); });
    case Code::count:
      return;
  }
}

void TapeSchedule::execute_values(const Run& run, const Operands* operands, const double* steady) {
  execute<0>(run, operands, steady);
}

}  // namespace saltus::modeling
