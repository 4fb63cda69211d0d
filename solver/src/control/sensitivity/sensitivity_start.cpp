// SPDX-License-Identifier: BSD-2-Clause
// How the start of a run changes with parameters.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "near_events.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/control/sensitivity_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/method.hpp"
#include "start_sides.hpp"
#include "touch_watch.hpp"

namespace saltus::modeling {

using Role = Variable::Role;

namespace {

// Of a parameter, for differences: errors of rounding and of the curvature balance.
constexpr double kStartStride = 1e-5;

}  // namespace

// The start values that the model finds with other parameters tell how they change with these.
void SensitivityModel::begin_directions(const Experiment& experiment) {
  directions_.assign(names_.size(), {});
  after_.assign(names_.size(), std::vector<double>(states_, 0.0));
  moved_.assign(names_.size(), 0.0);
  moving_.assign(names_.size(), {});
  for (std::size_t k = 0; k < names_.size(); ++k) {
    Parameter& p = parameters_[k];
    const double value = model_->number(p.variable);
    const Variable& v = model_->variables()[p.variable];
    p.size = value != 0.0 ? std::fabs(value) : v.nominal.value_or(1.0);
    Direction& along = directions_[k];
    along.numbers.assign(model_->variables().size(), 0.0);
    along.unknowns.assign(states_, 0.0);
    (p.is_start ? along.unknowns[v.index] : along.numbers[p.variable]) = 1.0;
  }
  std::vector<StartSides::Parameter> looked_at;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    looked_at.push_back({parameters_[k].variable, parameters_[k].size, names_[k]});
  }
  sides_->look(experiment, looked_at);
  // One that follows directions finds those of the start by itself; nothing slides yet.
  if (model_->capabilities().directional != nullptr) return;
  Experiment silent = experiment;
  silent.warnings = nullptr;
  std::vector<std::size_t> all(names_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (all.size() > 2 && !moved_start(silent, all)) return;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    find_start(silent, k);
  }
}

// By differences, where there are any.
void SensitivityModel::find_start(const Experiment& experiment, std::size_t k) {
  const std::optional<StartPoint> ahead = moved_start(experiment, {k});
  if (!ahead) return;
  const Parameter& p = parameters_[k];
  Direction& along = directions_[k];
  const double value = model_->number(p.variable), step = kStartStride * p.size;
  model_->set_number(p.variable, value - step);
  const StartPoint behind = start_point(experiment);
  model_->set_number(p.variable, value);
  for (std::size_t i = 0; i < states_; ++i) {
    along.unknowns[i] = (ahead->unknowns[i] - behind.unknowns[i]) / (2.0 * step);
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < along.numbers.size(); ++i) {
    const Variable& other = model_->variables()[i];
    if (other.is_number() && other.role == Role::discrete) {
      along.numbers[i] = (ahead->discrete[next] - behind.discrete[next]) / (2.0 * step);
      ++next;
    }
  }
}

// The start with some parameters a little larger than they are; of several, each by another part of
// its size. None where neither the events of the start nor what it takes to be consistent give
// states and discrete numbers other values than they are declared with: then nothing depends on
// these.
std::optional<SensitivityModel::StartPoint> SensitivityModel::moved_start(
    const Experiment& experiment, const std::vector<std::size_t>& moved) {
  std::vector<double> values;
  for (const std::size_t k : moved) {
    const Parameter& p = parameters_[k];
    values.push_back(model_->number(p.variable));
    const double part =
        moved.size() == 1 ? 1.0 : 0.5 + std::fmod(0.618034 * static_cast<double>(k + 1), 1.0);
    model_->set_number(p.variable, values.back() + part * kStartStride * p.size);
  }
  std::vector<double> declared(states_);
  model_->initialize(experiment, declared);
  const std::vector<double> held = discrete_numbers();
  StartPoint found = start_point(experiment);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    model_->set_number(parameters_[moved[i]].variable, values[i]);
  }
  bool differs = held != found.discrete;
  for (const Variable& v : model_->variables()) {
    differs = differs || (v.role == Role::state && found.unknowns[v.index] != declared[v.index]);
  }
  return differs ? std::optional(std::move(found)) : std::nullopt;
}

// The unknowns after the events of the start, at a consistent point, and the discrete numbers.
SensitivityModel::StartPoint SensitivityModel::start_point(const Experiment& experiment) {
  const std::unique_ptr<Integrator> integrator =
      make_integrator(implicit_ ? Method::radau : Method::dormand_prince, *model_,
                      {.relative_tolerance = experiment.tolerance});
  IntegratedModel system(*model_, *integrator);
  ModeController controller(system);
  controller.start(experiment);
  return {.unknowns = {system.unknowns().begin(), system.unknowns().end()},
          .discrete = discrete_numbers()};
}

void SensitivityModel::check_start(double t, bool slides) {
  if (const auto loss = lost_ ? std::nullopt : sides_->loss(slides)) {
    lose(t, loss->subject, loss->why);
  }
}

// An event that a parameter moves over the end of the run is not there on the other side.
void SensitivityModel::check_stop(double t, const std::vector<std::size_t>& changed) {
  bool moves = false;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    moves = moves || std::fabs(moved_[k]) * parameters_[k].size > sides_->least_shift();
  }
  if (lost_ || !moves || !sides_->is_at_stop(t)) return;
  lose(t, changed.empty() ? "a clock" : model_->indicator_name(changed.front()),
       StartSides::why_at_stop());
}

// A motion that slides from its start would start beside its surfaces with other parameters. It
// then comes to them at once: from either side by a multiple of what the fields of both sides
// differ by, and that is the direction in which the model projects.
void SensitivityModel::follow_onto_surfaces(double t, ConstVec y) {
  const ConstVec own = y.first(states_);
  std::vector<double> now(states_);
  for (std::size_t k = 0; k < names_.size() && !lost_; ++k) {
    const Direction along = direction(y, k);
    const Eval answer =
        difference(t, own, along, now, [this](double at, ConstVec point, Vec values) {
          std::copy(point.begin(), point.end(), values.begin());
          return model_->project(at, values);
        });
    if (answer == Eval::discard && !lost_) {
      lose(t, model_->name(), "slides from here on, and the way onto its surface is not found");
    }
    for (std::size_t i = 0; i < states_ && !lost_; ++i) {
      after_[k][i] += now[i] - along.unknowns[i];
    }
  }
}

}  // namespace saltus::modeling
