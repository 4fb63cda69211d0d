// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <bit>
#include <utility>

#include "call_error.hpp"
#include "elements.hpp"
#include "fmi_words.hpp"
#include "values.hpp"

// The setting half of `Values`: who may be set when, and what is remembered of it.
namespace saltus::fmu_export {
namespace {

using modeling::Variable;

// FMI 3.0: 2.3.2 Instantiated, 2.3.3 Initialization Mode, 2.3.5 Event Mode, 3.2.1 Continuous-Time
// Mode, 4.2.1 Step Mode, 4.2.2 Intermediate Update Mode. All states are declared with reinit: they
// cannot be set in Event Mode.
bool settable(const Variable& v, const Situation& now) {
  if (v.type == Variable::Type::clock && !now.experiment.outside_ticks) return false;
  const bool input = v.causality == Variable::Causality::input;
  // FMI-LS-DAE does not say when algebraics may be set: always.
  const bool is_given = now.dae != nullptr && now.dae->on && has_guess(v);
  switch (now.mode) {
    case Mode::instantiated:
      return has_start(v) || has_guess(v);
    case Mode::initialization:
      return has_start(v) || is_given;
    case Mode::event:
    case Mode::step:
    case Mode::clock_activation:
      return input || v.tunable || is_given;
    case Mode::continuous_time:
      return (input && v.continuous) || v.role == Variable::Role::state || is_given;
    case Mode::intermediate_update:
      return input && v.continuous;
    default:
      return false;
  }
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

void Values::check_settable(const Situation& now, Reference reference) const {
  const Variable* v = variable(reference);
  if (v == nullptr) {
    throw CallError(described(reference) +
                    (reference == 0 ? " is the independent variable and is not set as a value"
                                    : " is an event indicator and cannot be set"));
  }
  const bool configures = now.mode == Mode::configuration || now.mode == Mode::reconfiguration;
  const bool is_structural =
      v->is_size || (now.dae != nullptr && reference == now.dae->position + 1);
  if (configures || is_structural ? configures != is_structural : !settable(*v, now)) {
    throw CallError(described(reference) + " (" + causality_word(*v) + ", " + variability_word(*v) +
                    (v->role == Variable::Role::state ? ", continuous state" : "") +
                    ") cannot be set in " + mode_word(*dialect_, now.mode) + " of " +
                    to_string(now.interface));
  }
}

// Importers are found to apply all inputs, discrete ones too, at every point of Continuous-Time
// Mode. One that `repeats` what it is says nothing new, and does no harm.
void Values::check_target(const Situation& now, Reference reference, bool repeats) const {
  const Variable* v = variable(reference);
  if (v == nullptr || v->causality != Variable::Causality::input || !repeats) {
    check_settable(now, reference);
  }
  check_intermediate(now, reference);
}

// What is no continuous signal changes at events.
void Values::note(Change& change, std::size_t position) const {
  const Variable& v = model_->variables()[position];
  change.any = true;
  change.discrete = change.discrete || v.role == Variable::Role::discrete || !v.is_number();
}

Values::Change Values::set(const Situation& now, References references,
                           std::span<const double> values) {
  check_count(references.size(), values.size());
  for (std::size_t i = 0; i < references.size(); ++i) {
    check_type(references[i], Variable::Type::float64);
    const Variable* v = variable(references[i]);
    if (v != nullptr && !v->is_number()) {
      modeling::check_whole(*v, modeling::float_bits(values[i]));
    }
    check_target(now, references[i], v != nullptr && holds(now, references[i] - 1, values[i]));
  }
  Change change;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const std::size_t position = references[i] - 1;
    if (!holds(now, position, values[i])) {
      write(now, position, values[i]);
      note(change, position);
    }
  }
  if (change.any) {
    outdate();
  }
  return change;
}

Values::Change Values::set(const Situation& now, References references, const WholeArray& values) {
  check_count(references.size(), values.count);
  for (std::size_t i = 0; i < references.size(); ++i) {
    check_type(references[i], values.served);
    const std::int64_t value = modeling::read_whole(values[i]);
    check_given(*variable(references[i]), value);
    check_target(now, references[i], holds(now, references[i] - 1, value));
  }
  Change change;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const std::size_t position = references[i] - 1;
    const std::int64_t value = modeling::read_whole(values[i]);
    if (!holds(now, position, value)) {
      write(now, position, value);
      note(change, position);
    }
  }
  if (change.any) {
    outdate();
  }
  return change;
}

bool Values::holds(const Situation& now, std::size_t position, double value) const {
  const Variable& v = model_->variables()[position];
  if (!v.is_number()) {
    return holds(now, position, modeling::float_bits(value));
  }
  if (v.role == Variable::Role::state) {
    return same_bits(now.y[v.index], value);
  }
  return same_bits(now.starting() ? start_numbers_[position] : model_->number(position), value);
}

bool Values::holds(const Situation& now, std::size_t position, std::int64_t value) const {
  return value == (now.starting() ? start_wholes_[position] : model_->whole(position));
}

void Values::write(const Situation& now, std::size_t position, std::int64_t value) {
  if (now.mode == Mode::step) {
    remember(position);
  }
  start_wholes_[position] = value;
  if (!model_->variables()[position].is_size) {  // see `Instance::resize`
    model_->set_whole(position, value);
  }
}

void Values::write(const Situation& now, std::size_t position, double value) {
  const Variable& v = model_->variables()[position];
  if (!v.is_number()) {
    return write(now, position, modeling::float_bits(value));
  }
  if (now.mode == Mode::step) {
    remember(position);
  }
  if (v.role == Variable::Role::state) {
    now.settable_y[v.index] = value;
  }
  if (v.role != Variable::Role::state || now.starting()) {
    start_numbers_[position] = value;
    model_->set_number(position, value);
  }
}

Overwritten Values::present(std::size_t position) const {
  Overwritten value{.variable = position};
  if (model_->variables()[position].is_number()) {
    value.number = model_->number(position);
  } else if (model_->variables()[position].is_whole()) {
    value.whole = model_->whole(position);
  }
  return value;
}

void Values::remember(std::size_t position) {
  const auto is_same = [&](const Overwritten& value) { return value.variable == position; };
  if (std::none_of(overwritten_.begin(), overwritten_.end(), is_same)) {
    overwritten_.push_back(present(position));
  }
}

void Values::exchange(std::vector<Overwritten>& values) {
  for (Overwritten& value : values) {
    const Overwritten other = std::exchange(value, present(value.variable));
    if (model_->variables()[other.variable].is_number()) {
      model_->set_number(other.variable, other.number);
    } else if (model_->variables()[other.variable].is_whole()) {
      model_->set_whole(other.variable, other.whole);
    }
  }
  outdate();
}

}  // namespace saltus::fmu_export
