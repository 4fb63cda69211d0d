// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "saltus/autodiff/decisions.hpp"
#include "saltus/modeling/enrolment.hpp"

namespace saltus::modeling {

/// The truth of a condition that knows what it says.
class SpelledTruth {
 public:
  SpelledTruth(WatchedTruth truth, std::string text, int rank)
      : truth_(truth), text_(std::move(text)), rank_(rank) {}
  bool holds() const { return truth_.holds(); }
  double indicator() const { return truth_.indicator(); }
  /// Writes the text down as the name of the next indicator. Where discrete variables rule the
  /// condition out it is not `open`.
  void record(const std::string& before = "", bool open = true) const;
  /// From the value, or from the lock in a pass that replays locks.
  operator bool() const;
  template <class T>
  operator T() const = delete;  // a condition is not a number: write  c ? 1.0 : 0.0

  friend SpelledTruth operator&&(const SpelledTruth& a, const SpelledTruth& b);
  friend SpelledTruth operator||(const SpelledTruth& a, const SpelledTruth& b);
  friend SpelledTruth operator!(const SpelledTruth& a);
  friend SpelledTruth operator&&(bool a, const SpelledTruth& b);
  friend SpelledTruth operator&&(const SpelledTruth& a, bool b) { return b && a; }
  friend SpelledTruth operator||(bool a, const SpelledTruth& b);
  friend SpelledTruth operator||(const SpelledTruth& a, bool b) { return b || a; }

  /// See `Spelled::slope`.
  const std::string& slope() const { return slope_; }
  SpelledTruth& computed_from(const std::string& slope);

 private:
  void note_part() const;

  WatchedTruth truth_;
  std::string text_;
  int rank_;
  std::string slope_;
  bool open_ = true;  // no part on discrete variables rules it out
};

/// A number that writes down how it came about. One pass with it, at construction, names the
/// indicators as the source does ("h <= 0 && v < 0") and counts the decisions. A declared variable
/// keeps its own name whatever is assigned to it. Speed is no concern, so everything is compiled
/// once, in the library.
///
/// It also knows whether it may change between events, whether a variable that `equations`
/// assigns is read before that, and whether it was computed from a derivative that nothing had
/// assigned yet.
class Spelled {
 public:
  static constexpr bool kTellsItsEnd = true;

  Spelled() = default;
  Spelled(double value);  // NOLINT(google-explicit-constructor): as in Number
  Spelled(double value, std::string text, int rank = kLeaf);
  Spelled(const Spelled& other);
  Spelled& operator=(const Spelled& other);
  ~Spelled();

  double value() const { return value_; }
  bool assigned() const { return assigned_; }
  /// Whether it may change between events.
  bool moves() const { return moves_; }
  /// A derivative it was computed from, whatever happened to it on the way, that was not assigned
  /// then; empty: none.
  const std::string& slope() const { return slope_; }
  /// Called by a `when` whose condition is a plain `bool`: it has no text but needs a name.
  static void record_condition(bool holds, const std::string& before = "");
  /// Called by `every` and `at`: throws `ModelMistake` when it may change between events.
  static void check_steady(const char* caller, const Spelled& given);
  /// Called by `der`.
  static void derivative_used();
  /// Called by `eq(lhs, rhs)`.
  static void record_equation(const Spelled& lhs, const Spelled& rhs);
  /// Makes it the variable.
  void declare(const Variable& variable);
  /// The value at the beginning of a pass, with nothing assigned yet, and what `slope` shall say.
  void begin(double value, const std::string& slope);
  static Spelled time(double now);

  friend Spelled operator+(const Spelled& a, const Spelled& b);
  friend Spelled operator-(const Spelled& a, const Spelled& b);
  friend Spelled operator*(const Spelled& a, const Spelled& b);
  friend Spelled operator/(const Spelled& a, const Spelled& b);
  friend Spelled operator-(const Spelled& a);
  friend Spelled operator+(const Spelled& a) { return a; }
  friend Spelled& operator+=(Spelled& a, const Spelled& b) { return a = a + b; }
  friend Spelled& operator-=(Spelled& a, const Spelled& b) { return a = a - b; }
  friend Spelled& operator*=(Spelled& a, const Spelled& b) { return a = a * b; }
  friend Spelled& operator/=(Spelled& a, const Spelled& b) { return a = a / b; }

