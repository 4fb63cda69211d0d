// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/rehearsal.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <exception>
#include <map>

#include "core/number_text.hpp"
#include "saltus/core/mistakes.hpp"
#include "saltus/modeling/model_values.hpp"
#include "saltus/modeling/variables.hpp"

namespace saltus::modeling {
namespace {

using Role = Variable::Role;

bool is_computed(const Variable& variable) {
  return variable.role == Role::output || variable.role == Role::local;
}
const char* word(const Variable& variable) {
  switch (variable.role) {
    case Role::state:
      return "the state '";
    case Role::algebraic:
      return "the algebraic '";
    case Role::output:
      return "the output '";
    case Role::local:
      return "the local '";
    case Role::discrete:
      return "the discrete '";
    default:
      return "'";
  }
}
std::string quoted(const Variable& variable) { return word(variable) + variable.name + "'"; }

// While it lives, assignments to whole numbers are noted.
class WriteNotes {
 public:
  WriteNotes() { noted_writes = &places; }
  ~WriteNotes() { noted_writes = nullptr; }
  WriteNotes(const WriteNotes&) = delete;
  WriteNotes& operator=(const WriteNotes&) = delete;
  std::vector<const void*> places;
};

class Rehearsal {
 public:
  Rehearsal(const SpelledModel& model, const ModelInfo& info)
      : model_(model), members_(model.members), info_(info), start_(values()) {
    declare_names(members_);
  }

  FirstPasses run() {
    run_equations();
    first_.decisions = spelling_.conditions.size();
    first_.conditions = spelling_.conditions;
    first_.parts = spelling_.parts;
    slopes_ = spelling_.slopes;
    first_.equations = spelling_.equations;
    first_.is_explicit = is_explicit();
    check_assigned_by_equations();
    once_ = values();
    check_runs_alike();
    if (model_.events) {
      look_at_events();
      try_bodies();
      begin(start_);
      run_equations();
      check_nothing_remembers();
    }
    check_conditions();
    first_.compares_time = spelling_.compares_time;
    return first_;
  }

 private:
  struct Values {
    std::vector<std::uint64_t> bits;  // of the variables, in their order
    std::vector<std::string> slopes;  // see `Spelled::slope`
  };

  Spelled& number(const Variable& v) const {
    return *(v.role == Role::state        ? members_.states
             : v.role == Role::derivative ? members_.derivatives
             : v.role == Role::algebraic  ? members_.algebraics
                                          : members_.numbers)[v.index];
  }
  bool assigned(const Variable& v, const WriteNotes& notes) const {
    if (v.is_number()) {
      return number(v).assigned();
    }
    return times(notes, v) > 0;
  }
  const void* place(const Variable& v) const {
    if (v.is_number()) {
      return &number(v);
    }
    return std::visit([](auto* where) { return static_cast<const void*>(where); },
                      members_.wholes[v.index]);
  }
  std::ptrdiff_t times(const WriteNotes& notes, const Variable& v) const {
    return std::count(notes.places.begin(), notes.places.end(), place(v));
  }
  Values values() const {
    Values now;
    for (const Variable& v : members_.variables) {
      now.bits.push_back(v.is_number() ? std::bit_cast<std::uint64_t>(number(v).value())
                                       : std::bit_cast<std::uint64_t>(
                                             ModelValues::read(members_.wholes[v.index])));
      now.slopes.push_back(v.is_number() ? number(v).slope() : "");
    }
    return now;
  }
  void begin(const Values& start) {
    for (std::size_t i = 0; i < members_.variables.size(); ++i) {
      const Variable& v = members_.variables[i];
      if (v.is_number()) {
        number(v).begin(std::bit_cast<double>(start.bits[i]), start.slopes[i]);
      } else {
        const auto whole = std::bit_cast<std::int64_t>(start.bits[i]);
        std::visit(
            [&](auto* where) { *where = static_cast<std::decay_t<decltype(*where)>>(whole); },
            members_.wholes[v.index]);
      }
    }
  }
  void nothing_is_assigned() { begin(values()); }

