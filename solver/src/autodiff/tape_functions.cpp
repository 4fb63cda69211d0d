// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <cstdlib>

#include "saltus/autodiff/tape.hpp"

namespace saltus::modeling {

int Tape::operands(Op op) {
  switch (op) {
    case Op::constant:
    case Op::time:
    case Op::unknown:
    case Op::number:
      return 0;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::atan2:
    case Op::asin:
    case Op::acos:
    case Op::atan:
      return 2;
    default:
      return 1;
  }
}

bool Tape::is_first_of_pair(Op op) {
  return op == Op::sin || op == Op::sinh || op == Op::tan || op == Op::tanh;
}
bool Tape::is_second_of_pair(Op op) {
  return op == Op::cos || op == Op::cosh || op == Op::tan_slope || op == Op::tanh_slope;
}

double Tape::apply(Op op, double a, double b) {
  switch (op) {
    case Op::negate:
      return -a;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return std::pow(a, b);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::log10:
      return std::log10(a);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tan:
      return std::tan(a);
    case Op::tan_slope: {
      const double t = std::tan(a);
      return 1.0 + t * t;
    }
    case Op::tanh:
      return std::tanh(a);
    case Op::tanh_slope: {
      const double t = std::tanh(a);
      return (1.0 - t) * (1.0 + t);
    }
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    default:
      return 0.0;  // a leaf: nothing to apply
  }
}

Tape::Node Tape::whole_power(Node a, int exponent) {
  if (exponent < 0) {
    return divide(constant(1.0), whole_power(a, -exponent));
  }
  Node product = constant(1.0);
  for (Node square = a; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) {
      product = multiply(product, square);
    }
    if (exponent > 1) {
      square = multiply(square, square);
    }
  }
  return product;
}

Tape::Node Tape::power(Node a, Node b) {
  // Up to this exponent powers are products, which have derivatives at zero; above it they would
  // round more often than pow does.
  constexpr double kProducts = 64.0;
  if (is_constant(b)) {
    const double exponent = value_of(b);
    if (is_constant(a)) {
      return constant(std::pow(value_of(a), exponent));
    }
    if (exponent == std::trunc(exponent) && std::fabs(exponent) <= kProducts) {
      return whole_power(a, static_cast<int>(exponent));
    }
    if (exponent == 0.5) {
      return function(Op::sqrt, a);
    }
  }
  return find_or_append(Op::power, a, b);
}

Tape::Node Tape::atan2(Node y, Node x) {
  if (is_constant(y) && is_constant(x)) {
    return constant(std::atan2(value_of(y), value_of(x)));
  }
  return find_or_append(Op::atan2, y, x);
}

Tape::Node Tape::function(Op op, Node a) {
  if (is_constant(a)) {
    return constant(apply(op, value_of(a), 0.0));
  }
  if (op == Op::asin || op == Op::acos) {
    const Node one = constant(1.0);
    return find_or_append(op, a, function(Op::sqrt, multiply(subtract(one, a), add(one, a))));
  }
  if (op == Op::atan) {
    return find_or_append(op, a, add(constant(1.0), multiply(a, a)));
  }
  if (is_second_of_pair(op)) {
    return function(static_cast<Op>(static_cast<int>(op) - 1), a) + 1;
  }
  const std::size_t before = size();
  const Node node = find_or_append(op, a, 0);
  if (is_first_of_pair(op) && size() != before) {
    append(static_cast<Op>(static_cast<int>(op) + 1), a, 0);
  }
  return node;
}

}  // namespace saltus::modeling
