// SPDX-License-Identifier: BSD-2-Clause
#include "values.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "call_error.hpp"
#include "elements.hpp"
#include "fmi_words.hpp"

namespace saltus::fmu_export {

using modeling::Variable;

Values::Values(modeling::DescribedModel& model, const Dialect& dialect)
    : model_(&model),
      dialect_(&dialect),
      z_(fmu_export::number_of_indicators(model)),
      own_indicators_(model.shape().indicators) {
  derivatives_.resize(model.shape().states);
  const auto variables = model.variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    start_numbers_.push_back(variables[i].start);
    start_wholes_.push_back(variables[i].start_integer);
    if (variables[i].role == Variable::Role::derivative) {
      derivatives_.at(variables[i].index) = i;
    }
  }
}

const Variable* Values::variable(Reference reference) const {
  const auto variables = model_->variables();
  return reference >= 1 && reference <= variables.size() ? &variables[reference - 1] : nullptr;
}

bool Values::exists(Reference reference) const {
  return reference <= model_->variables().size() + z_.size();
}

std::string Values::described(Reference reference) const {
  std::string text = "variable ";
  text += std::to_string(listed_reference(*model_, reference));
  text += " \"";
  if (const Variable* v = variable(reference)) {
    text += v->name;
  } else if (reference == 0) {
    text += "time";
  } else if (exists(reference)) {
    text += indicator_text(*model_, reference - 1 - model_->variables().size());
  }
  return text += '"';
}

void Values::check_type(Reference reference, Variable::Type function) const {
  if (!exists(reference)) {
    throw CallError("there is no variable with value reference " + std::to_string(reference));
  }
  const Variable* v = variable(reference);
  const Dialect::TypeWord& own = dialect_->of(v == nullptr ? Variable::Type::float64 : v->type);
  if (own.served_by != function) {
    throw CallError(described(reference) + " is of type " + own.word + ", not " +
                    dialect_->of(function).word);
  }
}

void Values::check_count(std::size_t references, std::size_t values) {
  if (references != values) {
    throw CallError("these variables have " + std::to_string(references) +
                    " values, but nValues is " + std::to_string(values));
  }
}

void Values::check_intermediate(const Situation& now, Reference reference) const {
  if (now.mode == Mode::intermediate_update &&
      std::find(now.intermediate.begin(), now.intermediate.end(),
                listed_reference(*model_, reference)) == now.intermediate.end()) {
    throw CallError(described(reference) +
                    " was not among the requiredIntermediateVariables of the instantiation");
  }
}

Eval Values::get(const Situation& now, References references, std::span<double> values) {
  check_count(references.size(), values.size());
  for (std::size_t i = 0; i < references.size(); ++i) {
    check_type(references[i], Variable::Type::float64);
    check_intermediate(now, references[i]);
    if (read(now, references[i], values[i]) == Eval::discard) {
      return Eval::discard;
    }
  }
  return Eval::ok;
}

Eval Values::get(const Situation& now, References references, const WholeArray& values) {
  check_count(references.size(), values.count);
  for (std::size_t i = 0; i < references.size(); ++i) {
    check_type(references[i], values.served);
    check_intermediate(now, references[i]);
    std::int64_t value = 0;
    if (read(now, *variable(references[i]), references[i] - 1, value) == Eval::discard) {
      return Eval::discard;
    }
    modeling::write_whole(values[i], value);
  }
  return Eval::ok;
}

Eval Values::come_to(const Situation& now, const Variable& v, bool& is_start) {
  const bool given = v.role == Variable::Role::parameter || v.role == Variable::Role::input;
  // Of a size the model may remember what a forged state said.
  is_start = v.is_size || (v.role == Variable::Role::discrete && now.starting());
  return given || is_start ? Eval::ok : evaluate(now);
}

Eval Values::read(const Situation& now, const Variable& v, std::size_t position,
                  std::int64_t& value) {
  bool is_start = false;
  if (come_to(now, v, is_start) == Eval::discard) {
    return Eval::discard;
  }
  value = is_start ? start_wholes_[position] : model_->whole(position);
  return Eval::ok;
}

Eval Values::read(const Situation& now, Reference reference, double& value) {
  if (reference == 0) {
    value = now.time;
    return Eval::ok;
  }
  const Variable* v = variable(reference);
  if (v == nullptr) {
    ConstVec z;
    const Eval answer = indicators(now, z);
    value = z[reference - 1 - model_->variables().size()];
    return answer;
  }
  if (v->role == Variable::Role::state) {
    value = now.y[v->index];
    return Eval::ok;
  }
  const std::size_t position = reference - 1;
  if (!v->is_number()) {  // a Float32 of a version that has none
    std::int64_t bits = 0;
    const Eval answer = read(now, *v, position, bits);
    value = modeling::float_of(bits);
    return answer;
  }
  bool is_start = false;
  if (come_to(now, *v, is_start) == Eval::discard) {
    return Eval::discard;
  }
  value = is_start ? start_numbers_[position] : model_->number(position);
  return Eval::ok;
}

// What initialisation will do, done early: clocks count from the right start, and a model that has
// nothing to say before is not asked.
void Values::prepare(const Situation& now) {
  if (now.starting()) {
    std::vector<double> starts(now.y.size());
    model_->initialize(now.experiment, starts);
  }
}

Eval Values::evaluate(const Situation& now) {
  if (evaluated_) {
    return Eval::ok;
  }
  prepare(now);
  if (model_->evaluate(now.time, now.y) == Eval::discard) {
    return Eval::discard;
  }
  evaluated_ = true;
  return Eval::ok;
}

Eval Values::derivatives(const Situation& now, Vec yp) {
  if (evaluate(now) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t i = 0; i < yp.size(); ++i) {
    yp[i] = model_->number(derivatives_[i]);
  }
  return Eval::ok;
}

Eval Values::indicators(const Situation& now, ConstVec& z) {
  z = z_;
  if (!indicated_) {
    evaluated_ = false;  // both passes run in the same members of the model
    prepare(now);
    if (watch_conditions(*model_, now.time, now.y, z_) == Eval::discard) {
      return Eval::discard;
    }
    indicated_ = true;
  }
  return Eval::ok;
}

void Values::reread_starts(const Experiment& experiment, Vec y) {
  model_->initialize(experiment, y);
  const auto variables = model_->variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool is_set = has_start(variables[i]) || has_guess(variables[i]);
    if (!is_set || variables[i].role == Variable::Role::state) {
      continue;
    }
    if (variables[i].is_number()) {
      start_numbers_[i] = model_->number(i);
    } else if (variables[i].is_whole()) {
      start_wholes_[i] = model_->whole(i);
    }
  }
}

void Values::check_restored(bool started) {
  const auto variables = model_->variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& v = variables[i];
    const bool is_set =
        v.role == Variable::Role::parameter || v.causality == Variable::Causality::input;
    if (!is_set || !v.is_whole()) {
      continue;
    }
    try {
      modeling::check_whole(v, model_->whole(i));
      if (!started) {
        model_->set_whole(i, model_->whole(i));
      }
    } catch (const std::invalid_argument& error) {
      throw CallError(std::string("the serialized FMU state is forged: ") + error.what());
    }
  }
}

}  // namespace saltus::fmu_export
