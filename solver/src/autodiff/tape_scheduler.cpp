// SPDX-License-Identifier: BSD-2-Clause
#include "tape_scheduler.hpp"

#include <algorithm>
#include <array>

namespace saltus::modeling {
namespace {
// Operations that are ordered together. The result of an evaluation does not depend on it; larger
// blocks find longer runs of one operation and take longer to order.
constexpr std::size_t kBlock = 4096;
constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
}  // namespace

// One more level than nodes: the last one has a neighbour, too.
Scheduler::Scheduler(const Tape& tape, const SteadyValues& steady, TapeSchedule& schedule)
    : tape_(tape),
      steady_(steady),
      schedule_(schedule),
      level_(tape.size() + 1, -1),
      place_(tape.size(), 0),
      position_(tape.size(), kNowhere) {}

// The divisor in the derivatives of asin, acos, atan is not needed for a value alone.
int Scheduler::operands_read(Op op, int degree) {
  const bool has_divisor = op == Op::asin || op == Op::acos || op == Op::atan;
  return has_divisor && degree == 0 ? 1 : Tape::operands(op);
}

void Scheduler::build(std::span<const Tape::Node> wanted, std::span<const int> level, int room) {
  int highest = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    raise(wanted[i], level[i]);
    highest = std::max(highest, level[i]);
  }
  for (auto node = static_cast<Node>(tape_.size()) - 1; node >= 0; --node) {
    spread(node);
  }
  stride_ = static_cast<std::uint32_t>(highest + room) + 1;
  schedule_.stride_ = stride_;
  place_leaves();
  // A node needs its operands at least as far as itself, so high degrees come first.
  std::vector<std::vector<Node>> by_level(static_cast<std::size_t>(highest) + 1);
  for (Node node = 0; at(node) < tape_.size(); ++node) {
    if (is_computed(node)) {
      by_level[static_cast<std::size_t>(level_[at(node)])].push_back(node);
    }
  }
  for (int degree = highest; degree >= 0; --degree) {
    const std::vector<Node>& nodes = by_level[static_cast<std::size_t>(degree)];
    for (std::size_t first = 0; first < nodes.size(); first += kBlock) {
      const std::size_t size = std::min(kBlock, nodes.size() - first);
      order_block(std::span(nodes).subspan(first, size), degree);
    }
  }
  schedule_.values_.assign(std::size_t{next_} * stride_, 0.0);
  schedule_.scratch_.assign(2 * std::size_t{stride_}, 0.0);
  place_results(wanted, level);
}

void Scheduler::raise(Node node, int level) {
  if (!tape_.is_steady(node)) {
    level_[at(node)] = std::max(level_[at(node)], level);
  }
}

// Users stand behind their operands: when a node's turn comes, its level is final. Of a pair, the
// second comes first; above degree 0 both are needed.
void Scheduler::spread(Node node) {
  const int level = level_[at(node)];
  if (level < 0) {
    return;
  }
  const Tape::Operation& o = tape_.operation(node);
  if (Tape::is_second_of_pair(o.op) && together(node)) {
    raise(node - 1, level);
  }
  const int count = operands_read(o.op, level);
  if (count > 0) {
    raise(o.a, level);
  }
  if (count > 1) {
    raise(o.b, level);
  }
}

// The slopes of tan and tanh need them even at degree 0.
bool Scheduler::together(Node second) const {
  const Op op = tape_.operation(second).op;
  return op == Op::tan_slope || op == Op::tanh_slope || level_[at(second)] > 0 ||
         level_[at(second - 1)] >= 0;
}

// Computed by an instruction of its own, not a leaf, nor with the other of a pair.
bool Scheduler::is_computed(Node node) const {
  const Op op = tape_.operation(node).op;
  if (level_[at(node)] < 0 || Tape::operands(op) == 0) {
    return false;
  }
  return !Tape::is_second_of_pair(op) || !together(node);
}

