// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <exception>

#include "inspection_passes.hpp"
#include "saltus/core/number_text.hpp"

// What `events` does, inside and outside of the bodies of its conditions.
namespace saltus::modeling {

Inspection::Outside Inspection::outside_bodies(std::optional<bool> answer) {
  begin(once_);
  spelling_.in_events();
  spelling_.conditions.resize(first_.decisions);
  spelling_.open.resize(first_.decisions);
  spelling_.joined.resize(first_.decisions);
  spelling_.slopes.resize(first_.decisions);
  spelling_.asked.clear();
  spelling_.events_run.clear();
  spelling_.answer = answer;
  Outside outside;
  EventPass pass{.way = EventPass::Way::count, .known = &outside.calls};
  const WriteNotes notes;
  Events<Symbolic> events(pass, Symbolic::time(info_.start));
  spelling_.outside_bodies = true;
  spelling_.reads_told = 0;
  std::vector<const void*> reads;
  const ReadingScope reading(reads);
  model_.events(events);
  spelling_.outside_bodies = false;
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

void Inspection::look_at_events() {
  spelling_.parts = first_.parts;
  const Outside natural = outside_bodies({});
  if (members_.submodels != nullptr) {
    members_.submodels->check_events(spelling_.events_run);
  }
  first_.calls = natural.calls;
  first_.conditions = spelling_.conditions;
  first_.parts = spelling_.parts;
  first_.joined.assign(spelling_.joined.begin() + static_cast<std::ptrdiff_t>(first_.decisions),
                       spelling_.joined.end());
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

void Inspection::check_assigned_outside(const Variable& v) const {
  const bool discrete = v.role == Role::discrete;
  if (!discrete || (v.is_number() && number(v).moves())) {
    throw ModelMistake("events() assigns " + quoted(v) +
                       " outside of the body of a when(), every() or at(): that would happen at "
                       "every event of anything and at no other time; write if (ev.when(...)) "
                       "before it");
  }
}

// What is asked outside of the bodies may serve them, but nothing may hang on it alone.
void Inspection::check_plain_ifs() {
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
void Inspection::try_bodies() {
  spelling_.answer.reset();
  for (std::size_t call = 0; call < std::min(first_.calls.size(), kMostTried); ++call) {
    const EventCall& what = first_.calls[call];
    if (what.kind != EventCall::Kind::when || open_.at(what.index)) {
      try_body(call);
    }
  }
}

void Inspection::try_body(std::size_t call) {
  begin(once_);
  spelling_.in_events();
  spelling_.asked.clear();
  spelling_.previous.clear();
  const WriteNotes notes;
  EventPass pass{.way = EventPass::Way::act, .known = &first_.calls, .chosen = call};
  Events<Symbolic> events(pass, Symbolic::time(info_.start));
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
  for (const std::size_t i : first_.computed) {
    const Variable& v = members_.variables[i];
    if (std::find(spelling_.previous.begin(), spelling_.previous.end(), place(v)) !=
        spelling_.previous.end()) {
      throw_no_previous("'" + v.name + "', which equations() assigns in every pass");
    }
  }
  for (std::size_t i = 0; i < members_.variables.size(); ++i) {
    const Variable& v = members_.variables[i];
    if (assigned(v, notes)) {
      check_assigned_in_body(
          call, v, by_outside_.count(place(v)) != 0 && times(notes, v) > by_outside_.at(place(v)));
    }
  }
}

std::string Inspection::body_of(std::size_t call) const {
  const EventCall& what = first_.calls[call];
  return what.kind == EventCall::Kind::when
             ? "'" + first_.conditions.at(first_.decisions + what.index) + "'"
             : "the " + to_string(what);
}

void Inspection::check_assigned_in_body(std::size_t call, const Variable& v,
                                        bool outside_too) const {
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
  if (outside_too || is_by_equations(v)) {
    throw ModelMistake("in events(), the body of " + body_of(call) + " assigns " + quoted(v) +
                       ", and so " +
                       (outside_too ? "does events() outside of all bodies" : "does equations()") +
                       ", in every pass: the first would be lost at once; assign it in one place");
  }
}

void Inspection::check_nothing_remembers() const {
  const std::string name = difference(once_, values());
  if (!name.empty()) {
    throw ModelMistake(name +
                       " is another one after the bodies in events() were executed and all "
                       "declared variables were put back: something that is not declared "
                       "remembers what happened, as a plain or static member; make it a Discrete");
  }
}

}  // namespace saltus::modeling
