// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/autodiff/decisions.hpp"
#include "saltus/modeling/member_list.hpp"
#include "saltus/modeling/whole_conditions.hpp"

namespace saltus::modeling {

/// A Boolean variable that a model declares.
template <class T>
concept HeldFlag = requires(const T& held) {
  { held.value() } -> std::same_as<bool>;
  { held.place() } -> std::same_as<const void*>;
};

/// The truth of a condition that knows what it says.
class SymbolicTruth {
 public:
  SymbolicTruth(WatchedTruth truth, std::string text, int rank)
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

  friend SymbolicTruth operator&&(const SymbolicTruth& a, const SymbolicTruth& b);
  friend SymbolicTruth operator||(const SymbolicTruth& a, const SymbolicTruth& b);
  friend SymbolicTruth operator!(const SymbolicTruth& a);
  friend SymbolicTruth operator&&(bool a, const SymbolicTruth& b);
  friend SymbolicTruth operator&&(const SymbolicTruth& a, bool b) { return b && a; }
  friend SymbolicTruth operator||(bool a, const SymbolicTruth& b);
  friend SymbolicTruth operator||(const SymbolicTruth& a, bool b) { return b || a; }
  // With a Boolean variable, under its name, or a comparison of one that is no number.
  template <HeldFlag Flag>
  friend SymbolicTruth operator&&(const Flag& a, const SymbolicTruth& b) {
    return b.both(a.value(), name_of(a.place()));
  }
  template <HeldFlag Flag>
  friend SymbolicTruth operator&&(const SymbolicTruth& a, const Flag& b) {
    return a.both(b.value(), name_of(b.place()));
  }
  friend SymbolicTruth operator&&(const WholeTruth& a, const SymbolicTruth& b) {
    return b.both(a.value(), text_of(a));
  }
  friend SymbolicTruth operator&&(const SymbolicTruth& a, const WholeTruth& b) {
    return a.both(b.value(), text_of(b));
  }
  template <HeldFlag Flag>
  friend SymbolicTruth operator||(const Flag& a, const SymbolicTruth& b) {
    return b.either(a.value(), name_of(a.place()));
  }
  template <HeldFlag Flag>
  friend SymbolicTruth operator||(const SymbolicTruth& a, const Flag& b) {
    return a.either(b.value(), name_of(b.place()));
  }
  friend SymbolicTruth operator||(const WholeTruth& a, const SymbolicTruth& b) {
    return b.either(a.value(), text_of(a));
  }
  friend SymbolicTruth operator||(const SymbolicTruth& a, const WholeTruth& b) {
    return a.either(b.value(), text_of(b));
  }

  /// See `Symbolic::slope`.
  const std::string& slope() const { return slope_; }
  SymbolicTruth& computed_from(const std::string& slope);
  SymbolicTruth& jumping(bool jumps) {
    jumps_ = jumps_ || jumps;
    return *this;
  }

 private:
  void note_part() const;
  // Together with a condition on discrete variables; the text may be empty.
  SymbolicTruth both(bool discrete, const std::string& text) const;
  SymbolicTruth either(bool discrete, const std::string& text) const;
  static std::string name_of(const void* flag);

  WatchedTruth truth_;
  std::string text_;
  int rank_;
  std::string slope_;
  bool open_ = true;    // no part on discrete variables rules it out
  bool jumps_ = false;  // see `Symbolic::step`
};

/// A number that writes down how it came about. One pass with it, at construction, names the
/// indicators as the source does ("h <= 0 && v < 0") and counts the decisions. A declared variable
/// keeps its own name whatever is assigned to it. Speed is no concern, so everything is compiled
/// once, in the library.
///
/// It also knows whether it may change between events, whether a variable that `equations`
/// assigns is read before that, and whether it was computed from a derivative that nothing had
/// assigned yet.
class Symbolic {
 public:
  static constexpr bool kTellsItsEnd = true;

  Symbolic() = default;
  Symbolic(double value);  // NOLINT(google-explicit-constructor): as in Number
  /// Under the name that it was declared with.
  template <HeldNumber Held>
  Symbolic(const Held& held)  // NOLINT(google-explicit-constructor)
      : Symbolic(held.as_number(), held_name(held.place(), held.as_number())) {}
  Symbolic(double value, std::string text, int rank = kLeaf);
  Symbolic(const Symbolic& other);
  Symbolic& operator=(const Symbolic& other);
  ~Symbolic();

