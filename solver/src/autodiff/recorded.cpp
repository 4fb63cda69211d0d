// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/autodiff/recorded.hpp"

#include <cmath>
#include <stdexcept>

namespace saltus::modeling {
namespace {

constinit thread_local Tape* open_tape = nullptr;
constinit thread_local bool literally = false;
constinit thread_local std::vector<std::vector<Tape::Node>>* kept_conditions = nullptr;
constinit thread_local std::vector<Tape::Node>* kept_clocks = nullptr;  // and margins

Tape& tape() {
  if (open_tape == nullptr) {
    throw std::logic_error("a recorded number was used after its recording had ended");
  }
  return *open_tape;
}

}  // namespace

Recording::Recording(Tape& tape) : tape_(tape), outer_(open_tape) {
  open_tape = &tape;
  literally = false;
}
bool Recording::holds_everywhere() const { return !literally; }
void Recorded::decided_literally() { literally = true; }
Recording::~Recording() {
  open_tape = outer_;
  kept_conditions = nullptr;
  kept_clocks = nullptr;
}
void Recording::keep_conditions(std::vector<std::vector<Tape::Node>>& conditions) {
  kept_conditions = &conditions;
}
void Recording::keep_margins(std::vector<std::vector<Tape::Node>>& margins,
                             std::vector<Tape::Node>& clocks) {
  kept_conditions = &margins;
  kept_clocks = &clocks;
}

void RecordedTruth::record() const {
  if (kept_clocks != nullptr) {
    kept_conditions->push_back(numbers_);
  }
}
void Recorded::record_condition(bool) {
  if (kept_clocks != nullptr) {
    kept_conditions->emplace_back();
  }
}
void Recorded::record_clock(const Recorded& instant) {
  if (kept_clocks != nullptr) {
    kept_clocks->push_back(instant.node_on(tape()));
  }
}

RecordedTruth::operator bool() const {
  if (cursor.live) {
    return holds();
  }
  if (cursor.lock == cursor.end) {
    too_many_decisions();
  }
  if (kept_conditions != nullptr) {
    kept_conditions->push_back(numbers_);
  }
  return *cursor.lock++ == Lock::yes;
}

Tape::Node Recorded::node_on(Tape& tape) const {
  return node_ == kConstant ? tape.constant(value_) : node_;
}

Recorded Recorded::call(Tape::Op op, const Recorded& a) {
  const double value = Tape::apply(op, a.value_, 0.0);
  return a.node_ == kConstant ? Recorded(value) : Recorded(value, tape().function(op, a.node_));
}

Recorded Recorded::join(double value, Join operation, const Recorded& a, const Recorded& b) {
  if (a.node_ == kConstant && b.node_ == kConstant) {
    return value;
  }
  Tape& open = tape();
  return {value, (open.*operation)(a.node_on(open), b.node_on(open))};
}

Recorded operator+(const Recorded& a, const Recorded& b) {
  return Recorded::join(a.value_ + b.value_, &Tape::add, a, b);
}
Recorded operator-(const Recorded& a, const Recorded& b) {
  return Recorded::join(a.value_ - b.value_, &Tape::subtract, a, b);
}
Recorded operator*(const Recorded& a, const Recorded& b) {
  return Recorded::join(a.value_ * b.value_, &Tape::multiply, a, b);
}
Recorded operator/(const Recorded& a, const Recorded& b) {
  return Recorded::join(a.value_ / b.value_, &Tape::divide, a, b);
}
Recorded atan2(const Recorded& a, const Recorded& b) {
  return Recorded::join(std::atan2(a.value_, b.value_), &Tape::atan2, a, b);
}
Recorded pow(const Recorded& a, const Recorded& b) {
  return Recorded::join(std::pow(a.value_, b.value_), &Tape::power, a, b);
}

Recorded operator-(const Recorded& a) {
  return a.node_ == Recorded::kConstant ? Recorded(-a.value_)
                                        : Recorded(-a.value_, tape().negate(a.node_));
}

Recorded sqrt(const Recorded& a) { return Recorded::call(Tape::Op::sqrt, a); }
Recorded exp(const Recorded& a) { return Recorded::call(Tape::Op::exp, a); }
Recorded log(const Recorded& a) { return Recorded::call(Tape::Op::log, a); }
Recorded log10(const Recorded& a) { return Recorded::call(Tape::Op::log10, a); }
Recorded sin(const Recorded& a) { return Recorded::call(Tape::Op::sin, a); }
Recorded cos(const Recorded& a) { return Recorded::call(Tape::Op::cos, a); }
Recorded tan(const Recorded& a) { return Recorded::call(Tape::Op::tan, a); }
Recorded asin(const Recorded& a) { return Recorded::call(Tape::Op::asin, a); }
Recorded acos(const Recorded& a) { return Recorded::call(Tape::Op::acos, a); }
Recorded atan(const Recorded& a) { return Recorded::call(Tape::Op::atan, a); }
Recorded sinh(const Recorded& a) { return Recorded::call(Tape::Op::sinh, a); }
Recorded cosh(const Recorded& a) { return Recorded::call(Tape::Op::cosh, a); }
Recorded tanh(const Recorded& a) { return Recorded::call(Tape::Op::tanh, a); }

RecordedTruth Recorded::compare(const Recorded& larger, const Recorded& smaller, bool at_zero) {
  std::vector<Tape::Node> numbers;
  if (kept_clocks != nullptr) {
    numbers.push_back((larger - smaller).node_on(tape()));
  } else if (kept_conditions != nullptr) {
    for (const Recorded* number : {&larger, &smaller}) {
      if (number->node_ != kConstant) {
        numbers.push_back(number->node_);
      }
    }
  }
  return {larger.value_ - smaller.value_, at_zero, std::move(numbers)};
}
RecordedTruth operator>(const Recorded& a, const Recorded& b) {
  return Recorded::compare(a, b, false);
}
RecordedTruth operator<(const Recorded& a, const Recorded& b) {
  return Recorded::compare(b, a, false);
}
RecordedTruth operator>=(const Recorded& a, const Recorded& b) {
  return Recorded::compare(a, b, true);
}
RecordedTruth operator<=(const Recorded& a, const Recorded& b) {
  return Recorded::compare(b, a, true);
}
Recorded sign(const Recorded& a) { return a > Recorded(0.0) ? Recorded(1.0) : Recorded(-1.0); }
Recorded abs(const Recorded& a) { return a > Recorded(0.0) ? a : -a; }
Recorded max(const Recorded& a, const Recorded& b) { return a > b ? a : b; }
Recorded min(const Recorded& a, const Recorded& b) { return a > b ? b : a; }

}  // namespace saltus::modeling
