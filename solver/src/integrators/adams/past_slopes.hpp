// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace saltus::adams {

/// The highest order of a predictor; the corrector's is one higher.
inline constexpr int kMostOrder = 12;
/// So many slopes are kept: those of the predictor of the highest order, and one more to judge it.
inline constexpr int kMostSlopes = kMostOrder + 1;

/// A step of length `h` in terms of modified divided differences: their j-th enters the slope at
/// the end of the step with the factor `beta[j]`, the integral over the step with
/// `h * g[j] * beta[j]`.
struct Formula {
  double h = 0.0;
  std::array<double, kMostSlopes + 1> beta{}, g{};
};

/// The slopes of an explicit model at the last points of a run, x(n), x(n-1), ..., however they are
/// spaced, as modified divided differences (Krogh 1974; Hairer, Norsett, Wanner I, III.5):
///
///     phi[j] = (x(n) - x(n-1)) ... (x(n) - x(n-j)) f[x(n), ..., x(n-j)]
///
/// With these a predictor of order k needs phi[0] to phi[k-1], and a longer history is nothing but
/// more of them.
class PastSlopes {
 public:
  void resize(std::size_t n);
  /// Forgets all but one slope.
  void begin(const double* slope);
  /// A point that lies `h` after the last.
  void add(double h, const double* slope);

  int count() const { return count_; }
  /// No more than so many are kept.
  void keep(int most) { count_ = most < count_ ? most : count_; }
  const double* difference(int j) const { return phi_.data() + static_cast<std::size_t>(j) * n_; }

  /// The factors for a step of length `h` with `phi[0]` to `phi[order]`.
  Formula formula(double h, int order) const;
  /// x(n) - x(n-i).
  double age(int i) const { return ages_[static_cast<std::size_t>(i)]; }
  /// What would turn the m-th difference into that of equal steps of length `h`.
  double equal_steps(double h, int m) const;

 private:
  std::size_t n_ = 0;
  int count_ = 0;
  std::vector<double> phi_;
  std::vector<double> carried_;
  std::array<double, kMostSlopes + 1> ages_{};
};

}  // namespace saltus::adams
