// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/enrolment.hpp"

#include <stdexcept>
#include <string>

namespace saltus::modeling {

constinit thread_local Enrolment* Enrolment::open_ = nullptr;

Variable& Enrolment::add(const char* name, const char* unit, const char* description) {
  const std::string text = name == nullptr ? "" : name;
  if (text.empty()) {
    throw std::invalid_argument("a variable without a name: give each member its FMI name");
  }
  if (text.find_first_of("\r\n\t") != std::string::npos) {
    throw std::invalid_argument("the name '" + text +
                                "' has a line end or tab in it, which FMI forbids");
  }
  if (!names_.insert(text).second) {
    throw std::invalid_argument("two variables are named '" + text + "'");
  }
  Variable& variable = variables.emplace_back();
  variable.name = text;
  variable.unit = unit;
  variable.description = description;
  return variable;
}

void Enrolment::describe_state(const char* name, const About& about, std::size_t index) {
  describe_number(name, about, Variable::Role::state, index);
  const std::string derivative = "der(" + std::string(name) + ")";
  Variable& slope = add(derivative.c_str(), "", "");
  slope.description = "derivative of " + std::string(name);
  slope.role = Variable::Role::derivative;
  slope.continuous = true;
  slope.index = index;
}

void Enrolment::describe_number(const char* name, const About& about, Variable::Role role,
                                std::size_t index) {
  Variable& variable = add(name, about.unit, about.description);
  variable.role = role;
  variable.index = index;
  variable.start = about.start;
  variable.nominal = about.nominal;
  variable.min = about.min;
  variable.max = about.max;
  variable.tunable = about.tunable;
  variable.continuous = role != Variable::Role::parameter;
  switch (role) {
    case Variable::Role::parameter:
      variable.causality = Variable::Causality::parameter;
      break;
    case Variable::Role::input:
      variable.causality = Variable::Causality::input;
      break;
    case Variable::Role::output:
      variable.causality = Variable::Causality::output;
      break;
    default:
      break;
  }
}

void Enrolment::describe_discrete_number(const char* name, const AboutDiscrete<double>& about,
                                         std::size_t index) {
  Variable& variable = add(name, about.unit, about.description);
  variable.role = Variable::Role::discrete;
  variable.causality = about.causality;
  variable.index = index;
  variable.start = about.start;
}

void Enrolment::describe_whole(const char* name, const char* unit, const char* description,
                               Variable::Type type, Variable::Causality causality,
                               std::int64_t start) {
  Variable& variable = add(name, unit, description);
  variable.type = type;
  variable.role = Variable::Role::discrete;
  variable.causality = causality;
  variable.index = wholes.size();
  variable.start_integer = start;
}

}  // namespace saltus::modeling
