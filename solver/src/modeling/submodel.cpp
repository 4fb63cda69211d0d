// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/submodel.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "saltus/core/mistakes.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/core/whole_values.hpp"

namespace saltus::modeling {
namespace {

bool is_input(const Variable& v) { return v.causality == Variable::Causality::input; }

class Inside final : public SubmodelList {
 public:
  struct Submodel {
    std::string name;
    bool has_equations = false;  // known to the copy that is inspected
    bool has_events = false;
  };

  const std::string& name(std::size_t submodel) const override { return all[submodel].name; }

  std::optional<std::size_t> owner(const std::string& variable) const override {
    const std::size_t begin = variable.starts_with("der(") ? 4 : 0;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string& name = all[i].name;
      if ((!found || name.size() > all[*found].name.size()) &&
          variable.compare(begin, name.size() + 1, name + ".") == 0) {
        found = i;
      }
    }
    return found;
  }

  std::string remedy(const std::string& variable,
                     const std::vector<std::size_t>& run) const override {
    const auto submodel = owner(variable);
    if (!submodel || !all[*submodel].has_equations ||
        std::find(run.begin(), run.end(), *submodel) != run.end()) {
      return "";
    }
    return "run the equations of the submodel '" + all[*submodel].name +
           "' first, or assign it if it is to be given to the submodel";
  }

  void check_equations(const std::vector<std::size_t>& run) const override {
    check(run, "equations", "(eq)", &Submodel::has_equations);
  }
  void check_events(const std::vector<std::size_t>& run) const override {
    check(run, "events", "(ev)", &Submodel::has_events);
  }

  std::vector<std::size_t> connect(std::vector<Variable>& variables,
                                   const Asked& assigned) const override {
    std::vector<std::size_t> connected;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (is_input(variables[i]) && owner(variables[i].name) && assigned(variables[i])) {
        make_local(variables[i]);
        connected.push_back(i);
      }
    }
    return connected;
  }
  void take_over(std::vector<Variable>& variables,
                 std::span<const std::size_t> connected) const override {
    for (const std::size_t i : connected) {
      make_local(variables[i]);
    }
  }

  std::vector<Submodel> all;

 private:
  static void make_local(Variable& input) {
    if (input.role == Variable::Role::input) {
      input.role = Variable::Role::local;
    }
    input.causality = Variable::Causality::local;
  }

  void check(const std::vector<std::size_t>& run, const std::string& function,
             const std::string& argument, bool Submodel::*has) const {
    std::string missing, calls;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto times = std::count(run.begin(), run.end(), i);
      if (times > 1) {
        throw ModelMistake(function + "() runs the " + function + " of the submodel '" +
                           all[i].name + "' " + std::to_string(times) +
                           " times in one pass: call its " + function + argument + " once");
      }
      if (times == 0 && all[i].*has) {
        missing += (missing.empty() ? "'" : ", '") + all[i].name + "'";
        calls += " " + all[i].name + "." + function + argument + ";";
      }
    }
    if (!missing.empty()) {
      throw ModelMistake("the " + function + " of " + missing + " are never run: say" + calls +
                         " in the " + function + "() of the model around, outside of any if");
    }
  }
};

Inside& inside(MemberList& members) { return static_cast<Inside&>(*members.submodels); }

void start_at(MemberList& members, const std::string& submodel, const StartValue& start) {
  const std::string name = submodel + "." + start.name;
  const auto v = std::find_if(members.variables.begin(), members.variables.end(),
                              [&](const Variable& variable) { return variable.name == name; });
  if (v == members.variables.end()) {
    throw std::invalid_argument("the submodel '" + submodel + "' has no variable '" + start.name +
                                "' that could start at " + number_text(start.value));
  }
  if (v->is_text() || v->type == Variable::Type::clock || v->role == Variable::Role::derivative ||
      v->role == Variable::Role::output || v->role == Variable::Role::local) {
    throw std::invalid_argument("the variable '" + name +
                                "' cannot have a start value that is a number: it is computed, "
                                "a text, or a clock");
  }
  if (v->is_whole()) {
    v->start_integer = whole_from_number(*v, start.value);
  } else {
    check_start(*v, start.value);
    v->start = start.value;
  }
}

}  // namespace

std::size_t MemberList::begin_submodel(const char* name) {
  const std::string own = name == nullptr ? "" : name;
  if (own.empty()) {
    throw std::invalid_argument("a submodel without a name: write Submodel<Inner<Real>> a{\"a\"}");
  }
  if (own.find('.') != std::string::npos) {
    throw std::invalid_argument("the submodel '" + own +
                                "' has a dot in its name, which stands between a submodel and its "
                                "variables: name it without");
  }
  enter(prefix_ + own, "variables or submodels");
  if (submodels == nullptr) {
    submodels = std::make_unique<Inside>();
  }
  inside(*this).all.push_back({.name = prefix_ + own});
  prefix_ += own + ".";
  return inside(*this).all.size() - 1;
}

void MemberList::end_submodel() {
  const std::size_t outer = prefix_.find_last_of('.', prefix_.size() - 2);
  prefix_.resize(outer == std::string::npos ? 0 : outer + 1);
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
  Inside::Submodel& own = inside(*open).all[submodel_position_];
  own.has_equations = has_equations;
  own.has_events = has_events;
  for (const StartValue& start : starts) {
    start_at(*open, own.name, start);
  }
}

void throw_not_in_submodel(std::size_t position, const char* function, const char* parameter) {
  const Spelling* const now = open_spelling();
  const SubmodelList* const all = now != nullptr ? now->members.submodels.get() : nullptr;
  const std::string name = all != nullptr ? all->name(position) : "a submodel";
  throw ModelMistake(std::string(function) + "() of the model around runs the " + function +
                     " of '" + name + "', which has none: leave the call out, or write void " +
                     function + "(" + parameter + ") in the model of '" + name + "'");
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
