// SPDX-License-Identifier: BSD-2-Clause
#include "tape_scheduler.hpp"

namespace saltus::modeling {

TapeSchedule::Code Scheduler::code_of(Node node, int degree) const {
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
std::uint32_t Scheduler::lifted(Node node, int degree) {
  if (!tape_.is_steady(node)) {
    return place_[at(node)];
  }
  const std::uint32_t out = next_++ * stride_;
  emit(Code::lift, {0, steady_.index(node)}, degree, out);
  return out;
}

TapeSchedule::Operands Scheduler::operands_of(Node node, Code code, int degree) {
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

void Scheduler::emit(Code code, Operands operands, int degree, std::uint32_t out) {
  std::vector<TapeSchedule::Run>& runs = schedule_.runs_;
  const std::uint32_t size = stride_ * (TapeSchedule::makes_two(code) ? 2 : 1);
  if (runs.empty() || runs.back().code != code || runs.back().degree != degree ||
      runs.back().out + runs.back().count * size != out) {
    runs.push_back({code, degree, 0, out});
  }
  ++runs.back().count;
  schedule_.operands_.push_back(operands);
}

void Scheduler::emit(Node node, Code code, int degree) {
  const Operands operands = operands_of(node, code, degree);
  place_[at(node)] = next_++ * stride_;
  if (TapeSchedule::makes_two(code)) {
    place_[at(node + 1)] = next_++ * stride_;
  }
  emit(code, operands, degree, place_[at(node)]);
}

}  // namespace saltus::modeling
