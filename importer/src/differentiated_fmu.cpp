// SPDX-License-Identifier: BSD-2-Clause
#include "differentiated_fmu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "differentiated_fmu_attempt.hpp"
#include "saltus/core/number_text.hpp"
#include "start_values.hpp"

namespace saltus::importer {
namespace {

using Role = modeling::Variable::Role;

// Of the size of the parameter; the other neighbour is half as far. Errors of rounding and of the
// curvature are both far below 1e-8.
constexpr double kNeighbourShift = 0x1p-18;

bool runs_by_clock(const Variable& v) { return !v.clocks.empty() || v.type == VariableType::clock; }

Role role_in_run(const Variable& v) {
  if (v.derivative_of) return Role::derivative;
  if (v.causality == Causality::parameter) return Role::parameter;
  if (v.causality == Causality::input) return Role::input;
  if (v.variability == Variability::discrete) return Role::discrete;
  return v.causality == Causality::output ? Role::output : Role::local;
}

}  // namespace

DifferentiatedFmu::DifferentiatedFmu(FmuModel& fmu, Model& motion, std::string name,
                                     const std::map<std::string, std::string>& start_values,
                                     Make make)
    : fmu_(fmu), motion_(motion), name_(std::move(name)), make_(std::move(make)) {
  const ModelDescription& description = fmu_.variables().description();
  for (const auto& [given, text] : start_values) {
    const Variable& variable = find_variable(description, given);
    if (variable.type == VariableType::float64 && variable.dimensions.empty()) {
      written_[&variable] = description.parse(variable, text);
    }
  }
  describe();
  read_values_ = [this](FmuModel& of, double t, ConstVec y, Vec values) {
    std::vector<double> numbers(references_.size());
    if (of.numbers_at(t, y, references_, numbers) == Eval::discard) return Eval::discard;
    std::fill(values.begin(), values.end(), 0.0);
    for (std::size_t i = 0; i < positions_.size(); ++i) values[positions_[i]] = numbers[i];
    return Eval::ok;
  };
}
DifferentiatedFmu::~DifferentiatedFmu() = default;

// The states first, under the names that messages use; then what is no array.
void DifferentiatedFmu::describe() {
  const ModelDescription& description = fmu_.variables().description();
  std::set<const Variable*> left_out;
  for (std::size_t i = 0; i < fmu_.shape().states; ++i) {
    modeling::Variable v;
    v.name = unknown_name(i);
    v.role = Role::state;
    v.index = i;
    v.continuous = true;
    const Variable* const whole = description.find(v.name);
    const bool is_scalar = whole != nullptr && whole->dimensions.empty();
    left_out.insert(whole);
    described_.push_back(is_scalar ? whole : nullptr);
    variables_.push_back(std::move(v));
  }
  if (description.generation_tool.starts_with("Saltus")) {
    for (const Unknown& indicator : description.structure.event_indicators) {
      left_out.insert(&description.variables[indicator.variable]);
    }
  }
  for (const Variable& each : description.variables) {
    if (left_out.contains(&each) || !each.dimensions.empty() || runs_by_clock(each) ||
        each.causality == Causality::independent) {
      continue;
    }
    if (is_numeric(each.type) && each.type != VariableType::float64 &&
        each.type != VariableType::float32) {
      choices_[each.type].push_back(&each);
    }
    modeling::Variable v;
    v.name = each.name;
    v.unit = each.unit;
    v.nominal = each.nominal;
    v.role = role_in_run(each);
    if (each.type != VariableType::float64) v.type = modeling::Variable::Type::int64;
    described_.push_back(&each);
    variables_.push_back(std::move(v));
  }
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (described_[i] == nullptr || !variables_[i].is_number()) continue;
    references_.push_back(described_[i]->reference);
    positions_.push_back(i);
  }
}

double DifferentiatedFmu::start_of(const Variable& variable) const {
  const auto found = written_.find(&variable);
  const Value& value = found != written_.end() ? found->second : variable.start;
  return value.empty() ? 0.0 : to_number(value.front());
}

void DifferentiatedFmu::follow(std::span<const std::size_t> positions) {
  followed_.clear();
  for (const std::size_t position : positions) {
    const Variable* const variable = described_[position];
    const std::string& name = variables_[position].name;
    if (variable == nullptr) {
      throw std::invalid_argument("sensitivities: \"" + name +
                                  "\" is an element of an array, and start values of arrays are "
                                  "not followed in FMUs");
    }
    if (variable->start.empty() || !is_writable(*variable, Instance::Mode::instantiated)) {
      throw std::invalid_argument("sensitivities: \"" + name +
                                  "\" has no start value that could be changed: the FMU computes "
                                  "it by itself");
    }
    followed_.push_back(
        {.variable = variable, .is_start = variables_[position].role == Role::state});
  }
  neighbours_ = std::vector<Neighbour>(2 * followed_.size());
  for (std::size_t k = 0; k < followed_.size(); ++k) {
    followed_[k].neighbours = std::span(neighbours_).subspan(2 * k, 2);
  }
}

