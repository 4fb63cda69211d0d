// SPDX-License-Identifier: BSD-2-Clause
#include "partial_derivatives.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "call_error.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::Variable;
using Knowns = NamedVariables::Knowns;
using Role = Variable::Role;

std::size_t position_of(const PartialDerivatives::Question& question, Reference reference) {
  const Variable* v = question.values.variable(reference);
  return v == nullptr ? kTimePosition
                      : static_cast<std::size_t>(v - question.model.variables().data());
}

void check_unknown(const PartialDerivatives::Question& question, Reference reference) {
  const Variable* v = question.values.variable(reference);
  const bool computed = v != nullptr && v->is_number() &&
                        (v->role == Role::derivative || v->role == Role::output ||
                         v->role == Role::local || v->role == Role::algebraic);
  if (!computed) {
    throw CallError(question.values.described(reference) +
                    " has no derivatives: the derivatives of states, algebraic unknowns, and real "
                    "outputs and locals that the equations assign, have");
  }
}

bool is_dae(const PartialDerivatives::Question& question) {
  return question.now.dae != nullptr && question.now.dae->on;
}

void check_known(const PartialDerivatives::Question& question, Reference reference) {
  const Variable* v = question.values.variable(reference);
  const bool known =
      v == nullptr ? reference == 0
                   : v->is_number() && (v->role == Role::state || v->role == Role::parameter ||
                                        v->causality == Variable::Causality::input ||
                                        (v->role == Role::algebraic && is_dae(question)));
  if (!known) {
    throw CallError(question.values.described(reference) +
                    " is nothing to differentiate by: continuous states, real inputs and "
                    "parameters, and the time are");
  }
}

bool needs_all(const PartialDerivatives::Question& question) {
  return std::any_of(question.knowns.begin(), question.knowns.end(), [&](Reference reference) {
    const Variable* v = question.values.variable(reference);
    return v != nullptr && v->role == Role::parameter;
  });
}

}  // namespace

/// Where the variables of a question stand in it; one may be asked for twice.
struct PartialDerivatives::Places {
  using Map = std::unordered_multimap<std::size_t, std::size_t>;
  Map unknowns;
  Map knowns;
  std::vector<std::size_t> positions;  ///< of the unknowns, in the order of the question
};

// Brings `derivatives_` and `entries_` up to date; the first is null where there is nothing exact.
Eval PartialDerivatives::prepare(const Question& question, Places& places) {
  for (std::size_t i = 0; i < question.unknowns.size(); ++i) {
    check_unknown(question, question.unknowns[i]);
    check_differentiable(question.now.dae, question.values, question.unknowns[i]);
    places.positions.push_back(position_of(question, question.unknowns[i]));
    places.unknowns.emplace(places.positions.back(), i);
  }
  for (std::size_t i = 0; i < question.knowns.size(); ++i) {
    check_known(question, question.knowns[i]);
    places.knowns.emplace(position_of(question, question.knowns[i]), i);
  }
  const bool by_all = needs_all(question);
  const std::uint64_t revision = question.values.revision();
  if (revision_ == revision && by_all_ == by_all) {
    return Eval::ok;
  }
  const Situation& now = question.now;
  const bool solves = question.is_implicit && !is_dae(question);
  const bool beside = solves || now.starting() || now.mode == Mode::event;
  modeling::DescribedModel& model =
      beside ? copy_.follow(question.model, now, revision) : question.model;
  revision_ = 0;  // until there is an answer
  derivatives_ = model.variable_derivatives(by_all ? Knowns::all : Knowns::moving);
  if (derivatives_ != nullptr) {
    entries_.resize(derivatives_->entries().size());
    const ConstVec y = now.y.first(model.shape().unknowns());
    if (derivatives_->evaluate(now.time, y, entries_) == Eval::discard) {
      return Eval::discard;
    }
  }
  by_all_ = by_all;
  revision_ = revision;
  return Eval::ok;
}

template <class Add>
void PartialDerivatives::for_each_entry(const Places& places, const Add& add) const {
  const auto entries = derivatives_->entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries_[e] == 0.0) continue;
    const auto [unknown, last_unknown] = places.unknowns.equal_range(entries[e].variable);
    if (unknown == last_unknown) continue;
    const auto [known, last_known] = places.knowns.equal_range(entries[e].by);
    for (auto u = unknown; u != last_unknown; ++u) {
      for (auto k = known; k != last_known; ++k) {
        add(u->second, k->second, entries_[e]);
      }
    }
  }
}

Eval PartialDerivatives::directional(const Question& question, ConstVec seed, Vec sensitivity) {
  Places places;
  if (prepare(question, places) == Eval::discard) {
    return Eval::discard;
  }
  if (derivatives_ != nullptr) {
    std::fill(sensitivity.begin(), sensitivity.end(), 0.0);
    for_each_entry(places, [&](std::size_t unknown, std::size_t known, double value) {
      sensitivity[unknown] += value * seed[known];
    });
    return Eval::ok;
  }
  std::map<std::size_t, double> rates;
  for (const auto& [position, known] : places.knowns) {
    rates[position] += seed[known];
  }
  std::vector<Moved> direction;
  for (const auto& [position, rate] : rates) {
    direction.push_back({position, rate});
  }
  return differences(copy_.follow(question.model, question.now, revision_), question.now, direction,
                     places.positions, sensitivity);
}

Eval PartialDerivatives::adjoint(const Question& question, ConstVec seed, Vec sensitivity) {
  Places places;
  if (prepare(question, places) == Eval::discard) {
    return Eval::discard;
  }
  std::fill(sensitivity.begin(), sensitivity.end(), 0.0);
  if (derivatives_ != nullptr) {
    for_each_entry(places, [&](std::size_t unknown, std::size_t known, double value) {
      sensitivity[known] += value * seed[unknown];
    });
    return Eval::ok;
  }
  std::vector<double> column(seed.size());
  for (const auto& [position, known] : places.knowns) {
    const Moved alone{position, 1.0};
    if (differences(copy_.follow(question.model, question.now, revision_), question.now,
                    {&alone, 1}, places.positions, column) == Eval::discard) {
      return Eval::discard;
    }
    for (std::size_t i = 0; i < seed.size(); ++i) {
      sensitivity[known] += column[i] * seed[i];
    }
  }
  return Eval::ok;
}

}  // namespace saltus::fmu_export
