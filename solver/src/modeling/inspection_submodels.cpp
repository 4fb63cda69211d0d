// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "inspection_passes.hpp"
#include "saltus/core/number_text.hpp"

// Whether the submodels of a model take part, and which of their inputs the model gives them.
namespace saltus::modeling {

void connect_variable(Variable& input) {
  if (input.role == Role::input) {
    input.role = Role::local;
  }
  input.causality = Variable::Causality::local;
}

void throw_connected_later(const std::string& input, double t) {
  throw ModelMistake("equations() assigns the input '" + input +
                     "' in the configuration at t = " + number_text(t) +
                     " and not in the first one: whether it is an input of the whole must be known "
                     "before it runs; assign it in every branch");
}

void Inspection::check_submodels(const std::vector<std::size_t>& run,
                                 SubmodelRun::What what) const {
  const bool equations = what == SubmodelRun::What::equations;
  const std::string function = equations ? "equations" : "events";
  const std::string argument = equations ? "eq" : "ev";
  std::string missing, remedy;
  for (std::size_t i = 0; i < members_.submodels.size(); ++i) {
    const MemberList::Inner& submodel = members_.submodels[i];
    const auto times = std::count(run.begin(), run.end(), i);
    if (times > 1) {
      throw ModelMistake(function + "() runs the " + function + " of the submodel '" +
                         submodel.name + "' " + std::to_string(times) +
                         " times in one pass: call its " + function + "(" + argument + ") once");
    }
    if (times == 0 && (equations ? submodel.has_equations : submodel.has_events)) {
      missing += (missing.empty() ? "'" : ", '") + submodel.name + "'";
      remedy +=
          (remedy.empty() ? "" : " ") + submodel.name + "." + function + "(" + argument + ");";
    }
  }
  if (!missing.empty()) {
    throw ModelMistake("the " + function + " of " + missing + " are never run: say " + remedy +
                       " in the " + function + "() of the model around, outside of any if");
  }
}

// A second run knows them as what the equations compute.
void Inspection::connect_inputs() {
  for (std::size_t i = 0; i < members_.variables.size(); ++i) {
    Variable& v = members_.variables[i];
    const bool is_inner_input =
        v.causality == Variable::Causality::input && members_.submodel_of(v.name).has_value();
    const bool is_assigned = v.is_number() ? number(v).assigned()
                                           : std::find(by_equations_.begin(), by_equations_.end(),
                                                       place(v)) != by_equations_.end();
    if (is_inner_input && is_assigned) {
      connect_variable(v);
      first_.connected.push_back(i);
    }
  }
  if (!first_.connected.empty()) {
    declare_names(members_);
    begin(start_);
    run_equations();
  }
}

}  // namespace saltus::modeling
