// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "saltus/core/mistakes.hpp"
#include "saltus/core/variable.hpp"
#include "saltus/modeling/member_list.hpp"

/// The members of a model. Each is declared once, with the name the FMU shows:
///
///     State<Real> h{"h", {.unit = "m", .start = 1.0, .description = "height"}};
///
/// and is used as the number it is. The constructor tells the open `MemberList` of its existence;
/// name and metadata are kept there, not in the object.
namespace saltus::modeling {

/// Where assignments to what only `events` assigns are noted, while somebody asks for them.
inline constinit thread_local std::vector<const void*>* noted_writes = nullptr;
inline void note_write(const void* variable) {
  if (noted_writes != nullptr) [[unlikely]] {
    noted_writes->push_back(variable);
  }
}

/// Where readings of whole-number variables are noted, while somebody asks for them. The switch is
/// one for all threads, so that a model that runs pays for one load and no more.
inline constinit thread_local std::vector<const void*>* noted_reads = nullptr;
inline constinit std::atomic<int> notes_reads = 0;
inline void note_read(const void* variable) {
  if (notes_reads.load(std::memory_order_relaxed) != 0 && noted_reads != nullptr) [[unlikely]] {
    noted_reads->push_back(variable);
  }
}
class ReadingScope {
 public:
  explicit ReadingScope(std::vector<const void*>& reads) {
    noted_reads = &reads;
    notes_reads.fetch_add(1, std::memory_order_relaxed);
  }
  ~ReadingScope() {
    notes_reads.fetch_sub(1, std::memory_order_relaxed);
    noted_reads = nullptr;
  }
  ReadingScope(const ReadingScope&) = delete;
  ReadingScope& operator=(const ReadingScope&) = delete;
};

/// A number whose assignments are noted.
template <class Real>
class Noted : public Real {
 public:
  using Real::Real;
  Noted() = default;
  Noted(const Noted&) = default;
  Noted& operator=(const Noted& other) { return *this = static_cast<const Real&>(other); }
  Noted& operator=(const Real& value) {
    note_write(static_cast<const Real*>(this));
    Real::operator=(value);
    return *this;
  }
  Noted& operator+=(const Real& b) { return *this = *this + b; }
  Noted& operator-=(const Real& b) { return *this = *this - b; }
  Noted& operator*=(const Real& b) { return *this = *this * b; }
  Noted& operator/=(const Real& b) { return *this = *this / b; }
};

/// A number that is given from outside: the model reads it.
template <class Real>
class Given : public Real {
 public:
  using Real::Real;
  Given(const Given&) = default;
  Given& operator=(const Given&) = delete;  // parameters and inputs are given from outside
  Given& operator=(const Real&) = delete;   // parameters and inputs are given from outside
  template <class T>
  Given& operator+=(const T&) = delete;  // parameters and inputs are given from outside
  template <class T>
  Given& operator-=(const T&) = delete;  // parameters and inputs are given from outside
  template <class T>
  Given& operator*=(const T&) = delete;  // parameters and inputs are given from outside
  template <class T>
  Given& operator/=(const T&) = delete;  // parameters and inputs are given from outside
};

/// An unknown with a derivative: `der(x) = ...` in `equations`, or an equation `eq(lhs, rhs)` in
/// which `der(x)` occurs; assigned directly only in `events`.
template <class Real>
class State : public Noted<Real> {
 public:
  State(const char* name, const About& about = {}) : Noted<Real>(about.start) {
    if (auto* open = MembersOf<Real>::open()) {
      open->state(name, about, *this, derivative_);
    }
  }
  State(double value) : Noted<Real>(value) {}  // for  x > 0 ? x : 0.0
  State(const State&) = default;
  State& operator=(const State& other) { return *this = static_cast<const Real&>(other); }
  State& operator=(double value) { return *this = Real(value); }
  State& operator=(const Real& value) {
    Noted<Real>::operator=(value);
    return *this;
  }
  friend Real& der(State& x) {
    if constexpr (requires { Real::derivative_used(); }) {
      Real::derivative_used();
    }
    return x.derivative_;
  }

 private:
  Real derivative_{};
};

/// An unknown without a derivative: some equation `eq(lhs, rhs)` determines it. Its start value is
/// where the search for it begins; assigned only in `events`, as a new beginning for that search.
template <class Real>
class Algebraic : public Noted<Real> {
 public:
  Algebraic(const char* name, const About& about = {}) : Noted<Real>(about.start) {
    if (auto* open = MembersOf<Real>::open()) {
      open->algebraic(name, about, *this);
    }
  }
  Algebraic& operator=(double value) { return *this = Real(value); }
  Algebraic& operator=(const Real& value) {
    Noted<Real>::operator=(value);
    return *this;
  }
};

/// Several unknowns under one name: `States<Real> q{"q", 7}` are q[0] to q[6], in the model as for
/// the outside; a list of numbers instead of the count gives each its start value.
template <class Member>
class ArrayOf {
 public:
  ArrayOf(const std::string& name, std::size_t count, const About& about = {}) : name_(name) {
    members_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      add(name, about);
    }
  }
  ArrayOf(const std::string& name, std::initializer_list<double> starts, const About& about = {})
      : ArrayOf(name, std::vector<double>(starts), about) {}
  ArrayOf(const std::string& name, const std::vector<double>& starts, About about = {})
      : name_(name) {
    members_.reserve(starts.size());
    for (const double start : starts) {
      about.start = start;
      add(name, about);
    }
  }
  std::size_t size() const { return members_.size(); }
  Member& operator[](std::size_t i) {
    if constexpr (!requires { requires Member::kUnchecked; }) {
      if (i >= members_.size()) {
        no_such_element(name_, i, members_.size());
      }
    }
    return members_[i];
  }

