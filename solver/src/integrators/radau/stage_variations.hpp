// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/pair.hpp"
#include "saltus/core/variations.hpp"

namespace saltus {

/// The equations of a model linearised where a step has its stages, by unknowns, slopes and
/// parameters: what the variational equations of the step are made of, for all parameters at once.
class StageVariations {
 public:
  enum Place : std::size_t { stage1, stage2, stage3, begin, places };

  /// Null: the model has no such parts. The pattern may be another one.
  void restart(Variations* variations);
  bool exist() const { return linearization_ != nullptr; }
  Model& equations() const { return variations_->equations(); }
  std::size_t parameters() const { return parameters_; }

  /// At a point and a slope of the model's own unknowns.
  Eval linearize(Place place, double t, ConstVec x, ConstVec xp);
  /// r = F_x s + F_x' v + F_k, for two parameters from an even one on. All have the size of the
  /// model's own unknowns.
  struct Motion {
    const Pair *s, *v;
  };
  void residual(Place place, std::size_t parameter, Motion at, Pair* r) const;
  /// The same at the three stages.
  using Stages = std::array<Motion, 3>;
  void residuals(std::size_t parameter, const Stages& at, const std::array<Pair*, 3>& r) const;
  /// A step was accepted: where it has ended the next one begins.
  void advance();
  bool begin_is_known() const { return begin_is_known_; }

 private:
  // Row by row, so that each is summed up at once.
  struct Rows {
    std::vector<std::size_t> first = {0};
    std::vector<std::size_t> column;
  };
  // Both in the order of `rows_`.
  struct Matrices {
    std::vector<double> by_value, by_slope;
    std::vector<double> by_parameter;  // two side by side, after two others
    bool is_finite = true;
  };
  void sort_rows(const Pattern& pattern);
  void note_slopes();

  Variations* variations_ = nullptr;
  Linearization* linearization_ = nullptr;
  std::size_t unknowns_ = 0;
  std::size_t parameters_ = 0;
  Pattern pattern_;
  Rows rows_;
  std::vector<std::size_t> source_;  // of each of these in the pattern
  // Those of F_x' that have not always been zero.
  Rows slope_rows_;
  std::vector<std::size_t> slope_entry_;   // of each of these in `rows_`
  std::vector<char> has_slope_;            // of all
  std::vector<std::size_t> by_parameter_;  // where the entries behind F_x go
  std::vector<double> by_value_, by_slope_;
  std::array<Matrices, places> at_;
  bool begin_is_known_ = false;
};

}  // namespace saltus
