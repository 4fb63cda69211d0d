// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/spelled.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>

#include "saltus/core/mistakes.hpp"
#include "saltus/modeling/rehearsal.hpp"

namespace saltus::modeling {
namespace {

// How strongly the parts of a text are bound: what binds less is put in parentheses.
constexpr int kRelation = 3;
constexpr int kAnd = 2;
constexpr int kOr = 1;
// Long expressions are cut: a name is for reading.
constexpr std::size_t kLongest = 160;
// A condition on discrete variables is plain C++ and has no text.
constexpr const char* kDiscrete = "(discrete)";
// What an `if` in `events` may ask in one pass that answers all alike: a loop would not end.
constexpr std::size_t kMostAsked = 10000;

thread_local Spelling* spelling = nullptr;
thread_local bool recording_decisions = false;

std::string number_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

bool chosen(const SpelledTruth& truth) {
  return spelling != nullptr && !recording_decisions ? truth.holds() : bool(truth);
}

std::string in_conjunction(const std::string& text, int rank) {
  return rank < kAnd ? "(" + text + ")" : text;
}

std::string cut(std::string text) {
  if (text.size() > kLongest) {
    text.resize(kLongest);
    text += "...";
  }
  return text;
}

}  // namespace

void SpelledTruth::record(const std::string& before, bool open) const {
  if (spelling != nullptr) {
    spelling->conditions.push_back(before + text_);
    spelling->open.push_back(open_ && open);
    spelling->slopes.push_back(slope_);
  }
}

SpelledTruth& SpelledTruth::computed_from(const std::string& slope) {
  if (slope_.empty()) {
    slope_ = slope;
  }
  return *this;
}

SpelledTruth::operator bool() const {
  if (cursor.lock != cursor.end) {
    return *cursor.lock++ == Lock::yes;
  }
  if (recording_decisions) {
    record();
  } else if (spelling != nullptr) {
    if (spelling->asked.size() == kMostAsked) {
      throw EndlessQuestions();
    }
    spelling->asked.push_back(text_);
    return spelling->answer.value_or(holds());
  }
  if (cursor.lock != nullptr) {
    if (cursor.lock == cursor.end) {
      too_many_decisions();
    }
    return *cursor.lock++ == Lock::yes;
  }
  return truth_.holds();
}

void SpelledTruth::note_part() const {
  if (spelling != nullptr && truth_.is_part()) {
    spelling->parts.push_back(text_);
  }
}

SpelledTruth operator&&(const SpelledTruth& a, const SpelledTruth& b) {
  a.note_part();
  b.note_part();
  const std::string text =
      in_conjunction(a.text_, a.rank_) + " && " + in_conjunction(b.text_, b.rank_);
  return SpelledTruth{a.truth_ && b.truth_, cut(text), kAnd}.computed_from(a.slope_).computed_from(
      b.slope_);
}
SpelledTruth operator||(const SpelledTruth& a, const SpelledTruth& b) {
  a.note_part();
  b.note_part();
  return SpelledTruth{a.truth_ || b.truth_, cut(a.text_ + " || " + b.text_), kOr}
      .computed_from(a.slope_)
      .computed_from(b.slope_);
}
SpelledTruth operator!(const SpelledTruth& a) {
  return SpelledTruth{!a.truth_, "!(" + a.text_ + ")", 9}.computed_from(a.slope_);
}
SpelledTruth operator&&(bool a, const SpelledTruth& b) {
  SpelledTruth both = b;
  both.truth_ = a && b.truth_;
  both.text_ = cut(kDiscrete + (" && " + in_conjunction(b.text_, b.rank_)));
  both.rank_ = kAnd;
  both.open_ = a && b.open_;
  return both;
}
SpelledTruth operator||(bool a, const SpelledTruth& b) {
  SpelledTruth either = b;
  either.truth_ = a || b.truth_;
  either.text_ = cut(kDiscrete + (" || " + b.text_));
  either.rank_ = kOr;
  either.open_ = true;
  return either;
}

Spelled::Spelled(double value)
    : Spelled(value, number_text(value), value < 0 ? kNegation : kLeaf) {}
Spelled::Spelled(double value, std::string text, int rank)
    : value_(value), text_(cut(std::move(text))), rank_(rank) {}
Spelled::Spelled(const Spelled& other)
    : value_(other.value_),
      text_(other.text_),
      rank_(other.rank_),
      moves_(other.moves_),
      timed_(other.timed_),
      slope_(other.slope_) {
  other.read();
}
Spelled::~Spelled() {
  if (auto* open = Enrolment::open()) {
    open->destroyed(this);
  }
}

Spelled& Spelled::operator=(const Spelled& other) {
  other.read();
  value_ = other.value_;
  timed_ = other.timed_;
  assigned_ = true;
  moves_ = other.moves_;
  slope_ = other.slope_;
  if (!declared_) {
    text_ = other.text_;
    rank_ = other.rank_;
  }
  return *this;
}

Spelled& Spelled::computed_from(const Spelled& a) {
  a.read();
  moves_ = moves_ || a.moves_;
  timed_ = timed_ || a.timed_;
  if (slope_.empty()) {
    slope_ = a.slope_;
  }
  return *this;
}

void Spelled::read() const {
  if (spelling != nullptr && !recording_decisions && !slope_.empty()) {
    spelling->slopes_in_events.push_back(slope_);
  }
  if (!declared_ || assigned_ || spelling == nullptr || !recording_decisions) {
    return;
  }
  if (role_ == Variable::Role::derivative) {
    spelling->derivatives_read_early.push_back(text_);
  } else if (role_ == Variable::Role::output || role_ == Variable::Role::local) {
    throw ModelMistake("equations() reads '" + text_ +
                       "' before it assigns it: the value would be that of the evaluation before, "
                       "wherever that was; assign it first, or keep what is to be remembered in a "
                       "Discrete or a State");
  }
}

void Spelled::record_condition(bool holds, const std::string& before) {
  if (spelling != nullptr) {
    spelling->conditions.push_back(before + "condition " +
                                   std::to_string(spelling->conditions.size() + 1));
    spelling->open.push_back(holds);
    spelling->slopes.emplace_back();
  }
}

void Spelled::check_steady(const char* caller, const Spelled& given) {
  if (given.moves_) {
    throw ModelMistake("in events(), " + std::string(caller) + " is given '" + given.text_ +
                       "', which moves between events: the clock would not follow it; give a "
                       "constant, a parameter or a Discrete, or write when(time >= ...)");
  }
}

void Spelled::derivative_used() {
  if (spelling != nullptr && !recording_decisions) {
    spelling->events_use_derivatives = true;
  }
}

void Spelled::record_equation(const Spelled& lhs, const Spelled& rhs) {
  if (spelling != nullptr) {
    spelling->equations.push_back(cut(lhs.text_ + " = " + rhs.text_));
  }
}

void Spelled::declare(const Variable& variable) {
  text_ = variable.name;
  rank_ = kLeaf;
  declared_ = true;
  assigned_ = false;
  role_ = variable.role;
  moves_ = variable.continuous;
}
void Spelled::begin(double value, const std::string& slope) {
  value_ = value;
  assigned_ = false;
  slope_ = slope;
}
Spelled Spelled::time(double now) {
  Spelled time(now, "time");
  time.moves_ = time.timed_ = true;
  return time;
}

std::string Spelled::wrapped(int outer_rank) const {
  return rank_ < outer_rank ? "(" + text_ + ")" : text_;
}

Spelled Spelled::binary(double value, const Spelled& a, const char* sign, const Spelled& b,
                        int rank, int right_rank) {
  return Spelled{value, a.wrapped(rank) + sign + b.wrapped(right_rank), rank}
      .computed_from(a)
      .computed_from(b);
}
Spelled Spelled::call(double value, const char* function, const Spelled& a) {
  return Spelled{value, std::string(function) + "(" + a.text_ + ")"}.computed_from(a);
}
Spelled Spelled::call(double value, const char* function, const Spelled& a, const Spelled& b) {
  return Spelled{value, std::string(function) + "(" + a.text_ + ", " + b.text_ + ")"}
      .computed_from(a)
      .computed_from(b);
}
SpelledTruth Spelled::relation(WatchedTruth truth, const Spelled& a, const char* sign,
                               const Spelled& b) {
  a.read();
  b.read();
  if (spelling != nullptr) {
    spelling->compares_time = spelling->compares_time || a.timed_ || b.timed_;
  }
  return SpelledTruth{truth, cut(a.text_ + sign + b.text_), kRelation}
      .computed_from(a.slope_)
      .computed_from(b.slope_);
}

Spelled operator+(const Spelled& a, const Spelled& b) {
  return Spelled::binary(a.value_ + b.value_, a, " + ", b, Spelled::kSum, Spelled::kSum);
}
Spelled operator-(const Spelled& a, const Spelled& b) {
  return Spelled::binary(a.value_ - b.value_, a, " - ", b, Spelled::kSum, Spelled::kProduct);
}
Spelled operator*(const Spelled& a, const Spelled& b) {
  return Spelled::binary(a.value_ * b.value_, a, "*", b, Spelled::kProduct, Spelled::kProduct);
}
Spelled operator/(const Spelled& a, const Spelled& b) {
  return Spelled::binary(a.value_ / b.value_, a, "/", b, Spelled::kProduct, Spelled::kNegation);
}
Spelled operator-(const Spelled& a) {
  return Spelled{-a.value_, std::string("-") + a.wrapped(Spelled::kNegation), Spelled::kNegation}
      .computed_from(a);
}

SpelledTruth operator>(const Spelled& a, const Spelled& b) {
  return Spelled::relation({a.value_ - b.value_, false}, a, " > ", b);
}
SpelledTruth operator<(const Spelled& a, const Spelled& b) {
  return Spelled::relation({b.value_ - a.value_, false}, a, " < ", b);
}
SpelledTruth operator>=(const Spelled& a, const Spelled& b) {
  return Spelled::relation({a.value_ - b.value_, true}, a, " >= ", b);
}
SpelledTruth operator<=(const Spelled& a, const Spelled& b) {
  return Spelled::relation({b.value_ - a.value_, true}, a, " <= ", b);
}

Spelled sqrt(const Spelled& a) { return Spelled::call(std::sqrt(a.value_), "sqrt", a); }
Spelled exp(const Spelled& a) { return Spelled::call(std::exp(a.value_), "exp", a); }
Spelled log(const Spelled& a) { return Spelled::call(std::log(a.value_), "log", a); }
Spelled log10(const Spelled& a) { return Spelled::call(std::log10(a.value_), "log10", a); }
Spelled sin(const Spelled& a) { return Spelled::call(std::sin(a.value_), "sin", a); }
Spelled cos(const Spelled& a) { return Spelled::call(std::cos(a.value_), "cos", a); }
Spelled tan(const Spelled& a) { return Spelled::call(std::tan(a.value_), "tan", a); }
Spelled asin(const Spelled& a) { return Spelled::call(std::asin(a.value_), "asin", a); }
Spelled acos(const Spelled& a) { return Spelled::call(std::acos(a.value_), "acos", a); }
Spelled atan(const Spelled& a) { return Spelled::call(std::atan(a.value_), "atan", a); }
Spelled sinh(const Spelled& a) { return Spelled::call(std::sinh(a.value_), "sinh", a); }
Spelled cosh(const Spelled& a) { return Spelled::call(std::cosh(a.value_), "cosh", a); }
Spelled tanh(const Spelled& a) { return Spelled::call(std::tanh(a.value_), "tanh", a); }
Spelled atan2(const Spelled& a, const Spelled& b) {
  return Spelled::call(std::atan2(a.value_, b.value_), "atan2", a, b);
}
Spelled pow(const Spelled& a, const Spelled& b) {
  return Spelled::call(std::pow(a.value_, b.value_), "pow", a, b);
}
// The decision is met first, as in Number, then the result is spelled as it was written. In
// `events` it is none: the values of the moment decide, and no `if` asks.
Spelled abs(const Spelled& a) {
  return Spelled::call(chosen(a > Spelled(0.0)) ? a.value_ : -a.value_, "abs", a);
}
Spelled max(const Spelled& a, const Spelled& b) {
  return Spelled::call(chosen(a > b) ? a.value_ : b.value_, "max", a, b);
}
Spelled min(const Spelled& a, const Spelled& b) {
  return Spelled::call(chosen(a > b) ? b.value_ : a.value_, "min", a, b);
}

Spelling::Spelling() {
  spelling = this;
  recording_decisions = true;
}
Spelling::~Spelling() {
  spelling = nullptr;
  recording_decisions = false;
}
void Spelling::in_events() { recording_decisions = false; }
void Spelling::in_equations() { recording_decisions = true; }

void declare_names(EnrolmentOf<Spelled>& members) {
  for (const Variable& variable : members.variables) {
    if (variable.role == Variable::Role::state) {
      members.states[variable.index]->declare(variable);
    } else if (variable.role == Variable::Role::derivative) {
      members.derivatives[variable.index]->declare(variable);
    } else if (variable.role == Variable::Role::algebraic) {
      members.algebraics[variable.index]->declare(variable);
    } else if (variable.is_number()) {
      members.numbers[variable.index]->declare(variable);
    }
  }
}

}  // namespace saltus::modeling
