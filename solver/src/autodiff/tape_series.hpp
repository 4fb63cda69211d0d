// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/core/equation_series.hpp"
#include "tape_schedule.hpp"

namespace saltus::modeling {

/// The equations on a tape, one Taylor coefficient after the other.
///
/// An operation's *lead* is the highest offset of the equations that use it: at stage s its
/// coefficient s + lead is computed, from those of its operands, whose lead is not smaller.
///
/// A stage is evaluated with zeros for the coefficients it is to determine. What these change
/// afterwards is linear with the same factors at every stage, the partial derivatives of the
/// operation at the start: one multiplication for each operand. Results that nothing looks back at,
/// such as sums of terms of an equation, are not corrected.
class TapeSeries final : public EquationSeries {
 public:
  TapeSeries(const Tape& tape, const SteadyValues& steady, std::span<const int> equation_offset,
             std::span<const int> unknown_offset, int last_stage);

  void begin(double t, double scale) override;
  void give(int stage, ConstVec x) override;
  void evaluate(int stage, Vec rest) override;
  void linearize() override;
  void correct(int stage, ConstVec x) override;

 private:
  using Code = TapeSchedule::Code;
  using Run = TapeSchedule::Run;
  using Operands = TapeSchedule::Operands;

  struct Leaf {
    std::uint32_t from = 0;  ///< the coefficient of the unknown for degree 0
    std::uint32_t out = 0;
    int order = 0;
    int lead = 0;
    std::uint32_t unknown = 0;
    bool is_new = false;  ///< a stage determines the coefficient it needs
  };
  struct Row {
    std::uint32_t place = 0;
    std::uint32_t from = 0;
    int offset = 0;
    bool rests = false;
  };
  /// change[out] = by_a * change[a] + by_b * change[b]
  struct Correction {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t out = 0;
    std::uint32_t value = 0;  ///< the coefficient that changes with it at stage 0
    double by_a = 0.0;
    double by_b = 0.0;
    std::uint32_t run = 0;
    std::uint32_t instruction = 0;
    bool second = false;  ///< of a pair
  };

  static bool is_linear(Code code);
  static bool looks_back(Code code);
  static bool has_two_operands(Code code);
  void find_corrections();
  void mark_needed(std::span<const int> lead, std::vector<char>& needed) const;
  double factor(int degree, int order) const;
  void coefficient(const Run& run, const Operands* operands, int k);
  void partials(Correction& correction) const;

  TapeSchedule schedule_;
  const SteadyValues& steady_;
  std::vector<Leaf> leaves_;
  std::vector<Row> rows_;
  std::vector<int> unknown_offset_;
  std::size_t room_ = 0;         ///< coefficients of each unknown
  std::vector<double> unknown_;  ///< of unknown j from j * room on
  std::vector<Correction> corrections_;
  std::vector<double> change_;
  double scale_ = 1.0;
};

}  // namespace saltus::modeling
