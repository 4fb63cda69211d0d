// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "saltus/autodiff/decisions.hpp"
#include "saltus/core/mistakes.hpp"
#include "saltus/core/variable.hpp"
#include "saltus/modeling/member_list.hpp"
#include "saltus/modeling/notes.hpp"
#include "saltus/modeling/sizes.hpp"

/// The members of a model. Each is declared once, with the name the FMU shows:
///
///     State<Real> h{"h", {.unit = "m", .start = 1.0, .description = "height"}};
///
/// and is used as the number it is. The constructor tells the open `MemberList` of its existence;
/// name and metadata are kept there, not in the object.
namespace saltus::modeling {

/// A literal beside a variable in `x > 0.0 ? k : 0.0` becomes a variable for the while. While the
/// members of a model are constructed it would be one without a name: throws
/// `std::invalid_argument`.
template <class Real>
void check_no_member() {
  if constexpr (requires { Real::kTellsItsEnd; }) {
    if (MemberList::open() != nullptr) {
      throw_nameless();
    }
  }
}
template <class T>
concept Literal = std::is_arithmetic_v<T>;

/// A number whose assignments are noted.
template <class Real>
class Noted : public Real {
 public:
  using Real::Real;
  Noted() = default;
  explicit Noted(const Real& value) : Real(value) {}
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
  explicit Given(const Real& value) : Real(value) {}
  Given(const Given&) = default;
  Given& operator=(const Given&) = delete;  // parameters are given from outside
  Given& operator=(const Real&) = delete;   // parameters are given from outside
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
  template <Literal N>
  State(N value) : Noted<Real>(static_cast<double>(value)) {  // for  x > 0.0 ? k : 0.0
    check_no_member<Real>();
  }
  State(const Real& value) : Noted<Real>(value) {  // for functions that return what they are given
    check_no_member<Real>();
  }
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
  template <Literal N>
  Algebraic(N value) : Noted<Real>(static_cast<double>(value)) {  // for  x > 0.0 ? k : 0.0
    check_no_member<Real>();
  }
  Algebraic(const Real& value)
      : Noted<Real>(value) {  // for functions that return what they are given
    check_no_member<Real>();
  }
  Algebraic& operator=(double value) { return *this = Real(value); }
  Algebraic& operator=(const Real& value) {
    Noted<Real>::operator=(value);
    return *this;
  }
};

/// Several variables under one name: `States<Real> q{"q", 7}` are q[0] to q[6], in the model as for
/// the outside; a list of numbers instead of the count gives each its start value. There are
/// `Algebraics`, `Parameters`, `Inputs`, `Outputs` and `Locals` as well.
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
  auto begin() { return members_.begin(); }
  auto end() { return members_.end(); }
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
/// model. `Parameter<Real>` is a number; like `Discrete`, a parameter may have another type.
template <class Real>
class Parameter : public Given<Real> {
 public:
  Parameter(const char* name, const About& about) : Given<Real>(about.start) {
    if (auto* open = MembersOf<Real>::open()) {
      open->number(name, about, Variable::Role::parameter, *this);
    }
  }
  explicit Parameter(const char* name) { throw_no_value(name); }
  template <Literal N>
  Parameter(N value) : Given<Real>(static_cast<double>(value)) {  // for  x > 0.0 ? k : 0.0
    check_no_member<Real>();
  }
  Parameter(const Real& value)
      : Given<Real>(value) {  // for functions that return what they are given
    check_no_member<Real>();
  }
};

/// A continuous signal from outside. The model that it is declared in cannot assign it; one that
/// has this model as a `Submodel` can, in `equations`, and it is then connected.
template <class Real>
class Input : public Given<Real> {
 public:
  Input(const char* name, const About& about = {}) : Given<Real>(about.start) {
    if (auto* open = MembersOf<Real>::open()) {
      open->number(name, about, Variable::Role::input, *this);
    }
  }
  template <Literal N>
  Input(N value) : Given<Real>(static_cast<double>(value)) {  // for  x > 0.0 ? k : 0.0
    check_no_member<Real>();
  }
  Input(const Real& value) : Given<Real>(value) {  // for functions that return what they are given
    check_no_member<Real>();
  }
  Input(const Input&) = default;
  Input& operator=(const Input& other) { return *this = static_cast<const Real&>(other); }
  Input& operator=(double value) { return *this = Real(value); }
  Input& operator=(const Real& value) {
    if (cursor.live) [[unlikely]] {
      throw_input_in_events();
    }
    Real::operator=(value);
    return *this;
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
  template <Literal N>
  Output(N value) : Real(static_cast<double>(value)) {  // for  x > 0.0 ? k : 0.0
    check_no_member<Real>();
  }
  Output(const Real& value) : Real(value) {  // for functions that return what they are given
    check_no_member<Real>();
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
  template <Literal N>
  Local(N value) : Real(static_cast<double>(value)) {  // for  x > 0.0 ? k : 0.0
    check_no_member<Real>();
  }
  Local(const Real& value) : Real(value) {  // for functions that return what they are given
    check_no_member<Real>();
  }
  Local& operator=(double value) { return *this = Real(value); }
  Local& operator=(const Real& value) {
    Real::operator=(value);
    return *this;
  }
};

template <class Real>
using Parameters = ArrayOf<Parameter<Real>>;
template <class Real>
using Inputs = ArrayOf<Input<Real>>;
template <class Real>
using Outputs = ArrayOf<Output<Real>>;
template <class Real>
using Locals = ArrayOf<Local<Real>>;

/// A value that changes at events only: part of the configuration. `Discrete<Real>` holds a number;
/// `Discrete<int>`, `Discrete<bool>`, `Discrete<Mode>` of an `enum class Mode` and so on hold what
/// they say, for use in `switch` and `if`. With `.causality = Causality::input` it is set from
/// outside, as an output it is shown.
template <class T>
class Discrete : public Noted<T> {
 public:
  Discrete(const char* name, const AboutDiscrete<double>& about = {}) : Noted<T>(about.start) {
    if (auto* open = MembersOf<T>::open()) {
      open->discrete(name, about, static_cast<T&>(*this));
    }
  }
  template <Literal N>
  Discrete(N value) : Noted<T>(static_cast<double>(value)) {  // for  x > 0.0 ? k : 0.0
    check_no_member<T>();
  }
  Discrete(const T& value) : Noted<T>(value) {  // for functions that return what they are given
    check_no_member<T>();
  }
  Discrete& operator=(const Discrete& other) { return *this = static_cast<const T&>(other); }
  Discrete& operator=(double value) { return *this = T(value); }
  Discrete& operator=(const T& value) {
    Noted<T>::operator=(value);
    return *this;
  }
};

}  // namespace saltus::modeling

#include "saltus/modeling/no_state.hpp"
#include "saltus/modeling/refused_functions.hpp"
#include "saltus/modeling/text_members.hpp"
#include "saltus/modeling/whole_members.hpp"
// After those.
#include "saltus/modeling/previous.hpp"
#include "saltus/modeling/std_functions.hpp"
