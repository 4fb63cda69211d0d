// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::modeling {

/// The continuous inputs of a model whose importer sets them as it goes (FMI 3.0, 3.2.1) and tells
/// no derivatives: their slopes are taken from their values at two times. Exact where an input
/// moves along a line.
class ObservedInputs final : public InputMotion {
 public:
  explicit ObservedInputs(DescribedModel& model);

  bool empty() const { return positions_.empty(); }
  /// The inputs are those of time t. Importers set them before they ask for event indicators, but
  /// not all of them do before they ask for derivatives. Whether a slope has changed.
  bool observe(double t);
  /// An input was set.
  void note_setting() { set_ = true; }
  /// The inputs are those of time t, at which derivatives are asked for: where the importer has
  /// been seen to set inputs before that.
  bool observe_stage(double t);
  /// After an event: an input may have jumped.
  void begin_phase() { anchored_ = false; }
  void forget();

  double stride() const override;
  void move(double dt) override;

  std::vector<double> saved() const;
  /// Throws `std::invalid_argument` on what another model has saved.
  void restore(const std::vector<double>& saved);

 private:
  struct Point {
    double time = 0.0;
    std::vector<double> values;
  };
  void read(double t, Point& point) const;
  bool measure_from(const Point& point, double t);

  DescribedModel& model_;
  std::vector<std::size_t> positions_;
  Point anchor_;  // where slopes are measured from
  Point newest_;  // the latest there was
  std::vector<double> slopes_, base_;
  bool anchored_ = false;
  bool set_ = false;           // since they were observed
  bool set_in_steps_ = false;  // at times within a step, by this importer
  double longest_ = 0.0;       // distance between two such points so far
};

}  // namespace saltus::modeling