  // Names and equations of the newest pass stand in `spelling_`.
  void run_equations() {
    for (const Variable& v : members_.variables) {
      if (v.is_number()) {
        number(v).begin(number(v).value(), v.role == Role::derivative ? v.name : "");
      }
    }
    spelling_.in_equations();
    spelling_.conditions.clear();
    spelling_.parts.clear();
    spelling_.open.clear();
    spelling_.slopes.clear();
    spelling_.equations.clear();
    spelling_.derivatives_read_early.clear();
    Equations<Spelled> equations{Spelled::time(info_.start)};
    const WriteNotes notes;
    model_.equations(equations);
    by_equations_ = notes.places;
  }

  bool is_explicit() {
    bool all = members_.algebraics.empty() && first_.equations.empty();
    for (const Variable& v : members_.variables) {
      if (v.role != Role::derivative || number(v).assigned()) {
        continue;
      }
      if (first_.equations.empty()) {
        throw ModelMistake("equations() never assigns " + v.name);
      }
      all = false;
      unassigned_.push_back(v.name);
    }
    return all && !info_.implicit;
  }
  // Neither conditions nor events know derivatives that only equations give.
  void check_conditions() const {
    for (std::size_t i = 0; i < first_.conditions.size(); ++i) {
      if (!slopes_[i].empty()) {
        throw ModelMistake("the condition '" + first_.conditions[i] + "' needs " + slopes_[i] +
                           remedy(slopes_[i]));
      }
    }
    if (!spelling_.slopes_in_events.empty()) {
      const std::string& slope = spelling_.slopes_in_events.front();
      throw ModelMistake("events() needs " + slope + remedy(slope));
    }
  }
  std::string remedy(const std::string& slope) const {
    const bool later =
        std::find(unassigned_.begin(), unassigned_.end(), slope) == unassigned_.end();
    return later ? ", which is assigned only later: assign it first"
                 : ", which no assignment gives: declare an Algebraic for it and add the "
                   "equation eq(" +
                       slope + ", ...)";
  }

  void check_assigned_by_equations() const {
    for (const Variable& v : members_.variables) {
      if (v.role == Role::state && number(v).assigned()) {
        throw ModelMistake("equations() assigns " + quoted(v) + ": it gives the derivative, der(" +
                           v.name + ") = ...; a state jumps in events(), in the body of a when()");
      }
      if (v.role == Role::algebraic && number(v).assigned()) {
        throw ModelMistake("equations() assigns " + quoted(v) + ": state the equation eq(" +
                           v.name + ", ...), or declare a Local or an Output to be assigned");
      }
      if (is_computed(v) && !number(v).assigned()) {
        throw ModelMistake("equations() does not assign " + quoted(v) +
                           " at the start values: it has to have a value in every configuration; "
                           "what only events change is a Discrete" +
                           (v.role == Role::output ? " with .causality = Causality::output" : ""));
      }
      if (v.role == Role::discrete && v.is_number() && number(v).assigned() && number(v).moves()) {
        throw ModelMistake("equations() assigns " + quoted(v) +
                           " something that moves between events: declare it an Output or a Local, "
                           "or sample it in events()");
      }
    }
    if (first_.is_explicit && !spelling_.derivatives_read_early.empty()) {
      const std::string& name = spelling_.derivatives_read_early.front();
      throw ModelMistake("equations() reads " + name +
                         " before it assigns it: the value would be that of the evaluation before, "
                         "wherever that was; assign it first (with =, not with +=)");
    }
  }

