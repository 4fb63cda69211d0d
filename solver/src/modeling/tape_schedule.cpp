// SPDX-License-Identifier: BSD-2-Clause
#include "modeling/tape_schedule.hpp"

#include <algorithm>
#include <array>

namespace saltus::modeling {
namespace {

using Node = Tape::Node;
using Op = Tape::Op;

std::size_t at(Node node) { return static_cast<std::size_t>(node); }

// How many operands are read. The divisor in the derivatives of asin, acos, atan is not needed for
// a value alone.
int operands_read(Op op, int degree) {
  const bool has_divisor = op == Op::asin || op == Op::acos || op == Op::atan;
  return has_divisor && degree == 0 ? 1 : Tape::operands(op);
}

// The node that stands for a pair when both are computed together.
Node leader(const Tape& tape, Node node) {
  return Tape::is_second_of_pair(tape.operation(node).op) ? node - 1 : node;
}

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

void SteadyValues::update(const Tape& tape, ConstVec numbers) {
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

/// Builds a schedule.
class Scheduler {
 public:
  using Code = TapeSchedule::Code;
  using Operands = TapeSchedule::Operands;

  Scheduler(const Tape& tape, const SteadyValues& steady, TapeSchedule& schedule)
      : tape_(tape),
        steady_(steady),
        schedule_(schedule),
        level_(tape.size() + 1, -1),
        place_(tape.size(), 0),
        position_(tape.size(), kNowhere) {}

  void build(std::span<const Node> wanted, std::span<const int> level) {
    int highest = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      raise(wanted[i], level[i]);
      highest = std::max(highest, level[i]);
    }
    for (auto node = static_cast<Node>(tape_.size()) - 1; node >= 0; --node) {
      spread(node);
    }
    stride_ = static_cast<std::uint32_t>(highest) + 1;
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

 private:
  static constexpr std::size_t kBlock = 4096;
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  static constexpr auto kCodes = static_cast<std::size_t>(Code::count);

  void raise(Node node, int level) {
    if (!tape_.is_steady(node)) {
      level_[at(node)] = std::max(level_[at(node)], level);
    }
  }

  // Users stand behind their operands: when a node's turn comes, its level is final. Of a pair, the
  // second comes first; above degree 0 both are needed.
  void spread(Node node) {
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
  bool together(Node second) const {
    const Op op = tape_.operation(second).op;
    return op == Op::tan_slope || op == Op::tanh_slope || level_[at(second)] > 0 ||
           level_[at(second - 1)] >= 0;
  }

  // Computed by an instruction of its own, not a leaf, nor with the other of a pair.
  bool is_computed(Node node) const {
    const Op op = tape_.operation(node).op;
    if (level_[at(node)] < 0 || Tape::operands(op) == 0) {
      return false;
    }
    return !Tape::is_second_of_pair(op) || !together(node);
  }

  void place_leaves() {
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

  Code code_of(Node node, int degree) const {
    const Tape::Operation& o = tape_.operation(node);
    const bool a_rests = tape_.is_steady(o.a);
    const bool b_rests = Tape::operands(o.op) > 1 && tape_.is_steady(o.b);
    const bool single = degree == 0 && level_[at(node + 1)] < 0;
    switch (o.op) {
      case Op::negate:
        return Code::negate;
      case Op::add:
        return a_rests || b_rests ? Code::add_steady : Code::add;
      case Op::subtract:
        return a_rests ? Code::steady_minus : b_rests ? Code::subtract_steady : Code::subtract;
      case Op::multiply:
        return a_rests || b_rests ? Code::scale : Code::multiply;
      case Op::divide:
        return a_rests ? Code::steady_over : b_rests ? Code::divide_steady : Code::divide;
      case Op::power:
        return b_rests ? Code::power_steady : Code::power;
      case Op::atan2:
        return Code::atan2;
      case Op::sqrt:
        return Code::sqrt;
      case Op::exp:
        return Code::exp;
      case Op::log:
        return Code::log;
      case Op::log10:
        return Code::log10;
      case Op::sin:
        return single ? Code::sin : Code::sin_cos;
      case Op::sinh:
        return single ? Code::sinh : Code::sinh_cosh;
      case Op::cos:
        return Code::cos;
      case Op::cosh:
        return Code::cosh;
      case Op::tan:
        return Code::tan;
      case Op::tanh:
        return Code::tanh;
      case Op::asin:
        return Code::asin;
      case Op::acos:
        return Code::acos;
      default:
        return Code::atan;
    }
  }

  // Where an instruction of that kind finds the operand; gives a resting one a place of its own
  // where there is no instruction for it.
  std::uint32_t lifted(Node node, int degree) {
    if (!tape_.is_steady(node)) {
      return place_[at(node)];
    }
    const std::uint32_t out = next_++ * stride_;
    emit(Code::lift, {0, steady_.index(node)}, degree, out);
    return out;
  }

  Operands operands_of(Node node, Code code, int degree) {
    const Tape::Operation& o = tape_.operation(node);
    switch (code) {
      case Code::add_steady:
      case Code::scale:
        return tape_.is_steady(o.a) ? Operands{place_[at(o.b)], steady_.index(o.a)}
                                    : Operands{place_[at(o.a)], steady_.index(o.b)};
      case Code::steady_minus:
      case Code::steady_over:
        return {place_[at(o.b)], steady_.index(o.a)};
      case Code::subtract_steady:
      case Code::divide_steady:
      case Code::power_steady:
        return {place_[at(o.a)], steady_.index(o.b)};
      case Code::power:
      case Code::atan2: {
        const std::uint32_t a = lifted(o.a, degree);
        return {a, lifted(o.b, degree)};
      }
      default:
        return {place_[at(o.a)], operands_read(o.op, degree) > 1 ? place_[at(o.b)] : 0};
    }
  }

  void emit(Code code, Operands operands, int degree, std::uint32_t out) {
    std::vector<TapeSchedule::Run>& runs = schedule_.runs_;
    const std::uint32_t size = stride_ * (TapeSchedule::makes_two(code) ? 2 : 1);
    if (runs.empty() || runs.back().code != code || runs.back().degree != degree ||
        runs.back().out + runs.back().count * size != out) {
      runs.push_back({code, degree, 0, out});
    }
    ++runs.back().count;
    schedule_.operands_.push_back(operands);
  }

  void emit(Node node, Code code, int degree) {
    const Operands operands = operands_of(node, code, degree);
    place_[at(node)] = next_++ * stride_;
    if (TapeSchedule::makes_two(code)) {
      place_[at(node + 1)] = next_++ * stride_;
    }
    emit(code, operands, degree, place_[at(node)]);
  }

  // Calls f(position) for the operands that are computed in the block itself.
  template <class F>
  void for_operands_inside(Node node, int degree, F f) const {
    const Tape::Operation& o = tape_.operation(node);
    const int count = operands_read(o.op, degree);
    for (const Node operand : {o.a, count > 1 ? o.b : -1}) {
      if (operand >= 0 && !tape_.is_steady(operand)) {
        const Node first = leader(tape_, operand);
        const Node maker = position_[at(operand)] != kNowhere ? operand : first;
        if (position_[at(maker)] != kNowhere) {
          f(position_[at(maker)]);
        }
      }
    }
  }

  // List scheduling: of all operations that are ready, those of the most frequent kind.
  void order_block(std::span<const Node> block, int degree) {
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
    std::array<std::vector<std::size_t>, kCodes> ready;
    std::vector<Code> code(block.size());
    for (std::size_t i = 0; i < block.size(); ++i) {
      code[i] = code_of(block[i], degree);
      for_operands_inside(block[i], degree,
                          [&](std::size_t operand) { users[end[operand]++] = i; });
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

  const Tape& tape_;
  const SteadyValues& steady_;
  TapeSchedule& schedule_;
  std::uint32_t stride_ = 1;
  std::uint32_t next_ = 0;               // free place, in strides
  std::vector<int> level_;               // up to which degree a node is needed; -1: not at all
  std::vector<std::uint32_t> place_;     // where it is stored
  std::vector<std::uint32_t> position_;  // in the block that is being ordered
};

bool TapeSchedule::makes_two(Code code) {
  return code == Code::sin_cos || code == Code::sinh_cosh || code == Code::tan ||
         code == Code::tanh;
}

TapeSchedule::TapeSchedule(const Tape& tape, const SteadyValues& steady,
                           std::span<const Tape::Node> wanted, std::span<const int> level) {
  Scheduler(tape, steady, *this).build(wanted, level);
}

}  // namespace saltus::modeling
