// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <utility>
#include <vector>

#include "saltus/autodiff/decisions.hpp"
#include "saltus/autodiff/tape.hpp"
#include "saltus/core/whole_values.hpp"

namespace saltus::modeling {

/// The truth of a condition in the recording scalar. Between events the lock decides, as for
/// `LockedTruth`, and nothing is written; in `live` passes the values decide, as for
/// `WatchedTruth`.
class RecordedTruth {
 public:
  /// `numbers` are the nodes that are compared.
  RecordedTruth(double margin, bool at_zero, std::vector<Tape::Node> numbers = {})
      : truth_(margin, at_zero), numbers_(std::move(numbers)) {}

  bool holds() const { return truth_.holds(); }
  double indicator() const { return truth_.indicator(); }
  /// In `events`: this is the next condition.
  void record() const;

  operator bool() const;
  template <class T>
  operator T() const = delete;  // a condition is not a number: write  c ? 1.0 : 0.0

  friend RecordedTruth operator&&(const RecordedTruth& a, const RecordedTruth& b) {
    return RecordedTruth(a.truth_ && b.truth_, a, b);
  }
  friend RecordedTruth operator||(const RecordedTruth& a, const RecordedTruth& b) {
    return RecordedTruth(a.truth_ || b.truth_, a, b);
  }
  friend RecordedTruth operator!(const RecordedTruth& a) { return RecordedTruth(!a.truth_, a); }
  friend RecordedTruth operator&&(bool a, const RecordedTruth& b) {
    return RecordedTruth(a && b.truth_, b);
  }
  friend RecordedTruth operator&&(const RecordedTruth& a, bool b) {
    return RecordedTruth(a.truth_ && b, a);
  }
  friend RecordedTruth operator||(bool a, const RecordedTruth& b) {
    return RecordedTruth(a || b.truth_, b);
  }
  friend RecordedTruth operator||(const RecordedTruth& a, bool b) {
    return RecordedTruth(a.truth_ || b, a);
  }

 private:
  RecordedTruth(WatchedTruth truth, const RecordedTruth& part)
      : truth_(truth), numbers_(part.numbers_) {}
  RecordedTruth(WatchedTruth truth, const RecordedTruth& a, const RecordedTruth& b)
      : RecordedTruth(truth, a) {
    numbers_.insert(numbers_.end(), b.numbers_.begin(), b.numbers_.end());
  }

  WatchedTruth truth_;
  std::vector<Tape::Node> numbers_;  // where the recording keeps conditions
};

/// A number that writes down on the open `Recording` how it came about. Numbers that come from
/// constants alone are constants and need no recording.
///
/// Everything but construction is compiled once, in the library: a recording pass is rare, and
/// models would compile slowly otherwise.
class Recorded {
 public:
  Recorded() = default;
  Recorded(double value) : value_(value) {}  // NOLINT(google-explicit-constructor): as in Number
  template <HeldNumber Held>
  Recorded(const Held& held) : value_(held.as_number()) {}  // NOLINT(google-explicit-constructor)
  double value() const { return value_; }
  /// What follows depends on a comparison of values that the recording does not hold.
  static void decided_literally();
  /// In `events`: the next condition, which compares no numbers; and the instant, or the interval,
  /// of a clock that is due.
  static void record_condition(bool holds);
  static void record_clock(const Recorded& instant);

  friend Recorded operator+(const Recorded& a, const Recorded& b);
  friend Recorded operator-(const Recorded& a, const Recorded& b);
  friend Recorded operator*(const Recorded& a, const Recorded& b);
  friend Recorded operator/(const Recorded& a, const Recorded& b);
  friend Recorded operator-(const Recorded& a);
  friend Recorded operator+(const Recorded& a) { return a; }
  friend Recorded& operator+=(Recorded& a, const Recorded& b) { return a = a + b; }
  friend Recorded& operator-=(Recorded& a, const Recorded& b) { return a = a - b; }
  friend Recorded& operator*=(Recorded& a, const Recorded& b) { return a = a * b; }
  friend Recorded& operator/=(Recorded& a, const Recorded& b) { return a = a / b; }

