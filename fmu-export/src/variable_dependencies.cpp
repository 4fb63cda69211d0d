// SPDX-License-Identifier: BSD-2-Clause
#include "variable_dependencies.hpp"

#include <algorithm>

#include "call_error.hpp"
#include "description_parts.hpp"
#include "fmi_words.hpp"
#include "own_description.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::Variable;
using Role = Variable::Role;

bool is_unknown(const Values& values, Reference reference) {
  const Variable* v = values.variable(reference);
  if (v == nullptr) {
    return values.is_indicator(reference);
  }
  return v->causality == Variable::Causality::output || v->role == Role::derivative ||
         v->role == Role::local || v->role == Role::algebraic;
}

DependencyList everything(const modeling::DescribedModel& model, bool start, bool dae) {
  DependencyList all;
  all.members.push_back({.on = 0});
  const auto variables = model.variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& v = variables[i];
    if ((start ? has_start(v)
               : v.role == Role::state || v.causality == Variable::Causality::input) ||
        (dae && v.role == Role::algebraic)) {
      all.members.push_back({.on = static_cast<Reference>(reference_of(i))});
    }
  }
  return all;
}

}  // namespace

DependencyList DependencyTable::of(modeling::DescribedModel& model, const Values& values,
                                   Reference unknown, bool start, bool dae) {
  if (!is_unknown(values, unknown)) {
    throw CallError(values.described(unknown) +
                    " is not computed: outputs, derivatives of states and event indicators are");
  }
  if (start || dae || values.variable(unknown) == nullptr) {
    return everything(model, start, dae);
  }
  if (!known_) {
    known_ = own_dependencies(model);
  }
  const auto list = std::find_if(known_->begin(), known_->end(), [&](const auto& one) {
    return reference_of(one.variable) == unknown;
  });
  if (list == known_->end()) {
    return everything(model, start, dae);
  }
  DependencyList found;
  for (const auto& dependency : list->dependencies) {
    found.members.push_back({static_cast<Reference>(reference_of(dependency.on)), dependency.kind});
  }
  return found;
}

}  // namespace saltus::fmu_export