  friend SpelledTruth operator>(const Spelled& a, const Spelled& b);
  friend SpelledTruth operator<(const Spelled& a, const Spelled& b);
  friend SpelledTruth operator>=(const Spelled& a, const Spelled& b);
  friend SpelledTruth operator<=(const Spelled& a, const Spelled& b);
  friend bool operator==(const Spelled&, const Spelled&) = delete;
  friend bool operator!=(const Spelled&, const Spelled&) = delete;

  friend Spelled sqrt(const Spelled& a);
  friend Spelled exp(const Spelled& a);
  friend Spelled log(const Spelled& a);
  friend Spelled log10(const Spelled& a);
  friend Spelled sin(const Spelled& a);
  friend Spelled cos(const Spelled& a);
  friend Spelled tan(const Spelled& a);
  friend Spelled asin(const Spelled& a);
  friend Spelled acos(const Spelled& a);
  friend Spelled atan(const Spelled& a);
  friend Spelled sinh(const Spelled& a);
  friend Spelled cosh(const Spelled& a);
  friend Spelled tanh(const Spelled& a);
  friend Spelled atan2(const Spelled& a, const Spelled& b);
  friend Spelled pow(const Spelled& a, const Spelled& b);
  friend Spelled abs(const Spelled& a);
  friend Spelled max(const Spelled& a, const Spelled& b);
  friend Spelled min(const Spelled& a, const Spelled& b);
  friend Spelled fabs(const Spelled& a) { return abs(a); }
  friend Spelled fmax(const Spelled& a, const Spelled& b) { return max(a, b); }
  friend Spelled fmin(const Spelled& a, const Spelled& b) { return min(a, b); }

 private:
  // Binding strength of the outermost operation, for parentheses: a leaf or call binds strongest.
  static constexpr int kLeaf = 9;
  static constexpr int kNegation = 7;
  static constexpr int kProduct = 6;
  static constexpr int kSum = 5;

  static Spelled binary(double value, const Spelled& a, const char* sign, const Spelled& b,
                        int rank, int right_rank);
  static Spelled call(double value, const char* function, const Spelled& a);
  static Spelled call(double value, const char* function, const Spelled& a, const Spelled& b);
  static SpelledTruth relation(WatchedTruth truth, const Spelled& a, const char* sign,
                               const Spelled& b);
  std::string wrapped(int outer_rank) const;
  // To be called wherever the value is used.
  void read() const;
  // Takes over what the operands tell.
  Spelled& computed_from(const Spelled& a);

  double value_ = 0.0;
  std::string text_ = "0";
  int rank_ = kLeaf;
  bool declared_ = false;
  bool assigned_ = false;
  bool moves_ = false;
  Variable::Role role_ = Variable::Role::local;  // of what is declared
  bool timed_ = false;                           // depends on the time of the pass
  std::string slope_;
};

/// Collects the texts of decisions while it lives; decisions are taken from the values and nothing
/// is locked.
class Spelling {
 public:
  Spelling();
  ~Spelling();
  Spelling(const Spelling&) = delete;
  Spelling& operator=(const Spelling&) = delete;
  /// In `events`, only what is given to `when` counts.
  void in_events();
  void in_equations();

  std::vector<std::string> conditions;
  std::vector<bool> open;          ///< beside `conditions`
  std::vector<std::string> parts;  ///< the comparisons that `&&` and `||` have joined
  /// Beside `conditions`: a derivative that is needed and was not assigned, or nothing.
  std::vector<std::string> slopes;
  /// The same of what `events` has read.
  std::vector<std::string> slopes_in_events;
  std::vector<std::string> equations;
  bool events_use_derivatives = false;
  /// Derivatives that `equations` read before it assigned them.
  std::vector<std::string> derivatives_read_early;
  /// In `events`, the texts of conditions that an `if` or a `?:` asked for, and what they are made
  /// to answer.
  std::vector<std::string> asked;
  std::optional<bool> answer;
  bool compares_time = false;
};

/// Gives the members of a model their names.
void declare_names(EnrolmentOf<Spelled>& members);

}  // namespace saltus::modeling
