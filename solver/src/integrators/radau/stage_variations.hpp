// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

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
  /// r = F_x s + F_x' v + F_k. All have the size of the model's own unknowns.
  void residual(Place place, std::size_t parameter, const double* s, const double* v,
                double* r) const;
  /// A step was accepted: where it has ended the next one begins.
  void advance();
  bool begin_is_known() const { return begin_is_known_; }

 private:
  // Row by row, so that each is summed up at once; of F_x' what is not zero.
  struct Rows {
    std::vector<std::size_t> first = {0};
    std::vector<std::size_t> column;
    std::vector<double> value;
  };
  struct Matrices {
    std::vector<double> by_value;  // in the order of `rows_`
    Rows by_slope;
    std::vector<double> by_parameter;
    bool is_finite = true;
  };
  void sort_rows(const Pattern& pattern);

  Variations* variations_ = nullptr;
  Linearization* linearization_ = nullptr;
  std::size_t unknowns_ = 0;
  std::size_t parameters_ = 0;
  Pattern pattern_;
  Rows rows_;                        // without values
  std::vector<std::size_t> source_;  // of each of these in the pattern
  std::vector<double> by_value_, by_slope_;
  std::array<Matrices, places> at_;
  bool begin_is_known_ = false;
};

}  // namespace saltus
