// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "saltus/core/derivative_array.hpp"

namespace saltus {

/// The unknowns that no equation mentions.
std::vector<int> unmentioned_unknowns(const DerivativeArray& array);

/// Equations in which some unknowns do not occur, completed by x' = 0 for each of these: what a
/// configuration does not determine keeps its value (Wunderlich: Analysis and Numerical Solution of
/// Structured and Switched Differential-Algebraic Systems, 2008, section 5.3).
class HeldUnknowns final : public DerivativeArray {
 public:
  /// `array` must outlive this one.
  HeldUnknowns(DerivativeArray& array, std::vector<int> held);

  std::size_t equations() const override { return array_.equations() + held_.size(); }
  std::size_t unknowns() const override { return array_.unknowns(); }
  std::size_t order() const override { return order_; }
  std::string equation_name(std::size_t i) const override;
  std::span<const Entry> entries() const override { return entries_; }
  std::uint64_t revision() const override { return array_.revision(); }
  ConstVec slope_numbers() const override { return array_.slope_numbers(); }
  Eval values(double t, double scale, std::size_t degree, ConstVec c, Vec F) override;
  Eval linearize(double t, double scale, std::size_t degree, ConstVec c, Vec a) override;

 private:
  DerivativeArray& array_;
  std::vector<int> held_;
  std::size_t order_;
  std::vector<Entry> entries_;
  std::vector<double> inner_;
};

}  // namespace saltus
