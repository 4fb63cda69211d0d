// SPDX-License-Identifier: BSD-2-Clause
#include "dae_manifest.hpp"

#include <algorithm>
#include <utility>

#include "description_parts.hpp"
#include "fmi_words.hpp"
#include "watched_conditions.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::Variable;

class Manifest {
 public:
  Manifest(const DaeModel& model, const DaeDependencies& dependencies)
      : model_(model), dependencies_(dependencies), positions_(positions_of_states(model)) {
    for (const Variable& v : model.variables()) {
      if (v.role != Variable::Role::parameter || !v.is_number()) continue;
      if (linear_ != DependencyKind::tunable) {
        linear_ = v.tunable ? DependencyKind::tunable : DependencyKind::fixed;
      }
    }
  }

  std::string text() {
    xml_.open("fmiDAEManifest")
        .attribute("xmlns:fmi-ls", "http://fmi-standard.org/fmi-ls-manifest")
        .attribute("fmi-ls:fmi-ls-name", "org.fmi-standard.fmi-ls-dae")
        .attribute("fmi-ls:fmi-ls-version", "1.0.0-alpha.1")
        .attribute("fmi-ls:fmi-ls-description", "Layered standard for DAE support in FMI.");
    entry("EnableDAEParameter", model_.dae_switch().position);
    const std::size_t algebraics = model_.form().algebraics.size();
    xml_.open("AlgebraicVariables");
    for (std::size_t i = 0; i < algebraics; ++i) entry("AlgebraicVariable", model_.algebraic(i));
    xml_.close("AlgebraicVariables");
    xml_.open("ModelStructure");
    write_structure();
    xml_.close("ModelStructure");
    xml_.close("fmiDAEManifest");
    return xml_.text();
  }

 private:
  void entry(const char* element, std::size_t position) {
    xml_.open(element).attribute("valueReference", reference_of(position)).close(element);
  }

  // Those that are not listed depend on everything.
  void entry(const char* element, std::size_t position,
             const std::vector<DaeDependencies::On>& on) {
    VariableDependencies list{.variable = position, .dependencies = {}};
    for (const DaeDependencies::On& one : on) {
      const std::size_t states = positions_.states.size();
      const std::size_t place = one.state_or_algebraic < states
                                    ? positions_.states[one.state_or_algebraic]
                                    : model_.algebraic(one.state_or_algebraic - states);
      list.dependencies.push_back({place, one.linear ? linear_ : DependencyKind::dependent});
    }
    const auto variables = model_.variables();
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (variables[i].causality == Variable::Causality::input) list.dependencies.push_back({i});
    }
    list.dependencies.push_back({kTimePosition});
    xml_.open(element).attribute("valueReference", reference_of(position));
    write_dependencies(xml_, {&list, 1}, position, reference_of);
    xml_.close(element);
  }

  void write_structure() {
    const auto variables = model_.variables();
    const auto is_output = [&](std::size_t i) {
      return variables[i].causality == Variable::Causality::output;
    };
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (is_output(i)) entry("Output", i);
    }
    for (std::size_t j = 0; j < positions_.derivatives.size(); ++j) {
      entry("ContinuousStateDerivative", positions_.derivatives[j], dependencies_.slopes[j]);
    }
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const bool is_computed = variables[i].role == Variable::Role::derivative ||
                               (is_output(i) && !has_start(variables[i]));
      if (is_computed || has_guess(variables[i])) entry("InitialUnknown", i);
    }
    for (std::size_t i = 0; i < number_of_indicators(model_); ++i) {
      entry("EventIndicator", variables.size() + i);
    }
    for (std::size_t i = 0; i < model_.form().residuals.size(); ++i) {
      if (dependencies_.residuals.empty()) {
        entry("Residual", model_.residual(i));
      } else {
        entry("Residual", model_.residual(i), dependencies_.residuals[i]);
      }
    }
    for (std::size_t i = 0; i < model_.form().invariants.size(); ++i) {
      entry("Invariant", model_.invariant(i));
    }
  }

  const DaeModel& model_;
  const DaeDependencies& dependencies_;
  StatePositions positions_;
  DependencyKind linear_ = DependencyKind::constant;  // of what only parameters change
  XmlWriter xml_;
};

}  // namespace

std::string dae_manifest(const modeling::DescribedModel& model,
                         const DaeDependencies& dependencies) {
  const auto* const both = dynamic_cast<const DaeModel*>(&model);
  return both == nullptr ? "" : Manifest(*both, dependencies).text();
}

}  // namespace saltus::fmu_export
