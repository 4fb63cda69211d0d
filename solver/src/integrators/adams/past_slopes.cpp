// SPDX-License-Identifier: BSD-2-Clause
#include "past_slopes.hpp"

#include <algorithm>

#include "core/componentwise.hpp"

namespace saltus::adams {

void PastSlopes::resize(std::size_t n) {
  n_ = n;
  count_ = 0;
  phi_.resize(static_cast<std::size_t>(kMostSlopes + 1) * n);
  carried_.resize(n);
}

void PastSlopes::begin(const double* slope) {
  copy_components(n_, slope, phi_.data());
  count_ = 1;
  ages_.fill(0.0);
}

// phi[0] of the new point is its slope, and phi[j+1] = phi[j] - beta[j] (phi[j] of the last point).
void PastSlopes::add(double h, const double* slope) {
  const Formula step = formula(h, count_ - 1);
  double* const carried = carried_.data();
  copy_components(n_, slope, carried);
  for (int j = 0; j < count_; ++j) {
    double* const phi = phi_.data() + static_cast<std::size_t>(j) * n_;
    const double beta = step.beta[static_cast<std::size_t>(j)];
    each(n_, [&](std::size_t i) {
      const double next = carried[i] - beta * phi[i];
      phi[i] = carried[i];
      carried[i] = next;
    });
  }
  if (count_ < kMostSlopes) {
    copy_components(n_, carried, phi_.data() + static_cast<std::size_t>(count_) * n_);
    ++count_;
  }
  for (std::size_t i = ages_.size() - 1; i > 0; --i) {
    ages_[i] = ages_[i - 1] + h;
  }
}

Formula PastSlopes::formula(double h, int order) const {
  Formula step;
  step.h = h;
  std::array<double, kMostSlopes + 2> integrals;  // of the products of the differences, repeated
  for (std::size_t q = 0; q < integrals.size(); ++q) {
    integrals[q] = 1.0 / static_cast<double>(q + 1);
  }
  step.beta[0] = 1.0;
  step.g[0] = 1.0;
  const auto last = static_cast<std::size_t>(order);
  for (std::size_t j = 1; j <= last; ++j) {
    const double to_end = h + ages_[j - 1];
    // Of a point that is not known yet the age does not matter: it cancels.
    const double age = j < static_cast<std::size_t>(count_) ? ages_[j] : 1.0;
    step.beta[j] = step.beta[j - 1] * to_end / age;
    const double part = to_end > 0.0 ? h / to_end : 1.0;
    for (std::size_t q = 0; q + j <= last; ++q) {
      integrals[q] -= part * integrals[q + 1];
    }
    step.g[j] = integrals[0];
  }
  return step;
}

double PastSlopes::equal_steps(double h, int m) const {
  double factor = 1.0;
  for (int i = 1; i <= m; ++i) {
    factor *= i * h / (h + age(i - 1));
  }
  return factor;
}

}  // namespace saltus::adams
