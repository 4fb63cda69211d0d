// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "solvable_array.hpp"

// What whoever integrates the solvable system asks of it.

namespace saltus {

Eval SolvableArray::values(double t, double scale, std::size_t degree, ConstVec c, Vec F) {
  const Expansion& e = expansion(t, degree);
  if (e.P.empty()) {
    return Eval::discard;
  }
  const auto n = static_cast<Eigen::Index>(unknowns());
  const auto coefficient = [&](std::size_t k) {
    return Eigen::Map<const Vector>(c.data() + k * unknowns(), n);
  };
  for (std::size_t k = 0; k <= degree; ++k) {
    Eigen::Map<Vector> out(F.data() + k * unknowns(), n);
    double power = 1.0;  // of the ratio of both time units
    out.setZero();
    for (std::size_t j = 0; j <= k; ++j) {
      const std::size_t l = k - j;
      out += power * (e.P[j] * coefficient(l + 1) * (static_cast<double>(l + 1) / scale) +
                      e.Q[j] * coefficient(l));
      if (j == k) {
        out += power * e.g[k];
      }
      power *= scale / scale_;
    }
  }
  return Eval::ok;
}

Eval SolvableArray::linearize(double t, double scale, std::size_t degree, ConstVec, Vec a) {
  const Expansion& e = expansion(t, degree);
  if (e.P.empty()) {
    return Eval::discard;
  }
  double power = 1.0;
  for (std::size_t k = 0; k <= degree; ++k, power *= scale / scale_) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const auto [row, unknown, order] = entries_[i];
      a[k * entries_.size() + i] = power * (order == 1 ? e.P : e.Q)[k](row, unknown);
    }
  }
  return Eval::ok;
}

Eval SolvableArray::evaluate(double t, ConstVec, ConstVec, Vec by_value, Vec by_slope) {
  const Expansion& e = expansion(t, 0);
  if (e.P.empty()) {
    return Eval::discard;
  }
  for (std::size_t j = 0; j < unknowns(); ++j) {
    for (int k = pattern_.first[j]; k < pattern_.first[j + 1]; ++k) {
      const auto column = static_cast<Eigen::Index>(j);
      by_value[static_cast<std::size_t>(k)] =
          e.Q[0](pattern_.row[static_cast<std::size_t>(k)], column);
      by_slope[static_cast<std::size_t>(k)] =
          e.P[0](pattern_.row[static_cast<std::size_t>(k)], column);
    }
  }
  return Eval::ok;
}

}  // namespace saltus
