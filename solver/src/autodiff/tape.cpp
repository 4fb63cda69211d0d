// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/autodiff/tape.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace saltus::modeling {
namespace {

// The finishing steps of MurmurHash3 (Appleby): every bit of the key reaches every bit of the hash.
std::uint64_t mixed(std::uint64_t key) {
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdULL;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53ULL;
  return key ^ (key >> 33);
}

std::uint64_t hash_of(Tape::Op op, std::int32_t a, std::int32_t b) {
  const auto low = static_cast<std::uint32_t>(a);
  const auto high = static_cast<std::uint64_t>(static_cast<std::uint32_t>(b)) << 32;
  return mixed((high | low) ^ mixed(static_cast<std::uint64_t>(op)));
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::fabs(std::frexp(value, &exponent)) == 0.5 && std::abs(exponent) < 1000;
}

}  // namespace

std::uint32_t& Tape::slot_of(Op op, std::int32_t a, std::int32_t b) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = hash_of(op, a, b) & mask;; i = (i + 1) & mask) {
    if (table_[i] == 0) {
      return table_[i];
    }
    const Operation& known = operations_[table_[i] - 1];
    if (known.op == op && known.a == a && known.b == b) {
      return table_[i];
    }
  }
}

void Tape::rebuild_table() {
  table_.assign(std::bit_ceil(std::max<std::size_t>(64, 4 * operations_.size())), 0);
  for (std::size_t node = 0; node < operations_.size(); ++node) {
    const Operation& o = operations_[node];
    slot_of(o.op, o.a, o.b) = static_cast<std::uint32_t>(node) + 1;
  }
}

void Tape::compact() {
  table_ = {};
  operations_.shrink_to_fit();
  traits_.shrink_to_fit();
}

Tape::Node Tape::append(Op op, std::int32_t a, std::int32_t b) {
  if (2 * (operations_.size() + 1) > table_.size()) {
    rebuild_table();
  }
  std::uint8_t traits = op == Op::time ? kMoves : op == Op::unknown ? kActive : 0;
  const int count = operands(op);
  if (count > 0) {
    traits |= traits_[at(a)];
  }
  if (count > 1) {
    traits |= traits_[at(b)];
  }
  slot_of(op, a, b) = static_cast<std::uint32_t>(operations_.size()) + 1;
  operations_.push_back({op, a, b});
  traits_.push_back(traits);
  return static_cast<Node>(operations_.size()) - 1;
}

Tape::Node Tape::find_or_append(Op op, std::int32_t a, std::int32_t b) {
  if (table_.empty()) {
    rebuild_table();
  }
  if (const std::uint32_t known = slot_of(op, a, b); known != 0) {
    return static_cast<Node>(known) - 1;
  }
  return append(op, a, b);
}

// Constants have a table of their own, by their bits: 0.0 and -0.0 are one.
Tape::Node Tape::constant(double value) {
  value = value == 0.0 ? 0.0 : value;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if (2 * (constants_.size() + 1) > constant_table_.size()) {
    const std::vector<std::uint32_t> old = std::move(constant_table_);
    constant_table_.assign(std::max<std::size_t>(32, 2 * old.size()), 0);
    for (const std::uint32_t entry : old) {
      if (entry != 0) {
        const double known = value_of(static_cast<Node>(entry) - 1);
        std::size_t i = mixed(std::bit_cast<std::uint64_t>(known));
        for (i &= constant_table_.size() - 1; constant_table_[i] != 0;) {
          i = (i + 1) & (constant_table_.size() - 1);
        }
        constant_table_[i] = entry;
      }
    }
  }
  const std::size_t mask = constant_table_.size() - 1;
  std::size_t i = mixed(bits) & mask;
  for (; constant_table_[i] != 0; i = (i + 1) & mask) {
    const auto node = static_cast<Node>(constant_table_[i]) - 1;
    if (std::bit_cast<std::uint64_t>(value_of(node)) == bits) {
      return node;
    }
  }
  constants_.push_back(value);
  const Node node = append(Op::constant, static_cast<std::int32_t>(constants_.size()) - 1, 0);
  constant_table_[i] = static_cast<std::uint32_t>(node) + 1;
  return node;
}

Tape::Node Tape::time() { return find_or_append(Op::time, 0, 0); }
Tape::Node Tape::unknown(int index, int order) { return find_or_append(Op::unknown, index, order); }
Tape::Node Tape::number(int slot) { return find_or_append(Op::number, slot, 0); }

Tape::Node Tape::negate(Node a) {
  const Operation o = operation(a);
  switch (o.op) {
    case Op::constant:
      return constant(-value_of(a));
    case Op::negate:
      return o.a;
    case Op::subtract:
      return find_or_append(Op::subtract, o.b, o.a);
    case Op::multiply:
      if (is_constant(o.a)) {
        return multiply(constant(-value_of(o.a)), o.b);
      }
      break;
    default:
      break;
  }
  return find_or_append(Op::negate, a, 0);
}

Tape::Node Tape::add(Node a, Node b) {
  if (is_constant(a) && is_constant(b)) {
    return constant(value_of(a) + value_of(b));
  }
  if (equals(a, 0.0)) {
    return b;
  }
  if (equals(b, 0.0)) {
    return a;
  }
  if (a == b) {
    return multiply(constant(2.0), a);
  }
  if (operation(b).op == Op::negate) {
    return subtract(a, operation(b).a);
  }
  if (operation(a).op == Op::negate) {
    return subtract(b, operation(a).a);
  }
  return find_or_append(Op::add, std::min(a, b), std::max(a, b));
}

Tape::Node Tape::subtract(Node a, Node b) {
  if (a == b) {
    return constant(0.0);
  }
  if (is_constant(a) && is_constant(b)) {
    return constant(value_of(a) - value_of(b));
  }
  if (equals(a, 0.0)) {
    return negate(b);
  }
  if (equals(b, 0.0)) {
    return a;
  }
  if (operation(b).op == Op::negate) {
    return add(a, operation(b).a);
  }
  return find_or_append(Op::subtract, a, b);
}

// A constant factor stands first.
Tape::Node Tape::multiply(Node a, Node b) {
  if (is_constant(b)) {
    std::swap(a, b);
  }
  if (is_constant(a)) {
    const double factor = value_of(a);
    if (is_constant(b)) {
      return constant(factor * value_of(b));
    }
    if (factor == 0.0) {
      return a;
    }
    if (factor == 1.0) {
      return b;
    }
    if (factor == -1.0) {
      return negate(b);
    }
    if (operation(b).op == Op::negate) {
      return multiply(constant(-factor), operation(b).a);
    }
    return find_or_append(Op::multiply, a, b);
  }
  const bool minus_a = operation(a).op == Op::negate;
  const bool minus_b = operation(b).op == Op::negate;
  if (minus_a || minus_b) {
    const Node product = multiply(minus_a ? operation(a).a : a, minus_b ? operation(b).a : b);
    return minus_a == minus_b ? product : negate(product);
  }
  return find_or_append(Op::multiply, std::min(a, b), std::max(a, b));
}

Tape::Node Tape::divide(Node a, Node b) {
  if (is_constant(b)) {
    const double divisor = value_of(b);
    if (is_constant(a)) {
      return constant(value_of(a) / divisor);
    }
    if (is_power_of_two(divisor)) {
      return multiply(constant(1.0 / divisor), a);  // exact, and cheaper
    }
  }
  if (equals(a, 0.0)) {
    return a;
  }
  if (operation(a).op == Op::negate) {
    return negate(divide(operation(a).a, b));
  }
  return find_or_append(Op::divide, a, b);
}

}  // namespace saltus::modeling
