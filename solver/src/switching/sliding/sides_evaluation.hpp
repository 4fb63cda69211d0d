// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "saltus/core/configurations.hpp"
#include "saltus/core/model.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::sliding {

/// Asks a model in any of its configurations and counts what that costs. Where the model does not
/// give the rates of its indicators, they are taken from differences along the motion.
class SidesEvaluation {
 public:
  SidesEvaluation(Model& model, Configurations& sides, SlidingStats& stats);

  Eval field(Configurations::Slot slot, double t, ConstVec y, Vec yp);
  /// As `field`, where the same may be asked again before the next event: remembers the answer.
  Eval remembered_field(Configurations::Slot slot, double t, ConstVec y, Vec yp);
  void remember_field(Configurations::Slot slot, double t, ConstVec y, ConstVec yp);
  void forget_fields() {
    remembered_.clear();
    gradients_.clear();
  }
  /// Whoever comes to be in this slot has other fields.
  void forget_fields(Configurations::Slot slot);
  void drop(Configurations::Slot slot);
  /// Those that are not among the `kept`, each once: on surfaces that follow from each other one
  /// configuration may stand for several sides.
  void drop_others(const std::vector<Configurations::Slot>& slots,
                   const std::vector<Configurations::Slot>& kept);
  bool remembers_fields() const { return !remembered_.empty(); }
  Eval indicators(Configurations::Slot slot, double t, ConstVec y, Vec z);
  /// Which of these slots to ask for each indicator: the one in which it is nearest to zero, where
  /// conditions differ between configurations; the first one everywhere else.
  std::vector<std::size_t> nearest(std::span<const Configurations::Slot> slots, double t,
                                   ConstVec y);
  /// d/ds of z(t + s, y + s v, u(t + s)), the indicators being those of `slot`.
  Eval rates(Configurations::Slot slot, double t, ConstVec y, ConstVec v, Vec rates);
  /// The gradient of one indicator with respect to the unknowns. Those of the others are remembered
  /// as fields are.
  Eval gradient(Configurations::Slot slot, double t, ConstVec y, std::size_t indicator,
                Vec gradient);
  /// The size of what an indicator is the difference of, as far as a look in one direction tells.
  double scale(Configurations::Slot slot, double t, ConstVec y, std::size_t indicator);
  /// The same for all indicators.
  std::vector<double> quick_scales(Configurations::Slot slot, double t, ConstVec y);
  /// The same from a look along every unknown.
  std::vector<double> scales(Configurations::Slot slot, double t, ConstVec y);

  /// How far the indicators of a black box are off what smooth functions would be, each in its
  /// scale: an FMU with a solver inside answers to the tolerance of that. Looked for once a run.
  void look_for_noise(Configurations::Slot slot, double t, ConstVec y);
  double noise(std::size_t indicator) const { return noise_[indicator]; }
  double noise() const { return largest_noise_; }
  void forget_noise();
  bool looked_for_noise() const { return looked_for_noise_; }
  const std::vector<double>& noises() const { return noise_; }
  /// As it was looked for before.
  void recall_noise(bool looked_for, std::vector<double> noises);

  /// Between which times the model may be asked, for differences.
  struct Times {
    double earliest = -kNever;
    double latest = kNever;
  };
  Times times;
  /// Null: inputs stand still.
  InputMotion* inputs = nullptr;

  /// Infinite for unknowns that follow from the others in each configuration.
  const std::vector<double>& nominals() const { return nominals_; }
  /// The nominal value of an unknown that may be moved, zero for one that follows.
  double reach(std::size_t i) const { return std::isfinite(nominals_[i]) ? nominals_[i] : 0.0; }
  std::size_t indicator_count() const { return z0_.size(); }
  void read_nominals() { model_.nominals(nominals_); }
  Configurations& configurations() { return sides_; }

 private:
  double stride(double t, double wanted) const;
  Eval differences(double t, ConstVec y, ConstVec v, Vec rates);
  Eval add_input_rates(double t, ConstVec y, Vec rates);

  Model& model_;
  Configurations& sides_;
  SlidingStats& stats_;
  struct Remembered {
    Configurations::Slot slot;
    double t;
    std::vector<double> y, yp;
  };
  std::vector<Remembered> remembered_;
  struct Gradients {
    Configurations::Slot slot;
    double t;
    std::vector<double> y;
    std::vector<std::vector<std::pair<std::size_t, double>>> rows;  // per indicator, without zeros
  };
  const Gradients* gradients(Configurations::Slot slot, double t, ConstVec y);
  std::vector<Gradients> gradients_;
  std::vector<double> nominals_;
  bool looked_for_noise_ = false;
  std::vector<double> noise_;  // per indicator
  double largest_noise_ = 0.0;
  std::vector<double> moved_, direction_, z0_, z1_, z2_;
};

}  // namespace saltus::sliding