void Scheduler::place_leaves() {
  for (Node node = 0; at(node) < tape_.size(); ++node) {
    const Tape::Operation& o = tape_.operation(node);
    if (level_[at(node)] < 0 || (o.op != Op::unknown && o.op != Op::time)) {
      continue;
    }
    place_[at(node)] = next_++ * stride_;
    if (o.op == Op::time) {
      schedule_.time_out_ = place_[at(node)];
    } else {
      schedule_.loads_.push_back(
          {static_cast<std::uint32_t>(o.a), place_[at(node)], o.b, level_[at(node)]});
    }
  }
  std::stable_sort(schedule_.loads_.begin(), schedule_.loads_.end(),
                   [](const auto& x, const auto& y) { return x.order < y.order; });
}

void Scheduler::place_results(std::span<const Node> wanted, std::span<const int> level) {
  schedule_.wanted_ = wanted.size();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (level[i] >= 0) {
      const bool rests = tape_.is_steady(wanted[i]);
      schedule_.stores_.push_back({static_cast<std::uint32_t>(i),
                                   rests ? steady_.index(wanted[i]) : place_[at(wanted[i])],
                                   level[i], rests});
    }
  }
}

// Calls f(position) for the operands that are computed in the block itself.
template <class F>
void Scheduler::for_operands_inside(Node node, int degree, F f) const {
  const Tape::Operation& o = tape_.operation(node);
  const int count = operands_read(o.op, degree);
  for (const Node operand : {o.a, count > 1 ? o.b : -1}) {
    if (operand >= 0 && !tape_.is_steady(operand)) {
      const bool second = Tape::is_second_of_pair(tape_.operation(operand).op);
      const Node maker = position_[at(operand)] == kNowhere && second ? operand - 1 : operand;
      if (position_[at(maker)] != kNowhere) {
        f(position_[at(maker)]);
      }
    }
  }
}

// List scheduling: of all operations that are ready, those of the most frequent kind.
void Scheduler::order_block(std::span<const Node> block, int degree) {
  std::vector<int> missing(block.size(), 0);
  std::vector<std::size_t> first(block.size() + 1, 0);
  for (std::size_t i = 0; i < block.size(); ++i) {
    position_[at(block[i])] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = 0; i < block.size(); ++i) {
    for_operands_inside(block[i], degree, [&](std::size_t operand) {
      ++missing[i];
      ++first[operand + 1];
    });
  }
  for (std::size_t i = 0; i < block.size(); ++i) {
    first[i + 1] += first[i];
  }
  std::vector<std::size_t> users(first.back());
  std::vector<std::size_t> end(first.begin(), first.end() - 1);
  std::array<std::vector<std::size_t>, static_cast<std::size_t>(Code::count)> ready;
  std::vector<Code> code(block.size());
  for (std::size_t i = 0; i < block.size(); ++i) {
    code[i] = code_of(block[i], degree);
    for_operands_inside(block[i], degree, [&](std::size_t operand) { users[end[operand]++] = i; });
    if (missing[i] == 0) {
      ready[static_cast<std::size_t>(code[i])].push_back(i);
    }
  }
  for (std::size_t done = 0; done < block.size();) {
    auto& queue = *std::max_element(ready.begin(), ready.end(), [](const auto& x, const auto& y) {
      return x.size() < y.size();
    });
    for (std::size_t next = 0; next < queue.size(); ++next, ++done) {
      const std::size_t i = queue[next];
      emit(block[i], code[i], degree);
      for (std::size_t u = first[i]; u < first[i + 1]; ++u) {
        if (--missing[users[u]] == 0) {
          ready[static_cast<std::size_t>(code[users[u]])].push_back(users[u]);
        }
      }
    }
    queue.clear();
  }
  for (const Node node : block) {
    position_[at(node)] = kNowhere;
  }
}

}  // namespace saltus::modeling