  double value() const { return value_; }
  bool assigned() const { return assigned_; }
  /// Whether it may change between events.
  bool moves() const { return moves_; }
  /// A derivative it was computed from, whatever happened to it on the way, that was not assigned
  /// then; empty: none.
  const std::string& slope() const { return slope_; }
  /// Called by a `when` whose condition is a plain `bool`: it has no text but needs a name, which
  /// is that of the variable if it is one.
  static void record_condition(bool holds, const std::string& before = "",
                               const void* flag = nullptr);
  static void record_condition(const WholeTruth& condition, const std::string& before = "");
  /// Called by `every` and `at`: throws `ModelMistake` when it may change between events.
  static void check_steady(const char* caller, const Symbolic& given);
  /// Called by `der`.
  static void derivative_used();
  /// Called by `der` of what is no `State`: throws `ModelMistake`.
  [[noreturn]] static void refuse_derivative(const Symbolic& of);
  /// Called by functions that are refused: `text` is what was written, `remedy` what to write.
  [[noreturn]] static void refuse(const std::string& text, const char* remedy);
  const std::string& text() const { return text_; }
  /// Called where the values decide, see `no_event`: what the comparison is, or what somebody who
  /// wants to see the other equations makes of it.
  static bool decided_by_values(const Symbolic& a, const char* sign, const Symbolic& b, bool holds);
  /// Called by `eq(lhs, rhs)`.
  static void record_equation(const Symbolic& lhs, const Symbolic& rhs);
  /// Makes it the variable.
  void declare(const Variable& variable);
  /// The value at the beginning of a pass, with nothing assigned yet, and what `slope` shall say.
  void begin(double value, const std::string& slope);
  static Symbolic time(double now);
  /// What a function of this name has made of its arguments.
  static Symbolic call(double value, const char* function, const Symbolic& a);
  static Symbolic call(double value, const char* function, const Symbolic& a, const Symbolic& b);
  /// What a function that jumps has made of its arguments: two conditions in `equations`, and in
  /// `events` the value of the moment, on which no `when` can wait. `holds`: it stands still
  /// between the jumps.
  static Symbolic step(const Symbolic& value, bool holds);
  /// The value before the pass. Throws `ModelMistake` in `equations`, and for what events do not
  /// assign.
  static Symbolic previous(const Symbolic& variable);

  friend Symbolic operator+(const Symbolic& a, const Symbolic& b);
  friend Symbolic operator-(const Symbolic& a, const Symbolic& b);
  friend Symbolic operator*(const Symbolic& a, const Symbolic& b);
  friend Symbolic operator/(const Symbolic& a, const Symbolic& b);
  friend Symbolic operator-(const Symbolic& a);
  friend Symbolic operator+(const Symbolic& a) { return a; }
  friend Symbolic& operator+=(Symbolic& a, const Symbolic& b) { return a = a + b; }
  friend Symbolic& operator-=(Symbolic& a, const Symbolic& b) { return a = a - b; }
  friend Symbolic& operator*=(Symbolic& a, const Symbolic& b) { return a = a * b; }
  friend Symbolic& operator/=(Symbolic& a, const Symbolic& b) { return a = a / b; }

  friend SymbolicTruth operator>(const Symbolic& a, const Symbolic& b);
  friend SymbolicTruth operator<(const Symbolic& a, const Symbolic& b);
  friend SymbolicTruth operator>=(const Symbolic& a, const Symbolic& b);
  friend SymbolicTruth operator<=(const Symbolic& a, const Symbolic& b);

