// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "saltus/core/derivative_array.hpp"

namespace saltus::test {

/// A function of time by its Taylor coefficients: series(t, k) is the k-th derivative over k!.
using Series = std::function<double(double t, int k)>;

inline Series constant(double value) {
  return [value](double, int k) { return k == 0 ? value : 0.0; };
}

/// a + b t + c t^2.
inline Series polynomial(double a, double b, double c = 0.0) {
  return [a, b, c](double t, int k) {
    return k == 0 ? a + t * (b + t * c) : k == 1 ? b + 2.0 * c * t : k == 2 ? c : 0.0;
  };
}

/// The linear equations  sum of coefficient * x_unknown^(order) = right-hand side, each coefficient
/// a function of time, with its derivative array.
class LinearArray : public DerivativeArray {
 public:
  struct Term {
    int row;
    int unknown;
    int order;
    Series coefficient;
  };

  /// Terms are sorted by row, then unknown, then order; right-hand sides that are missing are zero.
  LinearArray(int equations, int unknowns, int order, std::vector<Term> terms,
              std::vector<Series> right = {})
      : equations_(equations),
        unknowns_(unknowns),
        order_(order),
        terms_(std::move(terms)),
        right_(std::move(right)) {
    for (const Term& term : terms_) {
      entries_.push_back({term.row, term.unknown, term.order});
    }
  }

  std::size_t equations() const override { return static_cast<std::size_t>(equations_); }
  std::size_t unknowns() const override { return static_cast<std::size_t>(unknowns_); }
  std::size_t order() const override { return static_cast<std::size_t>(order_); }
  std::string equation_name(std::size_t i) const override {
    return "equation " + std::to_string(i + 1);
  }
  std::span<const Entry> entries() const override { return entries_; }
  const std::vector<Term>& terms() const { return terms_; }
  const std::vector<Series>& right() const { return right_; }

  Eval values(double t, double scale, std::size_t degree, ConstVec c, Vec F) override {
    std::vector<double> a(entries_.size() * (degree + 1));
    if (linearize(t, scale, degree, c, a) != Eval::ok) {
      return Eval::discard;
    }
    for (std::size_t k = 0; k <= degree; ++k) {
      for (std::size_t i = 0; i < equations(); ++i) {
        F[k * equations() + i] = i < right_.size() && right_[i]
                                     ? -right_[i](t, static_cast<int>(k)) * power(scale, k)
                                     : 0.0;
      }
      for (std::size_t e = 0; e < entries_.size(); ++e) {
        const auto q = static_cast<std::size_t>(entries_[e].order);
        for (std::size_t l = q; l <= k + q; ++l) {
          double factor = 1.0;
          for (std::size_t p = 0; p < q; ++p) {
            factor *= static_cast<double>(l - p) / scale;
          }
          F[k * equations() + static_cast<std::size_t>(entries_[e].row)] +=
              factor * a[(k + q - l) * entries_.size() + e] *
              c[l * unknowns() + static_cast<std::size_t>(entries_[e].unknown)];
        }
      }
    }
    return Eval::ok;
  }

  Eval linearize(double t, double scale, std::size_t degree, ConstVec /*c*/, Vec a) override {
    for (std::size_t k = 0; k <= degree; ++k) {
      for (std::size_t e = 0; e < entries_.size(); ++e) {
        a[k * entries_.size() + e] =
            terms_[e].coefficient(t, static_cast<int>(k)) * power(scale, k);
      }
    }
    return Eval::ok;
  }

 private:
  static double power(double x, std::size_t k) {
    double result = 1.0;
    for (; k > 0; --k) {
      result *= x;
    }
    return result;
  }

  int equations_;
  int unknowns_;
  int order_;
  std::vector<Term> terms_;
  std::vector<Series> right_;
  std::vector<Entry> entries_;
};

/// The first companion form of a second-order system: v = x' for every x, unknowns (x, v).
inline LinearArray companion(const LinearArray& system) {
  const int n = static_cast<int>(system.unknowns());
  std::vector<LinearArray::Term> terms;
  for (const LinearArray::Term& term : system.terms()) {
    terms.push_back(term.order == 0 ? term
                                    : LinearArray::Term{term.row, n + term.unknown, term.order - 1,
                                                        term.coefficient});
  }
  const int m = static_cast<int>(system.equations());
  for (int j = 0; j < n; ++j) {
    terms.push_back({m + j, j, 1, constant(1.0)});
    terms.push_back({m + j, n + j, 0, constant(-1.0)});
  }
  return {m + n, 2 * n, 1, terms, system.right()};
}

}  // namespace saltus::test
