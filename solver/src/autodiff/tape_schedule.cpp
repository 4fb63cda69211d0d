// SPDX-License-Identifier: BSD-2-Clause
#include "tape_schedule.hpp"

#include "tape_scheduler.hpp"

namespace saltus::modeling {
namespace {

using Node = Tape::Node;
using Op = Tape::Op;

std::size_t at(Node node) { return static_cast<std::size_t>(node); }

}  // namespace

SteadyValues::SteadyValues(const Tape& tape) : index_(tape.size(), 0) {
  for (Node node = 0; at(node) < tape.size(); ++node) {
    if (tape.is_steady(node)) {
      index_[at(node)] = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(node);
    }
  }
  values_.resize(nodes_.size());
}

void SteadyValues::recompute(const Tape& tape, ConstVec numbers) {
  for (const Node node : nodes_) {
    const Tape::Operation& o = tape.operation(node);
    double& value = values_[index(node)];
    if (o.op == Op::constant) {
      value = tape.value_of(node);
    } else if (o.op == Op::number) {
      value = numbers[at(o.a)];
    } else {
      const double b = Tape::operands(o.op) > 1 ? values_[index(o.b)] : 0.0;
      value = Tape::apply(o.op, values_[index(o.a)], b);
    }
  }
}

bool TapeSchedule::makes_two(Code code) {
  return code == Code::sin_cos || code == Code::sinh_cosh || code == Code::tan ||
         code == Code::tanh;
}

TapeSchedule::TapeSchedule(const Tape& tape, const SteadyValues& steady,
                           std::span<const Tape::Node> wanted, std::span<const int> level,
                           int room) {
  Scheduler(tape, steady, *this).build(wanted, level, room);
}

}  // namespace saltus::modeling