  std::string difference(const Values& one, const Values& other) const {
    for (std::size_t i = 0; i < one.bits.size(); ++i) {
      if (one.bits[i] != other.bits[i]) {
        return members_.variables[i].name;
      }
    }
    return {};
  }
  void check_runs_alike() {
    nothing_is_assigned();
    run_equations();
    const std::string name = difference(once_, values());
    if (name.empty() && spelling_.conditions.size() == first_.decisions &&
        spelling_.equations.size() == first_.equations.size()) {
      return;
    }
    for (const Variable& v : members_.variables) {
      if (v.name == name && v.role == Role::discrete) {
        throw ModelMistake("equations() changes " + quoted(v) +
                           " each time it is run, and nobody knows how often that is: count and "
                           "remember in events()");
      }
    }
    throw ModelMistake("equations() gives another " + (name.empty() ? "set of equations" : name) +
                       " when it is run again at the same point: it depends on something that is "
                       "not a declared variable, as a plain or static member that it changes; keep "
                       "it in a Discrete that events() changes, or in a State");
  }
  void check_nothing_remembers() const {
    const std::string name = difference(once_, values());
    if (!name.empty()) {
      throw ModelMistake(
          name +
          " is another one after the bodies in events() were executed and all "
          "declared variables were put back: something that is not declared "
          "remembers what happened, as a plain or static member; make it a Discrete");
    }
  }

  // One run over `events` in which nothing is due.
  struct Outside {
    std::vector<EventCall> calls;
    std::vector<std::size_t> assigned;  // variables, by position
    Values left;
    bool terminate = false;
    std::map<const void*, std::ptrdiff_t> writes;
    bool operator==(const Outside& other) const {
      return calls == other.calls && assigned == other.assigned && left.bits == other.left.bits &&
             terminate == other.terminate;
    }
  };
  Outside outside_bodies(std::optional<bool> answer) {
    begin(once_);
    spelling_.in_events();
    spelling_.conditions.resize(first_.decisions);
    spelling_.open.resize(first_.decisions);
    spelling_.slopes.resize(first_.decisions);
    spelling_.asked.clear();
    spelling_.answer = answer;
    Outside outside;
    EventPass pass{.way = EventPass::Way::count, .known = &outside.calls};
    const WriteNotes notes;
    Events<Spelled> events(pass, Spelled::time(info_.start));
    model_.events(events);
    first_.whens = pass.whens;
    first_.clocks = pass.clocks;
    outside.terminate = pass.terminate;
    outside.left = values();
    for (std::size_t i = 0; i < members_.variables.size(); ++i) {
      if (assigned(members_.variables[i], notes)) {
        outside.assigned.push_back(i);
        outside.writes[place(members_.variables[i])] = times(notes, members_.variables[i]);
      }
    }
    return outside;
  }
  void look_at_events() {
    spelling_.parts = first_.parts;
    const Outside natural = outside_bodies({});
    first_.calls = natural.calls;
    first_.conditions = spelling_.conditions;
    first_.parts = spelling_.parts;
    slopes_ = spelling_.slopes;
    open_.assign(spelling_.open.begin() + static_cast<std::ptrdiff_t>(first_.decisions),
                 spelling_.open.end());
    first_.events_use_derivatives = spelling_.events_use_derivatives;
    by_outside_ = natural.writes;
    for (const std::size_t i : natural.assigned) {
      check_assigned_outside(members_.variables[i]);
    }
    if (natural.terminate) {
      throw ModelMistake(
          "events() calls terminate() at the start, whatever happens: call it in the body of a "
          "when(), every() or at()");
    }
    if (!spelling_.asked.empty()) {
      check_plain_ifs();
    }
  }
  void check_assigned_outside(const Variable& v) const {
    const bool discrete = v.role == Role::discrete;
    if (!discrete || (v.is_number() && number(v).moves())) {
      throw ModelMistake("events() assigns " + quoted(v) +
                         " outside of the body of a when(), every() or at(): that would happen at "
                         "every event of anything and at no other time; write if (ev.when(...)) "
                         "before it");
    }
  }
  // What is asked outside of the bodies may serve them, but nothing may hang on it alone.
  void check_plain_ifs() {
    const std::string asked = spelling_.asked.front();
    try {
      if (outside_bodies(true) == outside_bodies(false)) {
        return;
      }
    } catch (const EndlessQuestions&) {
      return;
    }
    throw ModelMistake("in events(), an `if (" + asked +
                       ")` outside of the bodies is looked at only when some other event happens, "
                       "and makes none itself: write if (ev.when(" +
                       asked + "))");
  }