void DifferentiatedFmu::was_written(const Variable& variable, const Value& value) {
  if (!has_begun_) {
    written_[&variable] = value;
    return;
  }
  for (Neighbour& n : neighbours_) {
    attempt(n, [&] { n.model->variables().write(variable, value); });
  }
}

void DifferentiatedFmu::make_neighbours(Followed& p) {
  const Variable& v = *p.variable;
  const double value = start_of(v);
  // Of a state, 1 where nothing is declared: tolerances mean that too.
  const double nominal = std::fabs(v.nominal.value_or(p.is_start || value == 0.0 ? 1.0 : 0.0));
  p.size = std::max(std::fabs(value), nominal);
  p.is_told = false;
  Experiment silent = experiment_;
  silent.warnings = nullptr;
  for (std::size_t i = 0; i < 2; ++i) {
    Neighbour& n = p.neighbours[i];
    n = {};
    n.changed = p.variable;
    const double moved = value + (i == 0 ? kNeighbourShift : -0.5 * kNeighbourShift) * p.size;
    n.shift = moved - value;
    n.time = experiment_.start;
    n.iterates = true;
    n.y.resize(fmu_.shape().states);
    if ((v.min && moved < *v.min) || (v.max && moved > *v.max)) {
      lose(v.name, "is at the end of its declared range, beyond which the FMU cannot be asked");
    }
    attempt(n, [&] {
      n.model = make_(v);
      VariableAccess& access = n.model->variables();
      for (const auto& [variable, given] : written_) access.write(*variable, given);
      access.write(v, {moved});
      n.model->initialize(silent, n.y);
    });
  }
}

void DifferentiatedFmu::initialize(const Experiment& experiment, Vec y) {
  experiment_ = experiment;
  lost_ = false;
  loss_.reset();
  motion_.initialize(experiment, y);
  nominals_.resize(fmu_.shape().states);
  fmu_.nominals(nominals_);
  values_.assign(variables_.size(), std::numeric_limits<double>::quiet_NaN());
  trusts_slopes_along_ = fmu_.has_slopes_along();
  comparisons_.assign(fmu_.shape().states, 0);
  for (Followed& p : followed_) make_neighbours(p);
  phase_begin_ = experiment.start;
  has_begun_ = in_event_ = is_placed_ = true;
  is_settled_ = false;
  passes_ = 0;
}

void DifferentiatedFmu::terminate() {
  motion_.terminate();
  for (Neighbour& n : neighbours_) {
    attempt(n, [&] { n.model->terminate(); });
  }
}

Capabilities DifferentiatedFmu::capabilities() {
  const Capabilities own = motion_.capabilities();
  return {.is_explicit = own.is_explicit,
          .is_dear = own.is_dear,
          .may_stay_at_zero = own.may_stay_at_zero,
          .consistency = own.consistency,
          .directional = this,
          .hints = own.hints,
          .variables = this,
          .diagnosis = own.diagnosis};
}

bool DifferentiatedFmu::needs_completed_steps() const {
  return fmu_.variables().description().model_exchange->needs_completed_integrator_step;
}

Eval DifferentiatedFmu::evaluate(double t, ConstVec y) { return read_values_(fmu_, t, y, values_); }

double DifferentiatedFmu::number(std::size_t variable) const {
  if (has_begun_) return values_[variable];
  return described_[variable] != nullptr ? start_of(*described_[variable]) : 0.0;
}

// Neither is asked for: the one who drives the FMU writes into it, and such a run is not saved.
void DifferentiatedFmu::set_number(std::size_t, double) {
  throw std::logic_error("the variables of an FMU are written through VariableAccess");
}
void DifferentiatedFmu::set_whole(std::size_t, std::int64_t) {
  throw std::logic_error("the variables of an FMU are written through VariableAccess");
}
std::vector<std::byte> DifferentiatedFmu::save() const {
  throw std::logic_error("an FMU with its neighbours cannot be saved");
}
void DifferentiatedFmu::restore(std::span<const std::byte>) {
  throw std::logic_error("an FMU with its neighbours cannot be restored");
}

void DifferentiatedFmu::lose(std::string subject, std::string why) {
  if (!std::exchange(lost_, true)) {
    loss_ = Loss{.subject = std::move(subject), .why = std::move(why)};
  }
}

}  // namespace saltus::importer
