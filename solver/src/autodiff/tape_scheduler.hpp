// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tape_schedule.hpp"

namespace saltus::modeling {

/// Builds a schedule: which nodes are needed, up to which degree, in which order, and by which
/// instructions.
class Scheduler {
 public:
  Scheduler(const Tape& tape, const SteadyValues& steady, TapeSchedule& schedule);
  void build(std::span<const Tape::Node> wanted, std::span<const int> level, int room);

 private:
  using Node = Tape::Node;
  using Op = Tape::Op;
  using Code = TapeSchedule::Code;
  using Operands = TapeSchedule::Operands;

  static std::size_t at(Node node) { return static_cast<std::size_t>(node); }
  static int operands_read(Op op, int degree);

  // Needs.
  void raise(Node node, int level);
  void spread(Node node);
  bool together(Node second) const;
  bool is_computed(Node node) const;
  // Order.
  void place_leaves();
  void order_block(std::span<const Node> block, int degree);
  template <class F>
  void for_operands_inside(Node node, int degree, F f) const;
  void place_results(std::span<const Node> wanted, std::span<const int> level);
  // Instructions.
  Code code_of(Node node, int degree) const;
  Operands operands_of(Node node, Code code, int degree);
  std::uint32_t lifted(Node node, int degree);
  void emit(Node node, Code code, int degree);
  void emit(Code code, Operands operands, int degree, std::uint32_t out);

  const Tape& tape_;
  const SteadyValues& steady_;
  TapeSchedule& schedule_;
  std::uint32_t stride_ = 1;
  std::uint32_t next_ = 0;               // free place, in strides
  std::vector<int> level_;               // up to which degree a node is needed; -1: not at all
  std::vector<std::uint32_t> place_;     // where it is stored
  std::vector<std::uint32_t> position_;  // in the block that is being ordered
};

}  // namespace saltus::modeling
