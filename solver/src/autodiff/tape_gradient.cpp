// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/autodiff/tape_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

// Reverse accumulation: Griewank, Walther: Evaluating Derivatives, 2nd ed., SIAM 2008, section 3.2.
namespace saltus::modeling {

using Node = Tape::Node;
using Op = Tape::Op;

void TapeGradient::add(const Tape& tape, Node node) {
  operations_.push_back(tape.operation(node));
  values_.push_back(tape.is_constant(node) ? tape.value_of(node) : 0.0);
  adjoint_.push_back(0.0);
}

TapeGradient::TapeGradient(const Tape& tape) {
  for (Node node = 0; static_cast<std::size_t>(node) < tape.size(); ++node) add(tape, node);
}

TapeGradient::TapeGradient(const Tape& tape, std::span<Node> wanted) {
  std::vector<Node> place(tape.size(), -1);  // 0: is needed
  const auto need = [&](Node node) { place[static_cast<std::size_t>(node)] = 0; };
  std::for_each(wanted.begin(), wanted.end(), need);
  for (auto node = static_cast<Node>(tape.size()); node-- > 0;) {
    const Op op = tape.operation(node).op;
    // Of a pair both are needed, side by side.
    if (Tape::is_first_of_pair(op) && place[static_cast<std::size_t>(node) + 1] == 0) need(node);
    if (place[static_cast<std::size_t>(node)] < 0) continue;
    if (Tape::is_first_of_pair(op)) need(node + 1);
    if (Tape::operands(op) > 0) need(tape.operation(node).a);
    if (Tape::operands(op) > 1) need(tape.operation(node).b);
  }
  for (Node node = 0; static_cast<std::size_t>(node) < tape.size(); ++node) {
    Node& to = place[static_cast<std::size_t>(node)];
    if (to < 0) continue;
    to = static_cast<Node>(operations_.size());
    add(tape, node);
    Tape::Operation& o = operations_.back();
    if (Tape::operands(o.op) > 0) o.a = place[static_cast<std::size_t>(o.a)];
    if (Tape::operands(o.op) > 1) o.b = place[static_cast<std::size_t>(o.b)];
  }
  for (Node& node : wanted) node = place[static_cast<std::size_t>(node)];
}

void TapeGradient::evaluate(double t, ConstVec unknowns, ConstVec numbers) {
  const auto count = static_cast<Node>(operations_.size());
  double* const values = values_.data();
  for (Node node = 0; node < count; ++node) {
    const Tape::Operation& o = operation(node);
    switch (o.op) {
      case Op::constant:
        break;
      case Op::time:
        values[node] = t;
        break;
      case Op::unknown:
        values[node] = o.b == 0 ? unknowns[static_cast<std::size_t>(o.a)] : 0.0;
        break;
      case Op::number:
        values[node] = numbers[static_cast<std::size_t>(o.a)];
        break;
      case Op::add:
        values[node] = values[o.a] + values[o.b];
        break;
      case Op::subtract:
        values[node] = values[o.a] - values[o.b];
        break;
      case Op::multiply:
        values[node] = values[o.a] * values[o.b];
        break;
      default:
        values[node] = Tape::apply(o.op, values[o.a], Tape::operands(o.op) > 1 ? values[o.b] : 0.0);
    }
  }
}

void TapeGradient::seed(Node node, double weight) {
  adjoint(node) += weight;
  last_ = std::max(last_, node);
}

// Users stand behind their operands, so the adjoint of a node is complete when it is met.
void TapeGradient::sweep(const Leaves& leaves) {
  for (Node node = std::exchange(last_, -1); node >= 0; --node) {
    const double g = std::exchange(adjoint(node), 0.0);
    if (g == 0.0) continue;
    const Tape::Operation& o = operation(node);
    switch (o.op) {
      case Op::constant:
        break;
      case Op::time:
        leaves.time += g;
        break;
      case Op::unknown:
        if (o.b == 0) leaves.unknowns[static_cast<std::size_t>(o.a)] += g;
        break;
      case Op::number:
        leaves.numbers[static_cast<std::size_t>(o.a)] += g;
        break;
      default:
        pass_on(node, o, g);
    }
  }
}

void TapeGradient::pass_on(Node node, const Tape::Operation& o, double g) {
  switch (o.op) {
    case Op::negate:
      adjoint(o.a) -= g;
      break;
    case Op::add:
      adjoint(o.a) += g;
      adjoint(o.b) += g;
      break;
    case Op::subtract:
      adjoint(o.a) += g;
      adjoint(o.b) -= g;
      break;
    case Op::multiply:
      adjoint(o.a) += g * value(o.b);
      adjoint(o.b) += g * value(o.a);
      break;
    case Op::divide: {
      const double share = g / value(o.b);
      adjoint(o.a) += share;
      adjoint(o.b) -= share * value(node);
      break;
    }
    case Op::power: {
      const double base = value(o.a), exponent = value(o.b);
      if (exponent != 0.0) adjoint(o.a) += g * exponent * std::pow(base, exponent - 1.0);
      if (value(node) != 0.0) adjoint(o.b) += g * value(node) * std::log(base);
      break;
    }
    case Op::atan2: {
      const double y = value(o.a), x = value(o.b), share = g / (x * x + y * y);
      adjoint(o.a) += share * x;
      adjoint(o.b) -= share * y;
      break;
    }
    default:
      adjoint(o.a) += g * slope(node, o);
  }
}

// Of the functions of one operand. The other one of a pair is the neighbour.
double TapeGradient::slope(Node node, const Tape::Operation& o) const {
  switch (o.op) {
    case Op::sqrt:
      return 0.5 / value(node);
    case Op::exp:
      return value(node);
    case Op::log:
      return 1.0 / value(o.a);
    case Op::log10:
      return 1.0 / (std::log(10.0) * value(o.a));
    case Op::sin:
    case Op::sinh:
    case Op::tan:
    case Op::tanh:
      return value(node + 1);
    case Op::cos:
      return -value(node - 1);
    case Op::cosh:
      return value(node - 1);
    case Op::tan_slope:
      return 2.0 * value(node - 1) * value(node);
    case Op::tanh_slope:
      return -2.0 * value(node - 1) * value(node);
    case Op::acos:
      return -1.0 / value(o.b);
    default:  // asin, atan
      return 1.0 / value(o.b);
  }
}

}  // namespace saltus::modeling
