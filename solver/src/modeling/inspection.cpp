// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/inspection.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>

#include "inspection_passes.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus::modeling {

FirstPasses Inspection::run() {
  run_equations();
  if (members_.submodels != nullptr) {
    members_.submodels->check_equations(spelling_.equations_run);
    connect_inputs();
  }
  first_.decisions = spelling_.conditions.size();
  first_.conditions = spelling_.conditions;
  first_.parts = spelling_.parts;
  equation_parts_ = first_.parts.size();
  slopes_ = spelling_.slopes;
  first_.equations = spelling_.equations;
  first_.is_explicit = is_explicit();
  check_assigned_by_equations();
  for (std::size_t i = 0; i < members_.variables.size(); ++i) {
    const Variable& v = members_.variables[i];
    if (v.role == Role::discrete && is_by_equations(v)) first_.computed.push_back(i);
  }
  once_ = values();
  check_runs_alike();
  if (!model_.events && members_.submodels != nullptr) {
    members_.submodels->check_events({});
  }
  if (model_.events) {
    look_at_events();
    try_bodies();
    begin(start_);
    run_equations();
    check_nothing_remembers();
  }
  modeling::find_paths(*this);
  first_.steps = first_.paths.steps();
  check_conditions();
  first_.compares_time = spelling_.compares_time || first_.paths.compares_time();
  return first_;
}

Symbolic& Inspection::number(const Variable& v) const {
  return *(v.role == Role::state        ? members_.states
           : v.role == Role::derivative ? members_.derivatives
           : v.role == Role::algebraic  ? members_.algebraics
                                        : members_.numbers)[v.index];
}

bool Inspection::assigned(const Variable& v, const WriteNotes& notes) const {
  if (v.is_number()) {
    return number(v).assigned();
  }
  return times(notes, v) > 0;
}

const void* Inspection::place(const Variable& v) const {
  if (v.is_number()) {
    return &number(v);
  }
  return v.is_text() ? members_.texts->place(v.index) : members_.wholes[v.index].where;
}

Inspection::Values Inspection::values() const {
  Values now;
  for (const Variable& v : members_.variables) {
    now.bits.push_back(v.is_number() ? std::bit_cast<std::uint64_t>(number(v).value())
                       : v.is_text()
                           ? members_.texts->take(v.index)
                           : static_cast<std::uint64_t>(read_whole(members_.wholes[v.index])));
    now.slopes.push_back(v.is_number() ? number(v).slope() : "");
  }
  return now;
}

void Inspection::begin(const Values& start) {
  for (std::size_t i = 0; i < members_.variables.size(); ++i) {
    const Variable& v = members_.variables[i];
    if (v.is_number()) {
      number(v).begin(std::bit_cast<double>(start.bits[i]), start.slopes[i]);
    } else if (v.is_text()) {
      members_.texts->put(v.index, start.bits[i]);
    } else {
      write_whole(members_.wholes[v.index], static_cast<std::int64_t>(start.bits[i]));
    }
  }
}

// Names and equations of the newest pass stand in `spelling_`.
void Inspection::run_equations() {
  for (const Variable& v : members_.variables) {
    if (v.is_number()) {
      number(v).begin(number(v).value(), v.role == Role::derivative ? v.name : "");
    }
  }
  spelling_.in_equations();
  spelling_.conditions.clear();
  spelling_.parts.clear();
  spelling_.open.clear();
  spelling_.joined.clear();
  spelling_.plain.clear();
  spelling_.steps.clear();
  spelling_.slopes.clear();
  spelling_.equations.clear();
  spelling_.derivatives_read_early.clear();
  spelling_.equations_run.clear();
  Equations<Symbolic> equations{Symbolic::time(info_.start)};
  const WriteNotes notes;
  model_.equations(equations);
  by_equations_ = notes.places;
}

// A second run knows them as what the equations compute.
void Inspection::connect_inputs() {
  first_.connected = members_.submodels->connect(members_.variables, [&](const Variable& v) {
    return v.is_number() ? number(v).assigned()
                         : std::find(by_equations_.begin(), by_equations_.end(), place(v)) !=
                               by_equations_.end();
  });
  if (!first_.connected.empty()) {
    declare_names(members_);
    begin(start_);
    run_equations();
  }
}

bool Inspection::is_explicit() {
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
void Inspection::check_conditions() const {
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

std::string Inspection::remedy(const std::string& slope) const {
  const bool later = std::find(unassigned_.begin(), unassigned_.end(), slope) == unassigned_.end();
  return later ? ", which is assigned only later: assign it first"
               : ", which no assignment gives: declare an Algebraic for it and add the "
                 "equation eq(" +
                     slope + ", ...)";
}

void Inspection::check_assigned_by_equations() const {
  for (const Variable& v : members_.variables) {
    if (v.role == Role::state && number(v).assigned()) {
      throw ModelMistake("equations() assigns " + quoted(v) + ": it gives the derivative, der(" +
                         v.name + ") = ...; a state jumps in events(), in the body of a when()");
    }
    if (v.role == Role::algebraic && number(v).assigned()) {
      throw ModelMistake("equations() assigns " + quoted(v) + ": state the equation eq(" + v.name +
                         ", ...), or declare a Local or an Output to be assigned");
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

std::string Inspection::difference(const Values& one, const Values& other) const {
  for (std::size_t i = 0; i < one.bits.size(); ++i) {
    if (one.bits[i] != other.bits[i]) {
      return members_.variables[i].name;
    }
  }
  return {};
}

void Inspection::check_runs_alike() {
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

namespace {

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

FirstPasses inspect(const SymbolicModel& model, const ModelInfo& info) {
  check_info(info);
  Inspection inspection(model, info);
  return inspection.run();
}

}  // namespace saltus::modeling
