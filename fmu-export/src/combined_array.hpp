// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "dae_form.hpp"
#include "saltus/core/derivative_array.hpp"

namespace saltus::fmu_export {

/// Equations some of which are replaced by sums with others, in which no derivative is left: what
/// the pattern of the equations hides. Two nodes between which nothing but a capacitor stores have
/// the equations C (u' - v') = f and C (v' - u') = g; their sum is 0 = f + g.
class CombinedArray final : public DerivativeArray {
 public:
  using Combination = DaeForm::Combination;
  explicit CombinedArray(std::vector<Combination> combinations)
      : combinations_(std::move(combinations)) {}

  bool empty() const { return combinations_.empty(); }
  /// The same with these equations underneath: valid as long as they are.
  CombinedArray& over(DerivativeArray& array);

  std::size_t equations() const override { return array_->equations(); }
  std::size_t unknowns() const override { return array_->unknowns(); }
  std::size_t order() const override { return array_->order(); }
  std::string equation_name(std::size_t i) const override;
  std::span<const Entry> entries() const override { return entries_; }
  std::uint64_t revision() const override { return array_->revision(); }
  ConstVec slope_numbers() const override { return array_->slope_numbers(); }
  Eval values(double t, double scale, std::size_t degree, ConstVec c, Vec F) override;
  Eval values_upto(double t, double scale, std::span<const int> level, ConstVec c, Vec F) override;
  Eval linearize(double t, double scale, std::size_t degree, ConstVec c, Vec a) override;

 private:
  struct Source {
    std::size_t entry = 0;
    double factor = 1.0;
  };
  std::vector<Combination> combinations_;
  DerivativeArray* array_ = nullptr;
  std::vector<Entry> entries_;
  std::vector<std::vector<Source>> sources_;  // of each entry
  std::vector<int> levels_;
  std::vector<double> F_, a_;
};

}  // namespace saltus::fmu_export
