// SPDX-License-Identifier: BSD-2-Clause
#include "modeling/dependency_search.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "switch_influence.hpp"

namespace saltus::modeling {
namespace {

using Leaves = std::set<std::size_t>;

class Dependencies {
  using Role = Variable::Role;

 public:
  explicit Dependencies(const DependencyQuestion& question)
      : question_(question),
        rows_(computed_variables(question.variables)),
        expressions_(switch_influence(question)) {}

  std::vector<VariableDependencies> find() {
    if (expressions_.empty()) {
      return {};
    }
    differentiate();
    find_slopes();
    follow_conditions();
    std::vector<VariableDependencies> found;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (may_be_listed(row)) {
        found.push_back({rows_[row], listed(row)});
      }
    }
    return found;
  }

 private:
  // The derivatives of one variant of an expression, by leaf.
  using Gradient = std::map<std::size_t, Tape::Node>;

  void differentiate() {
    std::vector<std::pair<std::size_t, std::size_t>> row_of;  // an expression, and its variant
    gradients_.resize(expressions_.size());
    for (std::size_t e = 0; e < expressions_.size(); ++e) {
      for (const std::vector<Tape::Node>& variant : expressions_[e].variants) {
        for (const Tape::Node node : variant) {
          question_.tape.add_row(node);
          row_of.emplace_back(e, gradients_[e].size());
        }
        gradients_[e].emplace_back();
      }
    }
    for (const Tape::Entry& entry : question_.tape.differentiate()) {
      const auto [e, variant] = row_of[static_cast<std::size_t>(entry.row)];
      gradients_[e][variant][static_cast<std::size_t>(entry.unknown)] = entry.node;
    }
  }

  Leaves leaves_of(std::size_t expression) const {
    Leaves leaves;
    for (const Gradient& gradient : gradients_[expression]) {
      for (const auto& [leaf, node] : gradient) {
        leaves.insert(leaf);
      }
    }
    return leaves;
  }

  // Which row is the slope of which unknown.
  void find_slopes() {
    slope_of_.assign(question_.leaves.unknowns.size(), rows_.size());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const Variable& variable = question_.variables[rows_[row]];
      if (variable.role == Role::derivative) {
        slope_of_[variable.index] = row;
      }
    }
  }

