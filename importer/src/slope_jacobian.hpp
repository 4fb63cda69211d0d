// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "instance.hpp"
#include "saltus/core/capabilities.hpp"
#include "saltus/core/linearization.hpp"

namespace saltus::importer {

/// df/dx of an FMU in Model Exchange, for implicit methods: the directional derivatives that the
/// FMU computes, those of states that share no declared dependency at once. What the FMU declares
/// and computes is compared with its equations at the first points; where it is wrong, differences
/// are used, or every slope is taken to depend on every state. A Newton iteration with a poor
/// matrix converges slowly, not to something else.
class SlopeJacobian : public Derivatives, private Linearization {
 public:
  /// The slopes at a point, at which the FMU then is.
  using Slopes = std::function<Eval(double t, ConstVec x, Vec xp)>;
  using Warn = std::function<void(std::string)>;

  /// `nominals` are those of the states, which the owner keeps up to date. `instance` and these
  /// must outlive this.
  SlopeJacobian(Instance& instance, const std::vector<double>& nominals, Slopes slopes, Warn warn);

  /// Null where the FMU computes no derivatives: whoever needs them takes differences.
  Linearization* linearization() override;

 private:
  void find_pattern(bool dense);
  const Pattern& pattern() override { return pattern_; }
  Eval evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) override;
  Eval product(double t, ConstVec x, const std::vector<std::size_t>& columns);
  void verify(double t, ConstVec y, ConstVec yp, ConstVec by_value, ConstVec by_slope);

  Instance& instance_;
  const std::vector<double>& nominals_;
  Slopes slopes_;
  Warn warn_;
  std::vector<ValueReference> state_references_, slope_references_;
  bool directional_ = false;
  bool is_dense_ = false, is_incomplete_ = false;
  int verifications_ = 0;
  Pattern pattern_;
  std::vector<std::vector<std::size_t>> groups_;
  std::vector<double> seed_, base_, product_, increments_;
};

}  // namespace saltus::importer
