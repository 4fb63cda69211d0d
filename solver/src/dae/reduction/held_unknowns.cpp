// SPDX-License-Identifier: BSD-2-Clause
#include "held_unknowns.hpp"

#include <algorithm>
#include <utility>

namespace saltus {

std::vector<int> unmentioned_unknowns(const DerivativeArray& array) {
  std::vector<char> mentioned(array.unknowns(), 0);
  for (const DerivativeArray::Entry& entry : array.entries()) {
    mentioned[entry.unknown] = 1;
  }
  std::vector<int> others;
  for (std::size_t j = 0; j < mentioned.size(); ++j) {
    if (mentioned[j] == 0) {
      others.push_back(static_cast<int>(j));
    }
  }
  return others;
}

HeldUnknowns::HeldUnknowns(DerivativeArray& array, std::vector<int> held)
    : array_(array),
      held_(std::move(held)),
      order_(std::max<std::size_t>(1, array.order())),
      entries_(array.entries().begin(), array.entries().end()) {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    entries_.push_back({static_cast<int>(array_.equations() + i), held_[i], 1});
  }
}

std::string HeldUnknowns::equation_name(std::size_t i) const {
  return i < array_.equations() ? array_.equation_name(i) : "an unknown without equations is held";
}

// The derivative of sum c[k] tau^k with respect to t = scale * tau is sum (k + 1) c[k + 1] / scale.
Eval HeldUnknowns::values(double t, double scale, std::size_t degree, ConstVec c, Vec F) {
  const std::size_t m = array_.equations(), n = array_.unknowns();
  inner_.resize((degree + 1) * m);
  if (array_.values(t, scale, degree, c, inner_) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t k = 0; k <= degree; ++k) {
    double* const row = F.data() + k * equations();
    std::copy_n(inner_.begin() + static_cast<std::ptrdiff_t>(k * m), m, row);
    for (std::size_t i = 0; i < held_.size(); ++i) {
      row[m + i] = static_cast<double>(k + 1) * c[(k + 1) * n + held_[i]] / scale;
    }
  }
  return Eval::ok;
}

Eval HeldUnknowns::linearize(double t, double scale, std::size_t degree, ConstVec c, Vec a) {
  const std::size_t m = array_.entries().size();
  inner_.resize((degree + 1) * m);
  if (array_.linearize(t, scale, degree, c, inner_) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t k = 0; k <= degree; ++k) {
    double* const row = a.data() + k * entries_.size();
    std::copy_n(inner_.begin() + static_cast<std::ptrdiff_t>(k * m), m, row);
    std::fill_n(row + m, held_.size(), k == 0 ? 1.0 : 0.0);
  }
  return Eval::ok;
}

}  // namespace saltus
