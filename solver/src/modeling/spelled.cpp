// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/spelled.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace saltus::modeling {
namespace {

constexpr int kRelation = 3;
constexpr int kAnd = 2;
constexpr int kOr = 1;
// Long expressions are cut: a name is for reading.
constexpr std::size_t kLongest = 160;

thread_local Spelling* spelling = nullptr;
thread_local bool recording_decisions = false;

// What was assigned to declared variables while a `Spelling` lives: (name, text).
thread_local std::vector<std::pair<std::string, std::string>> assignments;

// Whether a text mentions a variable, as a word of its own.
bool mentions(const std::string& text, const std::string& name) {
  const auto in_word = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 ||
                                text[at] == '_' || text[at] == '.' || text[at] == '[');
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if ((at == 0 || !in_word(at - 1)) && !in_word(at + name.size())) {
      return true;
    }
  }
  return false;
}

// The variables that are computed from one, itself included.
std::vector<std::string> computed_from(const std::string& name) {
  std::vector<std::string> found = {name};
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (const auto& [variable, text] : assignments) {
      if (mentions(text, found[k]) &&
          std::find(found.begin(), found.end(), variable) == found.end()) {
        found.push_back(variable);
      }
    }
  }
  return found;
}

std::string number_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string cut(std::string text) {
  if (text.size() > kLongest) {
    text.resize(kLongest);
    text += "...";
  }
  return text;
}

}  // namespace

void SpelledTruth::record(const std::string& before) const {
  if (spelling != nullptr) {
    spelling->conditions.push_back(before + text_);
  }
}

SpelledTruth::operator bool() const {
  if (cursor.lock != cursor.end) {
    return *cursor.lock++ == Lock::yes;
  }
  if (recording_decisions) {
    record();
  }
  if (cursor.lock != nullptr) {
    if (cursor.lock == cursor.end) {
      too_many_decisions();
    }
    return *cursor.lock++ == Lock::yes;
  }
  return truth_.holds();
}

SpelledTruth operator&&(const SpelledTruth& a, const SpelledTruth& b) {
  const auto side = [](const SpelledTruth& t) {
    return t.rank_ < kAnd ? "(" + t.text_ + ")" : t.text_;
  };
  return {a.truth_ && b.truth_, cut(side(a) + " && " + side(b)), kAnd};
}
SpelledTruth operator||(const SpelledTruth& a, const SpelledTruth& b) {
  return {a.truth_ || b.truth_, cut(a.text_ + " || " + b.text_), kOr};
}
SpelledTruth operator!(const SpelledTruth& a) { return {!a.truth_, "!(" + a.text_ + ")", 9}; }

Spelled::Spelled(double value)
    : Spelled(value, number_text(value), value < 0 ? kNegation : kLeaf) {}
Spelled::Spelled(double value, std::string text, int rank)
    : value_(value), text_(cut(std::move(text))), rank_(rank) {}
Spelled::Spelled(const Spelled& other)
    : value_(other.value_), text_(other.text_), rank_(other.rank_) {}

Spelled& Spelled::operator=(const Spelled& other) {
  value_ = other.value_;
  assigned_ = true;
  if (!declared_) {
    text_ = other.text_;
    rank_ = other.rank_;
  } else if (spelling != nullptr) {
    assignments.emplace_back(text_, other.text_);
  }
  return *this;
}

void Spelled::record_condition(const std::string& before) {
  if (spelling != nullptr) {
    spelling->conditions.push_back(before + "condition " +
                                   std::to_string(spelling->conditions.size() + 1));
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

void Spelled::declare(std::string name) {
  text_ = std::move(name);
  rank_ = kLeaf;
  declared_ = true;
}

std::string Spelled::wrapped(int outer_rank) const {
  return rank_ < outer_rank ? "(" + text_ + ")" : text_;
}

Spelled Spelled::binary(double value, const Spelled& a, const char* sign, const Spelled& b,
                        int rank, int right_rank) {
  return {value, a.wrapped(rank) + sign + b.wrapped(right_rank), rank};
}
Spelled Spelled::call(double value, const char* function, const Spelled& a) {
  return {value, std::string(function) + "(" + a.text_ + ")"};
}
Spelled Spelled::call(double value, const char* function, const Spelled& a, const Spelled& b) {
  return {value, std::string(function) + "(" + a.text_ + ", " + b.text_ + ")"};
}
SpelledTruth Spelled::relation(WatchedTruth truth, const Spelled& a, const char* sign,
                               const Spelled& b) {
  return {truth, cut(a.text_ + sign + b.text_), kRelation};
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
  return {-a.value_, std::string("-") + a.wrapped(Spelled::kNegation), Spelled::kNegation};
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
// The decision is met first, as in Number, then the result is spelled as it was written.
Spelled abs(const Spelled& a) {
  return Spelled::call(a > Spelled(0.0) ? a.value_ : -a.value_, "abs", a);
}
Spelled max(const Spelled& a, const Spelled& b) {
  return Spelled::call(a > b ? a.value_ : b.value_, "max", a, b);
}
Spelled min(const Spelled& a, const Spelled& b) {
  return Spelled::call(a > b ? b.value_ : a.value_, "min", a, b);
}

Spelling::Spelling() {
  spelling = this;
  recording_decisions = true;
  assignments.clear();
}
Spelling::~Spelling() {
  spelling = nullptr;
  recording_decisions = false;
  assignments.clear();
}
void Spelling::only_when() { recording_decisions = false; }

void declare_names(EnrolmentOf<Spelled>& members) {
  for (const Variable& variable : members.variables) {
    if (variable.role == Variable::Role::state) {
      members.states[variable.index]->declare(variable.name);
    } else if (variable.role == Variable::Role::derivative) {
      members.derivatives[variable.index]->declare(variable.name);
    } else if (variable.role == Variable::Role::algebraic) {
      members.algebraics[variable.index]->declare(variable.name);
    } else if (variable.is_number()) {
      members.numbers[variable.index]->declare(variable.name);
    }
  }
}

bool are_explicit(const EnrolmentOf<Spelled>& members, const Spelling& spelling) {
  bool all = members.algebraics.empty() && spelling.equations.empty();
  for (const Variable& variable : members.variables) {
    if (variable.role != Variable::Role::derivative ||
        members.derivatives[variable.index]->assigned()) {
      continue;
    }
    if (spelling.equations.empty()) {
      throw std::logic_error("equations() never assigns " + variable.name);
    }
    all = false;
    for (const std::string& name : computed_from(variable.name)) {
      for (const std::string& condition : spelling.conditions) {
        if (mentions(condition, name)) {
          throw std::logic_error("the condition '" + condition + "' needs " + variable.name +
                                 ", which no assignment gives: declare an Algebraic for it and "
                                 "add the equation eq(" +
                                 variable.name + ", ...)");
        }
      }
    }
  }
  return all;
}

}  // namespace saltus::modeling
