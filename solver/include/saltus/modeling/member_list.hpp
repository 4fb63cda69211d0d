// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "saltus/core/variable.hpp"

namespace saltus::modeling {

/// The list that a model's members enter while the model is constructed: what each is called and
/// where it lies. It is open for one construction on one thread; members constructed elsewhere
/// (copies, temporaries) are listed nowhere.
///
/// Variables fall into four families, each with indices of its own: states (with their
/// derivatives), algebraics, other numbers, and whole numbers (integers, booleans).
class MemberList {
 public:
  using Whole = std::variant<int*, std::int64_t*, bool*>;

  /// The member list under way on this thread, or null.
  static MemberList* open() { return open_; }

  template <class T>
  void discrete(const char* name, const AboutDiscrete<T>& about, T& where) {
    describe_whole(name, about.unit, about.description, type_of(where), about.causality,
                   static_cast<std::int64_t>(about.start));
    wholes.emplace_back(&where);
  }

  /// Told by scalars that know of their end: a member that ends while its model is constructed was
  /// a copy, or was moved.
  void destroyed(const void* where);

  std::vector<Variable> variables;
  std::vector<Whole> wholes;

 protected:
  MemberList() { open_ = this; }
  ~MemberList() { close(); }
  MemberList(const MemberList&) = delete;
  MemberList& operator=(const MemberList&) = delete;

  void close() {
    if (open_ == this) {
      open_ = nullptr;
    }
  }
  /// Throws `ModelMistake` when a member is not where it was constructed.
  void check_places() const;
  /// Throw `std::invalid_argument` when a name is empty or taken, or when a start value, a limit or
  /// a nominal value is none.
  void describe_state(const char* name, const About& about, std::size_t index);
  void describe_number(const char* name, const About& about, Variable::Role role,
                       std::size_t index);
  void describe_discrete_number(const char* name, const AboutDiscrete<double>& about,
                                std::size_t index);

 private:
  static Variable::Type type_of(int) { return Variable::Type::int32; }
  static Variable::Type type_of(std::int64_t) { return Variable::Type::int64; }
  static Variable::Type type_of(bool) { return Variable::Type::boolean; }
  void describe_whole(const char* name, const char* unit, const char* description,
                      Variable::Type type, Variable::Causality causality, std::int64_t start);
  Variable& add(const char* name, const char* unit, const char* description);

 protected:
  std::unordered_map<const void*, std::string> places_;

 private:
  std::unordered_set<std::string> names_;
  std::string moved_;
  static constinit thread_local MemberList* open_;
};

/// The member list of a model over one scalar type.
template <class Real>
class MembersOf : public MemberList {
 public:
  static MembersOf* open() { return static_cast<MembersOf*>(MemberList::open()); }

  [[gnu::noinline]] void state(const char* name, const About& about, Real& value,
                               Real& derivative) {
    describe_state(name, about, states.size());
    note_place(value, name);
    states.push_back(&value);
    derivatives.push_back(&derivative);
  }
  [[gnu::noinline]] void algebraic(const char* name, const About& about, Real& value) {
    describe_number(name, about, Variable::Role::algebraic, algebraics.size());
    note_place(value, name);
    algebraics.push_back(&value);
  }
  [[gnu::noinline]] void number(const char* name, const About& about, Variable::Role role,
                                Real& value) {
    describe_number(name, about, role, numbers.size());
    note_place(value, name);
    numbers.push_back(&value);
  }
  using MemberList::discrete;
  [[gnu::noinline]] void discrete(const char* name, const AboutDiscrete<double>& about,
                                  Real& value) {
    describe_discrete_number(name, about, numbers.size());
    note_place(value, name);
    discrete_numbers.push_back(numbers.size());
    numbers.push_back(&value);
  }
  [[gnu::noinline]] void finish() {
    check_places();
    unknowns = states;
    unknowns.insert(unknowns.end(), algebraics.begin(), algebraics.end());
    close();
  }

  void note_place(const Real& where, const char* name) {
    if constexpr (requires { Real::kTellsItsEnd; }) {
      places_[&where] = name;
    }
  }

  std::vector<Real*> states;
  std::vector<Real*> derivatives;
  std::vector<Real*> algebraics;
  std::vector<Real*> unknowns;  ///< states and behind them algebraics, once the list is closed
  std::vector<Real*> numbers;
  std::vector<std::size_t> discrete_numbers;  ///< indices into `numbers`
};

/// A model over one scalar type together with the list of its members.
template <template <class> class M, class Real>
struct ModelOf {
  MembersOf<Real> members;  // first: it is open while `model` is constructed
  M<Real> model;
  ModelOf() { members.finish(); }
};

}  // namespace saltus::modeling
