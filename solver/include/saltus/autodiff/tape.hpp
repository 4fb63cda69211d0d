// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace saltus::modeling {

/// The equations of a model written down as a list of elementary operations, each of which names
/// the earlier ones it works on. What was said once can then be evaluated for Taylor coefficients
/// of any degree, and differentiated exactly.
///
/// Equal operations on equal operands are one node, constants are folded, and what needs no
/// arithmetic is simplified away (0 + x, 1 * x, 0 * x, x - x, -(-x)), as if all values were finite.
///
/// The leaves of the graph are constants, the time, derivatives of the unknowns (order 0 being the
/// unknown itself), and *numbers*: parameters and discrete variables, which rest between events
/// and whose values are given at evaluation, so that changing one needs no new tape.
class Tape {
 public:
  /// A node is its position; operands stand before what uses them.
  using Node = std::int32_t;

  enum class Op : std::uint8_t {
    constant,  ///< `a`: position among the constants
    time,
    unknown,  ///< `a`: which, `b`: order of the derivative
    number,   ///< `a`: slot
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    atan2,
    sqrt,
    exp,
    log,
    log10,
    // Pairs that are computed together and stand beside each other.
    sin,
    cos,
    sinh,
    cosh,
    tan,
    tan_slope,  ///< 1 + tan^2
    tanh,
    tanh_slope,  ///< 1 - tanh^2
    // `b` is the divisor w of their derivative a' / w (for acos: -a' / w).
    asin,
    acos,
    atan,
  };
  struct Operation {
    Op op = Op::constant;
    std::int32_t a = 0;
    std::int32_t b = 0;
  };

  Node constant(double value);
  Node time();
  Node unknown(int index, int order);
  Node number(int slot);

  Node negate(Node a);
  Node add(Node a, Node b);
  Node subtract(Node a, Node b);
  Node multiply(Node a, Node b);
  Node divide(Node a, Node b);
  /// Small whole constants as exponents become products, which are right for any base.
  Node power(Node a, Node b);
  Node atan2(Node y, Node x);
  /// Any of `sqrt` to `atan`.
  Node function(Op op, Node a);

  /// The next equation: that node is to be zero.
  void add_row(Node node) { rows_.push_back(node); }
  std::span<const Node> rows() const { return rows_; }

  /// dF_row / dx_unknown^(order) = node.
  struct Entry {
    int row = 0;
    int unknown = 0;
    int order = 0;
    Node node = 0;
  };
  /// Appends the nodes of all derivatives of the rows that are not identically zero; sorted by row,
  /// unknown, order. Each row is swept backwards over the nodes it uses, and nothing else, so that
  /// many short rows cost no more than their length.
  std::vector<Entry> differentiate();

  /// Gives memory back that only recording needs.
  void compact();

  std::size_t size() const { return operations_.size(); }
  const Operation& operation(Node node) const { return operations_[at(node)]; }
  /// Of a node of kind `constant`.
  double value_of(Node node) const { return constants_[at(operation(node).a)]; }
  bool is_constant(Node node) const { return operation(node).op == Op::constant; }
  /// Depends on constants and numbers alone.
  bool is_steady(Node node) const { return (traits_[at(node)] & (kMoves | kActive)) == 0; }
  /// Depends on an unknown.
  bool is_active(Node node) const { return (traits_[at(node)] & kActive) != 0; }

  /// How many operands an operation has.
  static int operands(Op op);
  static bool is_first_of_pair(Op op);
  static bool is_second_of_pair(Op op);
  /// What an operation gives for given operands.
  static double apply(Op op, double a, double b);

 private:
  static constexpr std::uint8_t kMoves = 1;   ///< depends on the time
  static constexpr std::uint8_t kActive = 2;  ///< depends on an unknown

  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  bool equals(Node node, double value) const {
    return is_constant(node) && value_of(node) == value;
  }
  Node whole_power(Node a, int exponent);
  Node find_or_append(Op op, std::int32_t a, std::int32_t b);
  Node append(Op op, std::int32_t a, std::int32_t b);
  std::uint32_t& slot_of(Op op, std::int32_t a, std::int32_t b);
  void rebuild_table();

  std::vector<Operation> operations_;
  std::vector<std::uint8_t> traits_;
  std::vector<double> constants_;
  std::vector<std::uint32_t> table_;           ///< open addressing: node + 1, or 0 where free
  std::vector<std::uint32_t> constant_table_;  ///< likewise, by value
  std::vector<Node> rows_;
};

}  // namespace saltus::modeling
