// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "saltus/autodiff/tape.hpp"
#include "saltus/core/types.hpp"

namespace saltus::modeling {

/// The gradient of a sum of nodes of a tape by all of its leaves, in numbers: one pass forwards for
/// the values and one backwards, whatever the number of leaves. `TapeArray` writes derivatives down
/// as nodes instead, which pays where matrices are wanted.
///
///     gradient.evaluate(t, y, numbers);
///     gradient.seed(node, 2.0);
///     gradient.sweep(leaves);  // adds 2 d(node)/d(leaf) to each
class TapeGradient {
 public:
  TapeGradient() = default;
  /// Of a tape as it is.
  explicit TapeGradient(const Tape& tape);
  /// Of what these nodes are computed from, and no more; each becomes its place here.
  TapeGradient(const Tape& tape, std::span<Tape::Node> wanted);

  /// At a point; unknowns are leaves without derivatives of their own.
  void evaluate(double t, ConstVec unknowns, ConstVec numbers);
  /// Of the last point. Whether it is a number is not asked.
  double value(Tape::Node node) const { return values_[static_cast<std::size_t>(node)]; }
  const Tape::Operation& operation(Tape::Node node) const {
    return operations_[static_cast<std::size_t>(node)];
  }

  struct Leaves {
    double& time;
    Vec unknowns;
    Vec numbers;  ///< by slot
  };
  void seed(Tape::Node node, double weight);
  /// Takes all seeds back, and adds what they give.
  void sweep(const Leaves& leaves);

 private:
  void pass_on(Tape::Node node, const Tape::Operation& o, double g);
  double slope(Tape::Node node, const Tape::Operation& o) const;
  double& adjoint(Tape::Node node) { return adjoint_[static_cast<std::size_t>(node)]; }

  void add(const Tape& tape, Tape::Node node);

  std::vector<Tape::Operation> operations_;
  std::vector<double> values_;   // those of constants are there from the beginning
  std::vector<double> adjoint_;  // zero, but for seeds
  Tape::Node last_ = -1;         // seeded
};

}  // namespace saltus::modeling