  // For each decision, everything on which the weights of a motion depend that slides on its
  // surface: what the condition compares, the slopes of that, and the same of all decisions that
  // these depend on. A decision for which it is not known stands for everything.
  void follow_conditions() {
    const std::size_t decisions = question_.decisions;
    behind_.resize(decisions);
    is_known_.assign(decisions, true);
    std::vector<std::set<std::size_t>> next(decisions);
    for (std::size_t d = 0; d < decisions; ++d) {
      add_expression(d, rows_.size() + d, next[d]);
      const Leaves compared = behind_[d];
      for (const std::size_t leaf : compared) {
        if (leaf < slope_of_.size() && slope_of_[leaf] < rows_.size()) {
          add_expression(d, slope_of_[leaf], next[d]);
        } else if (leaf < slope_of_.size()) {
          is_known_[d] = false;
        }
      }
    }
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t d = 0; d < decisions; ++d) {
        for (const std::size_t other : next[d]) {
          const std::size_t before = behind_[d].size();
          behind_[d].insert(behind_[other].begin(), behind_[other].end());
          grows = grows || behind_[d].size() != before || (is_known_[d] && !is_known_[other]);
          is_known_[d] = is_known_[d] && is_known_[other];
        }
      }
    }
  }

  void add_expression(std::size_t decision, std::size_t expression, std::set<std::size_t>& next) {
    behind_[decision].merge(leaves_of(expression));
    is_known_[decision] = is_known_[decision] && is_understood(expression);
    for (const std::size_t i : expressions_[expression].switches) {
      if (i < question_.decisions) {
        next.insert(i);
      }
    }
  }

  // Discrete variables change at events whose conditions nobody has looked at here.
  bool is_understood(std::size_t expression) const {
    const SwitchedExpression& e = expressions_[expression];
    const bool has_flag = !e.switches.empty() && *e.switches.rbegin() >= question_.decisions;
    return e.known && !(question_.has_whens && (has_flag || uses_discrete(expression)));
  }
  bool uses_discrete(std::size_t expression) const {
    const auto& variants = expressions_[expression].variants;
    return std::any_of(variants.begin(), variants.end(), [this](const auto& nodes) {
      return std::any_of(nodes.begin(), nodes.end(), [this](Tape::Node node) {
        return worst_number(node) == DependencyKind::discrete;
      });
    });
  }

  // Integer and Boolean inputs may stand in conditions of which the tape knows nothing.
  bool may_be_listed(std::size_t row) const {
    const auto& switches = expressions_[row].switches;
    if (!switches.empty() && has_whole_inputs()) {
      return false;
    }
    return is_understood(row) &&
           std::all_of(switches.begin(), switches.end(),
                       [this](std::size_t i) { return i >= question_.decisions || is_known_[i]; });
  }
  bool has_whole_inputs() const {
    return std::any_of(question_.variables.begin(), question_.variables.end(),
                       [](const Variable& v) {
                         return !v.is_number() && v.causality == Variable::Causality::input;
                       });
  }

  std::vector<VariableDependencies::Dependency> listed(std::size_t row) const {
    Leaves all = leaves_of(row);
    Leaves weights;
    for (const std::size_t i : expressions_[row].switches) {
      if (i < question_.decisions) {
        weights.insert(behind_[i].begin(), behind_[i].end());
      }
    }
    all.insert(weights.begin(), weights.end());
    std::vector<VariableDependencies::Dependency> list;
    for (const std::size_t leaf : all) {
      list.push_back({question_.leaves.position(leaf),
                      weights.count(leaf) > 0 ? DependencyKind::dependent : kind(row, leaf)});
    }
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.on < b.on; });
    return list;
  }

  // Where variants differ, a sliding motion takes something between them.
  DependencyKind kind(std::size_t row, std::size_t leaf) const {
    std::set<Tape::Node> factors;
    for (const Gradient& gradient : gradients_[row]) {
      const auto factor = gradient.find(leaf);
      factors.insert(factor == gradient.end() ? -1 : factor->second);
    }
    const Tape::Node factor = *factors.begin();
    return factors.size() == 1 && question_.tape.is_steady(factor) ? worst_number(factor)
                                                                   : DependencyKind::dependent;
  }

  // How the numbers may change that a node is computed from.
  DependencyKind worst_number(Tape::Node root) const {
    DependencyKind worst = DependencyKind::constant;
    std::set<Tape::Node> seen{root};
    std::vector<Tape::Node> open{root};
    while (!open.empty()) {
      const Tape::Operation& o = question_.tape.operation(open.back());
      open.pop_back();
      if (o.op == Tape::Op::number) {
        worst = std::max(worst, kind_of_number(static_cast<std::size_t>(o.a)));
      }
      for (int i = 0; i < Tape::operands(o.op); ++i) {
        const Tape::Node operand = i == 0 ? o.a : o.b;
        if (seen.insert(operand).second) {
          open.push_back(operand);
        }
      }
    }
    return worst;
  }
  DependencyKind kind_of_number(std::size_t number) const {
    const auto variable = std::find_if(
        question_.variables.begin(), question_.variables.end(), [&](const Variable& v) {
          return v.index == number && v.is_number() &&
                 (v.role == Role::parameter || v.role == Role::discrete);
        });
    return variable == question_.variables.end() || variable->role == Role::discrete
               ? DependencyKind::discrete
           : variable->tunable ? DependencyKind::tunable
                               : DependencyKind::fixed;
  }

  const DependencyQuestion& question_;
  std::vector<std::size_t> rows_;
  std::vector<SwitchedExpression> expressions_;
  std::vector<std::vector<Gradient>> gradients_;  // per expression and variant
  std::vector<std::size_t> slope_of_;
  std::vector<Leaves> behind_;
  std::vector<bool> is_known_;
};

}  // namespace

std::vector<VariableDependencies> search_dependencies(const DependencyQuestion& question) {
  return Dependencies(question).find();
}

}  // namespace saltus::modeling
