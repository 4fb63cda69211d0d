// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/autodiff/tape.hpp"
#include "saltus/core/types.hpp"

namespace saltus::modeling {

/// The values of all nodes that rest between events: constants, numbers, and what is computed from
/// them alone. They are computed when the numbers change, not at every evaluation.
class SteadyValues {
 public:
  explicit SteadyValues(const Tape& tape);
  void recompute(const Tape& tape, ConstVec numbers);
  std::uint32_t index(Tape::Node node) const { return index_[static_cast<std::size_t>(node)]; }
  const double* data() const { return values_.data(); }

 private:
  std::vector<std::uint32_t> index_;  ///< of every node
  std::vector<Tape::Node> nodes_;     ///< the steady ones
  std::vector<double> values_;
};

/// What is to be done to compute some nodes of a tape, each up to a degree of its own.
///
/// Operations are brought into an order in which equal ones follow each other as far as their
/// operands permit: a *run* needs one dispatch however long it is. They are taken in blocks, so
/// that operands of long tapes are still in the cache. Results are stored one after the other, so
/// an instruction is only the places of its operands.
class TapeSchedule {
 public:
  /// A node is wanted for degrees 0 ... level; -1 for not at all. Each has room for so many more.
  TapeSchedule(const Tape& tape, const SteadyValues& steady, std::span<const Tape::Node> wanted,
               std::span<const int> level, int room = 0);

  /// results[k * wanted.size() + i] for k = 0 ... level[i], from c[k * unknowns + j]. False when
  /// one of them is not finite.
  bool evaluate(double t, double scale, std::size_t unknowns, const double* c, const double* steady,
                Vec results);
  /// Operations per evaluation.
  std::size_t size() const { return operands_.size(); }

 private:
  friend class Scheduler;
  friend class TapeSeries;

  /// What one instruction does. Operands at rest have instructions of their own.
  enum class Code : std::uint8_t {
    lift,  ///< gives a resting operand its zero coefficients
    negate,
    add,
    add_steady,
    subtract,
    subtract_steady,
    steady_minus,
    multiply,
    scale,
    divide,
    divide_steady,
    steady_over,
    power,
    power_steady,
    atan2,
    sqrt,
    exp,
    log,
    log10,
    sin,
    cos,
    sin_cos,
    sinh,
    cosh,
    sinh_cosh,
    tan,
    tanh,
    asin,
    acos,
    atan,
    count,
  };
  struct Operands {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
  };
  struct Run {
    Code code = Code::lift;
    int degree = 0;
    std::uint32_t count = 0;
    std::uint32_t out = 0;
  };
  struct Load {
    std::uint32_t unknown = 0;
    std::uint32_t out = 0;
    int order = 0;
    int degree = 0;
  };
  struct Store {
    std::uint32_t place = 0;  ///< in the results
    std::uint32_t from = 0;
    int degree = 0;
    bool steady = false;
  };
  static bool makes_two(Code code);

  void load(double t, double scale, std::size_t unknowns, const double* c);
  bool store(const double* steady, Vec results) const;
  template <int Degree>
  void execute(const Run& run, const Operands* operands, const double* steady);
  void execute_values(const Run& run, const Operands* operands, const double* steady);

  std::size_t stride_ = 1;
  std::size_t wanted_ = 0;
  std::vector<Load> loads_;
  std::int64_t time_out_ = -1;
  std::vector<Run> runs_;
  std::vector<Operands> operands_;
  std::vector<Store> stores_;
  std::vector<double> values_;
  std::vector<double> scratch_;
};

}  // namespace saltus::modeling
