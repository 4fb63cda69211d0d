// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/autodiff/tape.hpp"

// Reverse accumulation (Griewank and Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, section
// 3.2), carried out on symbols: the adjoint of a node is itself a node.
namespace saltus::modeling {
namespace {

using Node = Tape::Node;
using Op = Tape::Op;

class ReverseSweep {
 public:
  explicit ReverseSweep(Tape& tape) : tape_(tape), adjoint_(tape.size(), kNone) {}

  void row(int index, Node output, std::vector<Tape::Entry>& entries) {
    const auto first = static_cast<std::ptrdiff_t>(entries.size());
    receive(output, [this] { return tape_.constant(1.0); });
    // Users stand behind their operands, so the last waiting node has its adjoint complete.
    while (!waiting_.empty()) {
      std::pop_heap(waiting_.begin(), waiting_.end());
      const Node node = waiting_.back();
      waiting_.pop_back();
      const Node adjoint = std::exchange(adjoint_[static_cast<std::size_t>(node)], kNone);
      if (tape_.is_constant(adjoint) && tape_.value_of(adjoint) == 0.0) {
        continue;
      }
      const Tape::Operation o = tape_.operation(node);
      if (o.op == Op::unknown) {
        entries.push_back({index, o.a, o.b, adjoint});
      } else {
        pass_on(node, o, adjoint);
      }
    }
    std::sort(entries.begin() + first, entries.end(), [](const auto& x, const auto& y) {
      return x.unknown != y.unknown ? x.unknown < y.unknown : x.order < y.order;
    });
  }

 private:
  static constexpr Node kNone = -1;

  // The node receives what `contribution()` gives, if it depends on an unknown at all.
  template <class F>
  void receive(Node node, F contribution) {
    if (!tape_.is_active(node)) {
      return;
    }
    Node& adjoint = adjoint_[static_cast<std::size_t>(node)];
    if (adjoint == kNone) {
      adjoint = contribution();
      waiting_.push_back(node);
      std::push_heap(waiting_.begin(), waiting_.end());
    } else {
      adjoint = tape_.add(adjoint, contribution());
    }
  }

  // `g` is the adjoint of `node`; its operands receive g times the partial derivatives.
  void pass_on(Node node, const Tape::Operation& o, Node g) {
    const auto as_it_is = [g] { return g; };
    const auto negated = [&] { return tape_.negate(g); };
    switch (o.op) {
      case Op::negate:
        return receive(o.a, negated);
      case Op::add:
        receive(o.a, as_it_is);
        return receive(o.b, as_it_is);
      case Op::subtract:
        receive(o.a, as_it_is);
        return receive(o.b, negated);
      case Op::multiply:
        receive(o.a, [&] { return tape_.multiply(g, o.b); });
        return receive(o.b, [&] { return tape_.multiply(g, o.a); });
      case Op::divide: {
        const Node share = tape_.divide(g, o.b);
        receive(o.a, [&] { return share; });
        return receive(o.b, [&] { return tape_.negate(tape_.multiply(share, node)); });
      }
      case Op::power:
        receive(o.a, [&] { return by_base(o, g); });
        return receive(o.b, [&] {
          return tape_.multiply(g, tape_.multiply(node, tape_.function(Op::log, o.a)));
        });
      case Op::atan2: {
        const Node square = tape_.add(tape_.multiply(o.a, o.a), tape_.multiply(o.b, o.b));
        const Node share = tape_.divide(g, square);
        receive(o.a, [&] { return tape_.multiply(share, o.b); });
        return receive(o.b, [&] { return tape_.negate(tape_.multiply(share, o.a)); });
      }
      default:
        return receive(o.a, [&] { return mapped(node, o, g); });
    }
  }

  Node by_base(const Tape::Operation& o, Node g) {
    const Node lower = tape_.power(o.a, tape_.subtract(o.b, tape_.constant(1.0)));
    return tape_.multiply(g, tape_.multiply(o.b, lower));
  }

  // For the functions of one operand. The other of a pair is the neighbour.
  Node mapped(Node node, const Tape::Operation& o, Node g) {
    const auto twice = [this](Node a) { return tape_.multiply(tape_.constant(2.0), a); };
    switch (o.op) {
      case Op::sqrt:
        return tape_.divide(g, twice(node));
      case Op::exp:
        return tape_.multiply(g, node);
      case Op::log:
        return tape_.divide(g, o.a);
      case Op::log10:
        return tape_.divide(g, tape_.multiply(tape_.constant(std::log(10.0)), o.a));
      case Op::sin:
      case Op::sinh:
      case Op::tan:
      case Op::tanh:
        return tape_.multiply(g, node + 1);
      case Op::cos:
        return tape_.negate(tape_.multiply(g, node - 1));
      case Op::cosh:
        return tape_.multiply(g, node - 1);
      case Op::tan_slope:
        return tape_.multiply(g, twice(tape_.multiply(node - 1, node)));
      case Op::tanh_slope:
        return tape_.negate(tape_.multiply(g, twice(tape_.multiply(node - 1, node))));
      case Op::acos:
        return tape_.negate(tape_.divide(g, o.b));
      default:  // asin, atan
        return tape_.divide(g, o.b);
    }
  }

  Tape& tape_;
  std::vector<Node> adjoint_;
  std::vector<Node> waiting_;  // a heap, the last node on top
};

}  // namespace

std::vector<Tape::Entry> Tape::differentiate() {
  std::vector<Entry> entries;
  ReverseSweep sweep(*this);
  const std::vector<Node> outputs = rows_;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    sweep.row(static_cast<int>(i), outputs[i], entries);
  }
  return entries;
}

}  // namespace saltus::modeling
