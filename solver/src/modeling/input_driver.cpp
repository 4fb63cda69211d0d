// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/input_driver.hpp"

#include <algorithm>
#include <stdexcept>

#include "saltus/core/nearest_names.hpp"
#include "saltus/modeling/member_list.hpp"
#include "saltus/modeling/tables.hpp"

namespace saltus::modeling {
namespace {

class TabledInputs final : public InputDriver {
 public:
  explicit TabledInputs(const std::map<std::string, Table>& inputs) {
    for (const auto& [name, table] : inputs) {
      driven_.push_back({.name = name, .table = table});
    }
  }

  void take_over(std::vector<Variable>& variables) override {
    for (Driven& driven : driven_) {
      Variable& input = find(variables, driven.name);
      if (input.role != Variable::Role::input || !input.is_number()) {
        throw std::invalid_argument(
            "inputs: '" + driven.name + "' does not move in time: it is " +
            (input.causality == Variable::Causality::input
                 ? "a discrete input, which is set while the run rests (Simulation::set)"
                 : "no input"));
      }
      driven.number = input.index;
    }
    for (const Driven& driven : driven_) {
      Variable& input = find(variables, driven.name);
      input.role = Variable::Role::local;
      input.causality = Variable::Causality::local;
    }
  }

  void drive(MembersOf<Locked>& members, const Locked& time) const override { give(members, time); }
  void drive(MembersOf<Watched>& members, const Watched& time) const override {
    give(members, time);
  }
  void drive(MembersOf<Tangent>& members, const Tangent& time) const override {
    give(members, time);
  }
  void drive(MembersOf<Recorded>& members, const Recorded& time) const override {
    give(members, time);
  }
  void drive(MembersOf<Symbolic>& members, const Symbolic& time) const override {
    give(members, time);
  }

 private:
  struct Driven {
    std::string name;
    Table table;
    std::size_t number = 0;
  };

  static Variable& find(std::vector<Variable>& variables, const std::string& name) {
    const auto found =
        std::find_if(variables.begin(), variables.end(),
                     [&](const Variable& variable) { return variable.name == name; });
    if (found != variables.end()) return *found;
    std::vector<std::string> names;
    for (const Variable& variable : variables) {
      if (variable.causality == Variable::Causality::input) names.push_back(variable.name);
    }
    throw std::invalid_argument("inputs: the model has no input '" + name + "'" +
                                did_you_mean(name, names));
  }

  template <class Real>
  void give(MembersOf<Real>& members, const Real& time) const {
    for (const Driven& driven : driven_) {
      *members.numbers[driven.number] = driven.table(time);
    }
  }

  std::vector<Driven> driven_;
};

}  // namespace

std::unique_ptr<InputDriver> driven_by(const std::map<std::string, Table>& inputs) {
  return inputs.empty() ? nullptr : std::make_unique<TabledInputs>(inputs);
}

}  // namespace saltus::modeling