 private:
  void add(const std::string& name, const About& about) {
    members_.emplace_back((name + "[" + std::to_string(members_.size()) + "]").c_str(), about);
  }
  std::string name_;
  std::vector<Member> members_;
};
template <class Real>
using States = ArrayOf<State<Real>>;
template <class Real>
using Algebraics = ArrayOf<Algebraic<Real>>;

/// A constant of one run; `.tunable = true` lets it change at events. It cannot be assigned in the
/// model.
template <class Real>
class Parameter : public Given<Real> {
 public:
  Parameter(const char* name, const About& about) : Given<Real>(about.start) {
    if (auto* open = MembersOf<Real>::open()) {
      open->number(name, about, Variable::Role::parameter, *this);
    }
  }
};

/// A continuous signal from outside. It cannot be assigned in the model.
template <class Real>
class Input : public Given<Real> {
 public:
  Input(const char* name, const About& about = {}) : Given<Real>(about.start) {
    if (auto* open = MembersOf<Real>::open()) {
      open->number(name, about, Variable::Role::input, *this);
    }
  }
};

/// A number that `equations` assigns: shown to the outside as an output.
template <class Real>
class Output : public Real {
 public:
  Output(const char* name, const About& about = {}) : Real(about.start) {
    if (auto* open = MembersOf<Real>::open()) {
      open->number(name, about, Variable::Role::output, *this);
    }
  }
  Output& operator=(double value) { return *this = Real(value); }
  Output& operator=(const Real& value) {
    Real::operator=(value);
    return *this;
  }
};

/// As `Output`, but not an output of the FMU.
template <class Real>
class Local : public Real {
 public:
  Local(const char* name, const About& about = {}) : Real(about.start) {
    if (auto* open = MembersOf<Real>::open()) {
      open->number(name, about, Variable::Role::local, *this);
    }
  }
  Local& operator=(double value) { return *this = Real(value); }
  Local& operator=(const Real& value) {
    Real::operator=(value);
    return *this;
  }
};

/// A value that changes at events only: part of the configuration. `Discrete<Real>` holds a number;
/// `Discrete<int>` and `Discrete<bool>` hold what they say, for use in `switch` and `if`. With
/// `.causality = Causality::input` it is set from outside, as an output it is shown.
template <class T>
class Discrete : public Noted<T> {
 public:
  Discrete(const char* name, const AboutDiscrete<double>& about = {}) : Noted<T>(about.start) {
    if (auto* open = MembersOf<T>::open()) {
      open->discrete(name, about, static_cast<T&>(*this));
    }
  }
  Discrete& operator=(const Discrete& other) { return *this = static_cast<const T&>(other); }
  Discrete& operator=(double value) { return *this = T(value); }
  Discrete& operator=(const T& value) {
    Noted<T>::operator=(value);
    return *this;
  }
};

/// The whole-number kinds of `Discrete`.
template <class T>
class DiscreteWhole {
 public:
  DiscreteWhole(const char* name, const AboutDiscrete<T>& about = {}) : value_(about.start) {
    if (auto* open = MemberList::open()) {
      open->discrete(name, about, value_);
    }
  }
  DiscreteWhole(const DiscreteWhole&) = default;
  DiscreteWhole& operator=(const DiscreteWhole& other) { return *this = other.value_; }
  DiscreteWhole& operator=(T value) {
    note_write(&value_);
    value_ = value;
    return *this;
  }
  template <std::floating_point F>
  DiscreteWhole& operator=(F) = delete;  // it holds whole numbers: nothing is cut off silently
  DiscreteWhole& operator+=(T value) requires(!std::same_as<T, bool>) {
    return *this = static_cast<T>(value_ + value);
  }
  DiscreteWhole& operator-=(T value) requires(!std::same_as<T, bool>) {
    return *this = static_cast<T>(value_ - value);
  }
  DiscreteWhole& operator++() requires(!std::same_as<T, bool>) { return *this += T{1}; }
  DiscreteWhole& operator--() requires(!std::same_as<T, bool>) { return *this -= T{1}; }
  operator T() const {
    note_read(&value_);
    return value_;
  }

 private:
  T value_;
};

template <>
class Discrete<int> : public DiscreteWhole<int> {
 public:
  using DiscreteWhole::DiscreteWhole;
  using DiscreteWhole::operator=;
};
template <>
class Discrete<std::int64_t> : public DiscreteWhole<std::int64_t> {
 public:
  using DiscreteWhole::DiscreteWhole;
  using DiscreteWhole::operator=;
};
template <>
class Discrete<bool> : public DiscreteWhole<bool> {
 public:
  using DiscreteWhole::DiscreteWhole;
  using DiscreteWhole::operator=;
};

/// Only states have derivatives.
template <class T>
void der(const T&) {
  static_assert(sizeof(T) == 0, "der() takes a State");
}

}  // namespace saltus::modeling
