// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "saltus/core/variable.hpp"
#include "saltus/core/whole_values.hpp"
#include "saltus/modeling/clock_list.hpp"
#include "saltus/modeling/input_driver.hpp"
#include "saltus/modeling/submodel_list.hpp"
#include "saltus/modeling/texts.hpp"

namespace saltus::modeling {

template <class Real>
class Equations;
template <class Real>
class Events;

/// What a member says of itself that holds a whole number.
struct AboutWhole {
  const char* name;
  const char* unit;
  const char* description;
  Variable::Type type;
  Variable::Role role;
  Variable::Causality causality;
  bool tunable;
  std::int64_t start, lowest, highest;
  std::optional<double> min, max;  ///< of a Float32
  const EnumerationType* enumeration;
  void (*check)(const Variable& variable, std::int64_t value);
  OfClocks clocks = {};
};

/// The list that a model's members enter while the model is constructed: what each is called and
/// where it lies. It is open for one construction on one thread; members constructed elsewhere
/// (copies, temporaries) are listed nowhere.
///
/// Variables fall into five families, each with indices of its own: states (with their
/// derivatives), algebraics, other numbers, whole numbers (`Variable::is_whole`) and texts.
///
/// What is constructed between `begin_submodel` and `end_submodel` belongs to a submodel, and its
/// name stands before theirs: "left.x".
class MemberList {
 public:
  /// The member list under way on this thread, or null.
  static MemberList* open() { return open_; }

  void whole(const AboutWhole& about, const Whole& where);
  /// A `std::string` or, of a binary, a `std::vector<std::uint8_t>`; it holds its start value.
  void text(const AboutText& about, void* where);
  /// Returns its position among the clocks. `where` becomes 1 where the model ticks it.
  std::size_t clock(const AboutClock& about, std::int64_t& where);

  /// What a member is to be that is a `Size`: as in the model that this is a copy of, or as a
  /// `SizeScope` says, or the standard.
  std::uint64_t decide_size(const char* name, std::uint64_t standard) const;

  /// Told by scalars that know of their end: a member that ends while its model is constructed was
  /// a copy, or was moved.
  void destroyed(const void* where);

  /// Returns the position of the submodel. Throws `std::invalid_argument` where the name is none,
  /// or taken.
  std::size_t begin_submodel(const char* name);
  void end_submodel();

  std::unique_ptr<SubmodelList> submodels;  ///< null: none
  std::vector<Variable> variables;
  std::vector<Whole> wholes;
  std::unique_ptr<TextMembers> texts;  ///< null: none
  std::unique_ptr<ClockList> clocks;   ///< null: none

 protected:
  /// `like`: the members of another copy of the model, which has the same sizes.
  explicit MemberList(const MemberList* like) : like_(like) { open_ = this; }
  ~MemberList();
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

  std::string full_name(const char* name) const;

 private:
  Variable& add(const std::string& name, const char* unit, const char* description);
  // Outputs of submodels are no outputs of the model.
  Variable::Causality outward(Variable::Causality causality) const;
  void enter(const std::string& full_name, const char* what);

 protected:
  std::unordered_map<const void*, std::string> places_;

 private:
  std::unordered_set<std::string> names_;
  std::string prefix_;  // of the submodel that is under construction
  std::string moved_;
  const MemberList* like_;  // null: it is the first one
  static constinit thread_local MemberList* open_;
};

/// Throws `std::invalid_argument` where a number cannot start there.
void check_start(const Variable& variable, double start);

/// The present value of a text member.
std::string text_of(const MemberList& members, const Variable& variable);
/// The Boolean members, and whether others that are not numbers are among what was read.
std::size_t number_of_flags(const MemberList& members);
void put_flags(MemberList& members, const std::vector<bool>& flags);
bool reads_more_than_flags(const MemberList& members, const std::vector<const void*>& reads);

/// The member list of a model over one scalar type.
template <class Real>
class MembersOf : public MemberList {
 public:
  explicit MembersOf(const MemberList* like = nullptr) : MemberList(like) {}
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
      places_[&where] = full_name(name);
    }
  }

  /// Behind all other numbers those that `steps.hpp` holds, which nobody declares.
  [[gnu::noinline, gnu::cold]] void add_steps(std::size_t count) {
    steps.assign(count, Real(0.0));
    for (Real& step : steps) {
      discrete_numbers.push_back(numbers.size());
      numbers.push_back(&step);
    }
  }

  void load_unknowns(ConstVec y) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      *unknowns[i] = Real(y[i]);
    }
  }
  void load_slopes(ConstVec yp) {
    for (std::size_t i = 0; i < derivatives.size(); ++i) {
      *derivatives[i] = Real(yp[i]);
    }
  }

  std::vector<Real> steps;
  std::vector<Real*> states;
  std::vector<Real*> derivatives;
  std::vector<Real*> algebraics;
  std::vector<Real*> unknowns;  ///< states and behind them algebraics, once the list is closed
  std::vector<Real*> numbers;
  std::vector<std::size_t> discrete_numbers;  ///< indices into `numbers`
};

/// A model over one scalar type together with the list of its members. `Unit` as in `NativeModel`.
template <template <class> class M, class Real, class Unit = M<Real>>
struct ModelOf {
  MembersOf<Real> members;  // first: it is open while `model` is constructed
  M<Real> model;
  InputDriver* driver = nullptr;  ///< null: nothing moves inputs

  /// `like` as in `MemberList`.
  explicit ModelOf(InputDriver* inputs = nullptr, const MemberList* like = nullptr)
      : members(like) {
    members.finish();
    driver = inputs;
    if (driver != nullptr) {
      driver->take_over(members.variables);
    }
  }

  void equations(Equations<Real>& eq) {
    if (driver != nullptr) [[unlikely]] {
      const Real now = eq.time;  // so that nobody but the model sees `eq`, which needs no memory
      drive(now);
    }
    model.equations(eq);
  }
  [[gnu::cold, gnu::noinline]] void drive(const Real& time) { driver->drive(members, time); }
  /// After the equations at the same time, which have driven the inputs.
  void events(Events<Real>& ev) { model.events(ev); }
};

}  // namespace saltus::modeling