  friend Symbolic sqrt(const Symbolic& a);
  friend Symbolic exp(const Symbolic& a);
  friend Symbolic log(const Symbolic& a);
  friend Symbolic log10(const Symbolic& a);
  friend Symbolic sin(const Symbolic& a);
  friend Symbolic cos(const Symbolic& a);
  friend Symbolic tan(const Symbolic& a);
  friend Symbolic asin(const Symbolic& a);
  friend Symbolic acos(const Symbolic& a);
  friend Symbolic atan(const Symbolic& a);
  friend Symbolic sinh(const Symbolic& a);
  friend Symbolic cosh(const Symbolic& a);
  friend Symbolic tanh(const Symbolic& a);
  friend Symbolic atan2(const Symbolic& a, const Symbolic& b);
  friend Symbolic pow(const Symbolic& a, const Symbolic& b);
  friend Symbolic hypot(const Symbolic& a, const Symbolic& b);
  friend Symbolic sign(const Symbolic& a);
  friend Symbolic abs(const Symbolic& a);
  friend Symbolic max(const Symbolic& a, const Symbolic& b);
  friend Symbolic min(const Symbolic& a, const Symbolic& b);
  friend Symbolic fabs(const Symbolic& a) { return abs(a); }
  friend Symbolic fmax(const Symbolic& a, const Symbolic& b) { return max(a, b); }
  friend Symbolic fmin(const Symbolic& a, const Symbolic& b) { return min(a, b); }

 private:
  // Binding strength of the outermost operation, for parentheses: a leaf or call binds strongest.
  static constexpr int kLeaf = 9;
  static constexpr int kNegation = 7;
  static constexpr int kProduct = 6;
  static constexpr int kSum = 5;

  static Symbolic binary(double value, const Symbolic& a, const char* sign, const Symbolic& b,
                         int rank, int right_rank);
  static SymbolicTruth relation(WatchedTruth truth, const Symbolic& a, const char* sign,
                                const Symbolic& b);
  static std::string held_name(const void* place, double value);
  std::string wrapped(int outer_rank) const;
  // To be called wherever the value is used.
  void read() const;
  // To be called where it is assigned.
  void check_assignable() const;
  // Takes over what the operands tell.
  Symbolic& computed_from(const Symbolic& a);

  double value_ = 0.0;
  std::string text_ = "0";
  int rank_ = kLeaf;
  bool declared_ = false;
  bool assigned_ = false;
  bool moves_ = false;
  Variable::Role role_ = Variable::Role::local;  // of what is declared
  bool timed_ = false;                           // depends on the time of the pass
  bool jumps_ = false;                           // in `events`, see `step`
  std::string slope_;
};

/// While it lives, decisions are plain: whatever they are, a pass meets the same conditions after
/// them, so that nobody has to try.
class PlainDecisions {
 public:
  PlainDecisions();
  ~PlainDecisions();
  PlainDecisions(const PlainDecisions&) = delete;
  PlainDecisions& operator=(const PlainDecisions&) = delete;
};

/// Collects the texts of decisions while it lives; decisions are taken from the values, or by
/// whoever wants to, and nothing is locked. `all` are the members of the model.
class Spelling {
 public:
  explicit Spelling(const MemberList& all);
  ~Spelling();
  Spelling(const Spelling&) = delete;
  Spelling& operator=(const Spelling&) = delete;
  /// In `events`, only what is given to `when` counts.
  void in_events();
  void in_equations();

  std::vector<std::string> conditions;
  /// Decides in `equations`, in place of the values; what discrete variables decide alone is so.
  std::function<bool(const std::string& text, bool holds, bool is_discrete)> decide;
  std::vector<bool> open;    ///< beside `conditions`
  std::vector<bool> joined;  ///< the same: whether it joins comparisons that are `parts`
  std::vector<bool> plain;   ///< the same, see `PlainDecisions`
  std::vector<bool> steps;   ///< the same: the first of the two conditions of a `Symbolic::step`
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
  /// In `events`, of a pass in which nothing is due.
  bool outside_bodies = false;
  /// Of what was read that is no number: what belongs to conditions before.
  std::size_t reads_told = 0;
  /// The places of what `previous` was asked for.
  std::vector<const void*> previous;
  /// The submodels whose equations, or whose events, have run, by position, as often as they have.
  std::vector<std::size_t> equations_run;
  std::vector<std::size_t> events_run;
  /// The submodels that run now, the innermost last.
  std::vector<std::size_t> running;
  const MemberList& members;

 private:
  Spelling* outer_;
  bool outer_records_;
};

/// The newest one of this thread that lives, or null.
Spelling* open_spelling();

/// Where submodels were given other start values, members do not hold them from their construction.
void put_start_values(MembersOf<Symbolic>& members);
/// Gives the members of a model their names. Another copy may know more of the variables.
void declare_names(MembersOf<Symbolic>& members, std::span<const Variable> variables);
inline void declare_names(MembersOf<Symbolic>& members) {
  declare_names(members, members.variables);
}

}  // namespace saltus::modeling
