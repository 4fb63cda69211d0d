// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/submodel.hpp"

#include <stdexcept>
#include <string>

#include "saltus/core/number_text.hpp"
#include "saltus/core/whole_values.hpp"

namespace saltus::modeling {

std::size_t MemberList::begin_submodel(const char* name) {
  if (name == nullptr || *name == '\0') {
    throw std::invalid_argument("a submodel without a name: write Submodel<Inner<Real>> a{\"a\"}");
  }
  const std::string own = name;
  if (own.find('.') != std::string::npos) {
    throw std::invalid_argument("the submodel '" + own +
                                "' has a dot in its name, which stands between a submodel and its "
                                "variables: name it without");
  }
  enter(prefix_ + own, "variables or submodels");
  submodels.push_back({.name = prefix_ + own});
  prefix_ += own + ".";
  return submodels.size() - 1;
}

void MemberList::end_submodel() {
  const std::size_t inner_dot = prefix_.size() - 1;
  const std::size_t outer_dot = prefix_.find_last_of('.', inner_dot - 1);
  prefix_.resize(outer_dot == std::string::npos ? 0 : outer_dot + 1);
}

std::optional<std::size_t> MemberList::submodel_of(const std::string& variable) const {
  std::optional<std::size_t> found;
  std::size_t longest = 0;
  const std::size_t begin = variable.starts_with("der(") ? 4 : 0;
  for (std::size_t i = 0; i < submodels.size(); ++i) {
    const std::string& name = submodels[i].name;
    if (name.size() >= longest && variable.compare(begin, name.size(), name) == 0 &&
        variable.size() > begin + name.size() && variable[begin + name.size()] == '.') {
      found = i;
      longest = name.size();
    }
  }
  return found;
}

const Variable& MemberList::with_start(std::size_t submodel, const char* name, double value) {
  const std::string full = submodels[submodel].name + "." + name;
  for (Variable& v : variables) {
    if (v.name != full) {
      continue;
    }
    if (v.is_text() || v.role == Variable::Role::derivative || v.role == Variable::Role::output ||
        v.role == Variable::Role::local) {
      throw std::invalid_argument("the variable '" + full +
                                  "' cannot have a start value that is a number: it is computed, "
                                  "or a text");
    }
    if (v.is_whole()) {
      v.start_integer = whole_from_number(v, value);
      return v;
    }
    check_start(v, value);
    v.start = value;
    return v;
  }
  throw std::invalid_argument("the submodel '" + submodels[submodel].name + "' has no variable '" +
                              name + "' that could start at " + number_text(value));
}

SubmodelMembers::SubmodelMembers(const char* name) {
  if (MemberList* const open = MemberList::open()) {
    submodel_position_ = open->begin_submodel(name);
  }
}

void SubmodelMembers::submodel_complete_(bool has_equations, bool has_events,
                                         std::initializer_list<StartValue> starts) {
  MemberList* const open = MemberList::open();
  if (open == nullptr) {
    return;
  }
  open->end_submodel();
  open->submodels[submodel_position_].has_equations = has_equations;
  open->submodels[submodel_position_].has_events = has_events;
  for (const StartValue& start : starts) {
    open->start_at(submodel_position_, start.name, start.value);
  }
}

SubmodelRun::SubmodelRun(std::size_t position, What what) {
  if (Spelling* const now = open_spelling()) {
    (what == What::equations ? now->equations_run : now->events_run).push_back(position);
    now->running.push_back(position);
  }
}

SubmodelRun::~SubmodelRun() {
  if (Spelling* const now = open_spelling()) {
    now->running.pop_back();
  }
}

}  // namespace saltus::modeling
