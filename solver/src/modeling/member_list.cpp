// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/member_list.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "saltus/core/mistakes.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus::modeling {

constinit thread_local MemberList* MemberList::open_ = nullptr;

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw std::invalid_argument("the variable '" + name + "' " + why);
}

void check_metadata(const std::string& name, const About& about) {
  const auto text = [](double value) { return number_text(value); };
  if (!std::isfinite(about.start)) {
    refuse(name, "starts at " + text(about.start) + ", which is no finite number");
  }
  if (about.nominal && !(*about.nominal > 0.0 && std::isfinite(*about.nominal))) {
    refuse(name, "has the nominal value " + text(*about.nominal) +
                     ": a nominal value is a magnitude, positive and finite");
  }
  for (const auto& limit : {about.min, about.max}) {
    if (limit && std::isnan(*limit)) {
      refuse(name, "has a limit that is not a number");
    }
  }
  if (about.min && about.max && *about.min > *about.max) {
    refuse(name, "has the limits " + text(*about.min) + " to " + text(*about.max) +
                     ": the lower one lies above the upper one");
  }
  if ((about.min && about.start < *about.min) || (about.max && about.start > *about.max)) {
    refuse(name, "starts at " + text(about.start) + ", outside its limits " +
                     (about.min ? text(*about.min) : "-infinity") + " to " +
                     (about.max ? text(*about.max) : "infinity") +
                     ": give it a .start between them");
  }
}

}  // namespace

MemberList::~MemberList() { close(); }

void check_start(const Variable& variable, double start) {
  check_metadata(variable.name, {.start = start, .min = variable.min, .max = variable.max});
}

Variable::Causality MemberList::outward(Variable::Causality causality) const {
  const bool is_inner = !prefix_.empty();
  return is_inner && causality == Variable::Causality::output ? Variable::Causality::local
                                                              : causality;
}

void MemberList::destroyed(const void* where) {
  const auto place = places_.find(where);
  if (place != places_.end()) {
    moved_ = place->second;
  }
}

void MemberList::check_places() const {
  if (!moved_.empty()) {
    throw ModelMistake("the variable '" + moved_ +
                       "' was copied or moved after its construction, and the model would use "
                       "another one than the solver: make it a member of its own, or use "
                       "States<Real>{name, count}, Inputs<Real>{name, count} and so on");
  }
}

std::string MemberList::full_name(const char* name) const {
  if (name == nullptr || *name == '\0') {
    throw_nameless();
  }
  return prefix_ + name;
}

void MemberList::enter(const std::string& full_name, const char* what) {
  if (full_name.find_first_of("\r\n\t") != std::string::npos) {
    throw std::invalid_argument("the name '" + full_name +
                                "' has a line end or tab in it, which FMI forbids");
  }
  if (!names_.insert(full_name).second) {
    throw std::invalid_argument("two " + std::string(what) + " are named '" + full_name +
                                "'; a model inside of another one is declared as "
                                "Submodel<Inner<Real>> a{\"a\"}, with a name of its own");
  }
}

// `name` is the full one.
Variable& MemberList::add(const std::string& name, const char* unit, const char* description) {
  enter(name, "variables");
  Variable& variable = variables.emplace_back();
  variable.name = name;
  variable.unit = unit;
  variable.description = description;
  return variable;
}

void MemberList::describe_state(const char* name, const About& about, std::size_t index) {
  describe_number(name, about, Variable::Role::state, index);
  const std::string state = full_name(name);
  Variable& slope = add("der(" + state + ")", "", "");
  slope.description = "derivative of " + state;
  slope.role = Variable::Role::derivative;
  slope.continuous = true;
  slope.index = index;
}

void MemberList::describe_number(const char* own_name, const About& about, Variable::Role role,
                                 std::size_t index) {
  const std::string name = full_name(own_name);
  Variable& variable = add(name, about.unit, about.description);
  if (about.tunable && role != Variable::Role::parameter) {
    refuse(name, "is tunable, which only a Parameter can be");
  }
  if (role != Variable::Role::output && role != Variable::Role::local) {
    check_metadata(name, about);
  } else {
    About computed = about;  // their start values are computed
    computed.start = about.min ? *about.min : about.max ? *about.max : 0.0;
    check_metadata(name, computed);
  }
  const bool is_inner_output = role == Variable::Role::output && !prefix_.empty();
  variable.role = is_inner_output ? Variable::Role::local : role;
  variable.index = index;
  variable.start = about.start;
  variable.nominal = about.nominal;
  variable.min = about.min;
  variable.max = about.max;
  variable.tunable = about.tunable;
  variable.display_unit = about.display_unit;
  variable.continuous = role != Variable::Role::parameter;
  switch (role) {
    case Variable::Role::parameter:
      variable.causality = Variable::Causality::parameter;
      break;
    case Variable::Role::input:
      variable.causality = Variable::Causality::input;
      break;
    case Variable::Role::output:
      variable.causality = outward(Variable::Causality::output);
      break;
    default:
      break;
  }
}

void MemberList::describe_discrete_number(const char* own_name, const AboutDiscrete<double>& about,
                                          std::size_t index) {
  const std::string name = full_name(own_name);
  Variable& variable = add(name, about.unit, about.description);
  check_metadata(name, {.start = about.start, .min = about.min, .max = about.max});
  variable.role = Variable::Role::discrete;
  variable.causality = outward(about.causality);
  variable.index = index;
  variable.start = about.start;
  variable.min = about.min;
  variable.max = about.max;
  variable.clocks = about.clocks;
}

void MemberList::whole(const AboutWhole& about, const Whole& where) {
  Variable& variable = add(full_name(about.name), about.unit, about.description);
  variable.type = about.type;
  variable.role = about.role;
  variable.causality = outward(about.causality);
  variable.tunable = about.tunable;
  variable.start_integer = about.start;
  variable.lowest = about.lowest;
  variable.highest = about.highest;
  variable.min = about.min;
  variable.max = about.max;
  variable.enumeration = about.enumeration;
  variable.check = about.check;
  variable.clocks = about.clocks;
  variable.index = wholes.size();
  wholes.push_back(where);
  check_whole(variable, about.start);
}

std::string text_of(const MemberList& members, const Variable& variable) {
  return members.texts == nullptr ? std::string() : members.texts->read(variable.index);
}

std::size_t number_of_flags(const MemberList& members) {
  return static_cast<std::size_t>(
      std::count_if(members.wholes.begin(), members.wholes.end(),
                    [](const Whole& whole) { return whole.stored == Variable::Type::boolean; }));
}

void put_flags(MemberList& members, const std::vector<bool>& flags) {
  auto flag = flags.begin();
  for (const Whole& whole : members.wholes) {
    if (whole.stored == Variable::Type::boolean) {
      write_whole(whole, *flag++ ? 1 : 0);
    }
  }
}

bool reads_more_than_flags(const MemberList& members, const std::vector<const void*>& reads) {
  const bool reads_integers =
      std::any_of(members.wholes.begin(), members.wholes.end(), [&](const Whole& whole) {
        return whole.stored != Variable::Type::boolean &&
               std::find(reads.begin(), reads.end(), whole.where) != reads.end();
      });
  return reads_integers || (members.texts != nullptr && members.texts->has_any(reads));
}

}  // namespace saltus::modeling