  // The bodies of what discrete variables do not rule out at the start.
  void try_bodies() {
    spelling_.answer.reset();
    for (std::size_t call = 0; call < std::min(first_.calls.size(), kMostTried); ++call) {
      const EventCall& what = first_.calls[call];
      if (what.kind != EventCall::Kind::when || open_.at(what.index)) {
        try_body(call);
      }
    }
  }
  void try_body(std::size_t call) {
    begin(once_);
    spelling_.in_events();
    spelling_.asked.clear();
    const WriteNotes notes;
    EventPass pass{.way = EventPass::Way::act, .known = &first_.calls, .chosen = call};
    Events<Spelled> events(pass, Spelled::time(info_.start));
    try {
      model_.events(events);
      pass.end();
    } catch (const ModelMistake&) {
      throw;
    } catch (const EndlessQuestions&) {
      return;
    } catch (const std::exception&) {
      return;  // of the model's own, which may have a reason at the start values
    }
    for (std::size_t i = 0; i < members_.variables.size(); ++i) {
      const Variable& v = members_.variables[i];
      if (assigned(v, notes)) {
        check_assigned_in_body(
            call, v,
            by_outside_.count(place(v)) != 0 && times(notes, v) > by_outside_.at(place(v)));
      }
    }
  }
  std::string body_of(std::size_t call) const {
    const EventCall& what = first_.calls[call];
    return what.kind == EventCall::Kind::when
               ? "'" + first_.conditions.at(first_.decisions + what.index) + "'"
               : "the " + text(what);
  }
  void check_assigned_in_body(std::size_t call, const Variable& v, bool outside_too) const {
    if (v.role == Role::derivative) {
      throw ModelMistake("in events(), the body of " + body_of(call) + " assigns " + v.name +
                         ": derivatives are given by equations(); let the body set a Discrete, and "
                         "let equations() choose by it");
    }
    if (is_computed(v)) {
      throw ModelMistake("in events(), the body of " + body_of(call) + " assigns " + quoted(v) +
                         ", which equations() computes at every point: what events change is a "
                         "Discrete" +
                         (v.role == Role::output ? " with .causality = Causality::output" : ""));
    }
    const bool by_equations =
        std::find(by_equations_.begin(), by_equations_.end(), place(v)) != by_equations_.end();
    if (outside_too || by_equations) {
      throw ModelMistake(
          "in events(), the body of " + body_of(call) + " assigns " + quoted(v) + ", and so " +
          (outside_too ? "does events() outside of all bodies" : "does equations()") +
          ", in every pass: the first would be lost at once; assign it in one place");
    }
  }

  // One run over all of `events` for each: with many more, construction would take long. What the
  // others do is checked when they do it.
  static constexpr std::size_t kMostTried = 100;

  const SpelledModel& model_;
  EnrolmentOf<Spelled>& members_;
  const ModelInfo& info_;
  Spelling spelling_;
  Values start_;
  Values once_;                          // after a run over the equations
  std::vector<std::string> unassigned_;  // derivatives
  FirstPasses first_;
  std::vector<bool> open_;                 // beside the conditions of `when`
  std::vector<std::string> slopes_;        // beside all conditions
  std::vector<const void*> by_equations_;  // what only events should assign
  // What events() assigns outside of the bodies, and how often in a pass.
  std::map<const void*, std::ptrdiff_t> by_outside_;
};

void check_info(const ModelInfo& info) {
  if (!std::isfinite(info.start) || !(info.stop >= info.start)) {
    throw std::invalid_argument("ModelInfo: the run from " + number_text(info.start) + " to " +
                                number_text(info.stop) + " has no length");
  }
  if (!(info.tolerance > 0.0)) {
    throw std::invalid_argument("ModelInfo: the tolerance " + number_text(info.tolerance) +
                                " is not positive");
  }
  if (!(info.step_size >= 0.0)) {
    throw std::invalid_argument("ModelInfo: the step size " + number_text(info.step_size) +
                                " is negative");
  }
}

}  // namespace

FirstPasses rehearse(const SpelledModel& model, const ModelInfo& info) {
  check_info(info);
  Rehearsal rehearsal(model, info);
  return rehearsal.run();
}

}  // namespace saltus::modeling