  friend RecordedTruth operator>(const Recorded& a, const Recorded& b);
  friend RecordedTruth operator<(const Recorded& a, const Recorded& b);
  friend RecordedTruth operator>=(const Recorded& a, const Recorded& b);
  friend RecordedTruth operator<=(const Recorded& a, const Recorded& b);

  friend Recorded sqrt(const Recorded& a);
  friend Recorded exp(const Recorded& a);
  friend Recorded log(const Recorded& a);
  friend Recorded log10(const Recorded& a);
  friend Recorded sin(const Recorded& a);
  friend Recorded cos(const Recorded& a);
  friend Recorded tan(const Recorded& a);
  friend Recorded asin(const Recorded& a);
  friend Recorded acos(const Recorded& a);
  friend Recorded atan(const Recorded& a);
  friend Recorded sinh(const Recorded& a);
  friend Recorded cosh(const Recorded& a);
  friend Recorded tanh(const Recorded& a);
  friend Recorded atan2(const Recorded& a, const Recorded& b);
  friend Recorded pow(const Recorded& a, const Recorded& b);
  friend Recorded hypot(const Recorded& a, const Recorded& b) { return sqrt(a * a + b * b); }
  friend Recorded sign(const Recorded& a);
  friend Recorded abs(const Recorded& a);
  friend Recorded max(const Recorded& a, const Recorded& b);
  friend Recorded min(const Recorded& a, const Recorded& b);
  friend Recorded fabs(const Recorded& a) { return abs(a); }
  friend Recorded fmax(const Recorded& a, const Recorded& b) { return max(a, b); }
  friend Recorded fmin(const Recorded& a, const Recorded& b) { return min(a, b); }

 private:
  friend class Recording;
  static constexpr Tape::Node kConstant = -1;

  Recorded(double value, Tape::Node node) : value_(value), node_(node) {}
  Tape::Node node_on(Tape& tape) const;
  static Recorded call(Tape::Op op, const Recorded& a);
  static RecordedTruth compare(const Recorded& larger, const Recorded& smaller, bool at_zero);
  using Join = Tape::Node (Tape::*)(Tape::Node, Tape::Node);
  static Recorded join(double value, Join operation, const Recorded& a, const Recorded& b);

  double value_ = 0.0;
  Tape::Node node_ = kConstant;
};

/// While it lives, operations on `Recorded` numbers of this thread are written on its tape. It
/// gives the leaves, each with the value it has at the moment, and takes the equations.
///
/// Numbers that were recorded must not be used after it: `std::logic_error`.
class Recording {
 public:
  explicit Recording(Tape& tape);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  Recorded time(double value) { return {value, tape_.time()}; }
  Recorded unknown(int index, int order, double value) {
    return {value, tape_.unknown(index, order)};
  }
  Recorded number(int slot, double value) { return {value, tape_.number(slot)}; }
  /// Whether both are one node.
  bool same(const Recorded& a, const Recorded& b) { return a.node_on(tape_) == b.node_on(tape_); }
  void add_row(const Recorded& residual) { tape_.add_row(node(residual)); }
  Tape::Node node(const Recorded& number) { return number.node_on(tape_); }
  /// From here on, each decision of the equations leaves behind which nodes its condition compares.
  void keep_conditions(std::vector<std::vector<Tape::Node>>& conditions);
  /// The same with the differences that they compare with zero, behind those of the equations the
  /// conditions of `events`; and the clocks that are due.
  void keep_margins(std::vector<std::vector<Tape::Node>>& margins, std::vector<Tape::Node>& clocks);
  /// Whether it holds at other points than that of the pass as well.
  bool holds_everywhere() const;

 private:
  Tape& tape_;
  Tape* outer_;
};

}  // namespace saltus::modeling
