// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "linear/sparse_lu.hpp"
#include "saltus/core/described_model.hpp"
#include "saltus/core/pullback.hpp"

namespace saltus {

/// A piece of a run between two points that its steps have met.
struct Interval {
  double begin = 0.0;
  double end = 0.0;
  ConstVec from;
  ConstVec to;
  /// Points of the same motion around it, in the order of their times, to guess others from.
  ConstVec times = {};
  ConstVec points = {};
  double length() const { return end - begin; }
};

/// How errors are measured: in parts of the tolerance of the run.
struct ErrorScale {
  double tolerance = 0.0;
  std::vector<double> nominals;
  double of(std::size_t i, double a, double b) const;
};

/// How that went: `elsewhere`, no number of steps leads to where the run was; `no_derivatives`,
/// something that the step computes has none that is finite.
enum class [[nodiscard]] Replayed{done, elsewhere, no_derivatives};

/// Goes through a piece of a run again, in one step of the method of Dormand and Prince or in as
/// many as it takes, and takes a gradient back along the step: the derivative of what the step
/// computes, exactly.
class ExplicitReplay {
 public:
  /// All of them have to outlive it; `back` is that of `model`.
  ExplicitReplay(Model& model, Pullback& back, const ErrorScale& scale)
      : model_(model), back_(back), scale_(scale) {}
  /// `gradient` is by the unknowns at the end, and becomes that by those at the beginning; what it
  /// has by numbers grows. It is good for nothing where that fails.
  Replayed pull(const Interval& interval, Direction& gradient);

 private:
  bool go(double t, double h, ConstVec y);
  bool pull_step(double t, double h, Direction& gradient);

  Model& model_;
  Pullback& back_;
  const ErrorScale& scale_;
  std::array<std::vector<double>, 7> stages_;  // the unknowns at each; the last is the end
  std::array<std::vector<double>, 7> slopes_;
  std::vector<double> points_;
  std::vector<double> adjoint_;
  std::array<Direction, 6> pulled_;
  double error_ = 0.0;
};

/// What is stepped through by collocation: F(t, x, x') = 0 in one configuration.
class CollocatedEquations {
 public:
  virtual ~CollocatedEquations() = default;
  virtual Eval residual(double t, ConstVec x, ConstVec xp, Vec r) = 0;
  /// The derivatives by x and x'; null: they are not known.
  virtual Linearization* linearization() = 0;
  /// Takes F_x' weights from `gradient.unknowns`, and the same of the numbers from its numbers.
  virtual Eval subtract(double t, ConstVec x, ConstVec xp, ConstVec weights,
                        Direction& gradient) = 0;
};

/// The same by the three stages of Radau IIA, for what is stiff or implicit.
class CollocationReplay {
 public:
  explicit CollocationReplay(const ErrorScale& scale) : scale_(scale) {}
  Replayed pull(CollocatedEquations& equations, const Interval& interval, Direction& gradient);

 private:
  struct Stage {
    double t = 0.0;
    std::vector<double> x, xp, residual, by_value, by_slope;
  };
  void guess(const Interval& interval);
  void guess_straight(ConstVec from, ConstVec to);
  bool solve(CollocatedEquations& equations, double t, double h, ConstVec from);
  bool evaluate(CollocatedEquations& equations, double t, double h, ConstVec from);
  void prepare(const Pattern& pattern);
  void fill(const Pattern& pattern, double h, bool transposed);
  bool pull_step(CollocatedEquations& equations, double h, Direction& gradient);

  const ErrorScale& scale_;
  std::array<Stage, 3> stages_;
  std::vector<double> z_;  // the stages, as differences from the beginning, one after another
  std::vector<double> right_;
  Pattern known_;  // of the equations, for which the others were made
  Pattern pattern_, transposed_;
  std::vector<std::size_t> place_;  // of each entry of `pattern_` in `transposed_`
  std::vector<double> values_, transposed_values_;
  SparseLu<double> forwards_, backwards_;
};

}  // namespace saltus
