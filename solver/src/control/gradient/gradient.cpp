// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/gradient.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "backward_sweep.hpp"
#include "control/simulation/native_system.hpp"
#include "run_recorder.hpp"
#include "saltus/core/nearest_names.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {

using modeling::DescribedModel;
using modeling::Variable;
using Role = Variable::Role;

double Gradient::operator[](std::string_view name) const {
  for (std::size_t i = 0; i < content_.names.size(); ++i) {
    if (content_.names[i] == name || content_.names[i] == saltus::start(name))
      return content_.by[i];
  }
  throw std::invalid_argument("there is no derivative by \"" + std::string(name) + "\"" +
                              did_you_mean(name, content_.names));
}

namespace {

// By what is differentiated: variables of the model, and how they are called.
struct Parameters {
  std::vector<std::string> names;
  std::vector<std::size_t> positions;
};

std::size_t find(const DescribedModel& model, std::string_view name) {
  std::vector<std::string> all;
  for (const Variable& v : model.variables()) {
    if (v.name == name) return all.size();
    all.push_back(v.name);
  }
  throw std::invalid_argument("gradient: there is no variable \"" + std::string(name) + "\"" +
                              did_you_mean(name, all));
}

Parameters find_parameters(const DescribedModel& model, std::vector<std::string> names) {
  if (names.empty()) {
    for (const Variable& v : model.variables()) {
      if (v.role == Role::state) names.push_back(start(v.name));
      if (v.role == Role::parameter && v.is_number()) names.push_back(v.name);
    }
  }
  Parameters found{std::move(names), {}};
  for (const std::string& name : found.names) {
    const bool is_start = name.rfind("start(", 0) == 0 && name.back() == ')';
    const std::size_t i = find(model, is_start ? name.substr(6, name.size() - 7) : name);
    const Variable& v = model.variables()[i];
    if (v.role != Role::state && (is_start || v.role != Role::parameter || !v.is_number())) {
      throw std::invalid_argument("gradient: \"" + name +
                                  "\" is neither a real parameter nor a state with a start value");
    }
    if (std::count(found.names.begin(), found.names.end(), name) > 1) {
      throw std::invalid_argument("gradient: \"" + name + "\" is named twice");
    }
    found.positions.push_back(i);
  }
  return found;
}

void check_functional(DescribedModel& model, std::size_t variable) {
  const Variable& v = model.variables()[variable];
  if (!v.is_number()) {
    throw std::invalid_argument("gradient: \"" + v.name + "\" is no real number");
  }
  if (!model.is_explicit() && v.role != Role::state && v.role != Role::algebraic) {
    throw std::invalid_argument("gradient: \"" + v.name +
                                "\" is computed from the unknowns of implicit equations; name one "
                                "of these, or make it one with an Algebraic and an equation");
  }
}

void check_gradient_options(const SimulationOptions& options) {
  const char* const what = !options.sensitivities.empty() ? "sensitivities"
                           : options.hysteresis > 0.0 || options.dwell > 0.0
                               ? "hysteresis and dwell"
                           : options.rest ? "rest"
                                          : nullptr;
  if (what != nullptr) {
    throw std::invalid_argument("gradient: SimulationOptions::" + std::string(what) +
                                " cannot be used here");
  }
}

// Whoever can go back can be gone back along.
void check_model(DescribedModel& model) {
  Directional* const own = model.capabilities().directional;
  Derivatives* const derivatives = model.capabilities().derivatives;
  const bool can = model.is_explicit()
                       ? own != nullptr && own->pullback() != nullptr
                       : derivatives != nullptr && derivatives->by_parameters() != nullptr;
  if (can) return;
  throw GradientError(-kNever, model.name(),
                      "there is no gradient: nobody knows the derivatives of " + model.name() +
                          " backwards; use `.sensitivities`, which goes forwards");
}

// How the start of implicit equations, once it is consistent, depends on each parameter.
std::vector<std::vector<double>> start_derivatives(const Simulation::ModelMaker& make_model,
                                                   const DescribedModel& model,
                                                   const std::vector<std::string>& names,
                                                   SimulationOptions options, double begin) {
  options.sensitivities = names;
  options.record.clear();
  options.stop = begin;
  const SimulationResult at_start = Simulation::of(make_model, options).run();
  std::vector<std::vector<double>> found;
  for (const std::string& name : names) {
    std::vector<double>& one = found.emplace_back(model.shape().unknowns(), 0.0);
    for (const Variable& v : model.variables()) {
      if (v.role != Role::state && v.role != Role::algebraic) continue;
      const std::size_t i = v.role == Role::state ? v.index : model.shape().states + v.index;
      one[i] = at_start["d(" + v.name + ")/d(" + name + ")"].front();
      if (std::isnan(one[i])) {
        throw GradientError(
            begin, v.name,
            "there is no gradient: how \"" + v.name + "\" depends on \"" + name +
                "\" at the start is not known" +
                (at_start.warnings().empty() ? ""
                                             : " (" + at_start.warnings().front().message + ")"));
      }
    }
  }
  return found;
}

}  // namespace

Gradient gradient(const Simulation::ModelMaker& make_model, std::string_view of,
                  std::vector<std::string> by, SimulationOptions options) {
  check_gradient_options(options);
  options.record = {std::string(of)};
  options.report_interval = kNever;
  // The first system is that of the run; others are for values between its rows.
  struct First {
    RunRecorder* recorder = nullptr;
    DescribedModel* model = nullptr;
  };
  const auto first = std::make_shared<First>();
  Simulation simulation(
      [make_model, options, first]() -> std::unique_ptr<SimulatedSystem> {
        NativeSystem::Decorate decorate;
        if (first->model == nullptr) {
          decorate = [&](DescribedModel& prepared, std::function<bool()> is_implicit) {
            auto made = std::make_unique<RunRecorder>(prepared, std::move(is_implicit));
            *first = {made.get(), &prepared};
            return made;
          };
        }
        return std::make_unique<NativeSystem>(make_model(), options, index_reduction(), decorate);
      },
      options);
  DescribedModel* const model = first->model;
  const std::size_t functional = find(*model, of);
  const Parameters parameters = find_parameters(*model, std::move(by));
  check_functional(*model, functional);
  check_model(*model);
  first->recorder->ask_for(parameters.positions);

  const SimulationResult run = simulation.run();
  first->recorder->check_end();
  if (const auto& loss = first->recorder->run().loss) {
    throw GradientError(loss->time, loss->subject,
                        "there is no gradient of \"" + std::string(of) + "\": at t = " +
                            number_text(loss->time) + " " + loss->subject + " " + loss->why);
  }
  const double tolerance = options.tolerance.value_or(model->info().tolerance);
  const Direction found =
      BackwardSweep(*model, first->recorder->run(), tolerance, parameters.positions).of(functional);
  Gradient::Content content{
      .value = run[of].back(), .time = run.time().back(), .names = parameters.names, .by = {}};
  const auto at_start =
      model->is_explicit()
          ? std::vector<std::vector<double>>{}
          : start_derivatives(make_model, *model, parameters.names, options, run.time().front());
  for (std::size_t k = 0; k < parameters.names.size(); ++k) {
    const Variable& v = model->variables()[parameters.positions[k]];
    double sum = v.role == Role::state ? 0.0 : found.numbers[parameters.positions[k]];
    if (model->is_explicit() && v.role == Role::state) sum = found.unknowns[v.index];
    const std::size_t moving = at_start.empty() ? 0 : at_start[k].size();
    for (std::size_t i = 0; i < std::min(found.unknowns.size(), moving); ++i) {
      sum += found.unknowns[i] * at_start[k][i];
    }
    if (!std::isfinite(sum)) {
      throw GradientError(content.time, parameters.names[k],
                          "there is no gradient of \"" + std::string(of) + "\" by \"" +
                              parameters.names[k] +
                              "\": a derivative on the way is not finite (a root or a power at "
                              "zero, a division by zero)");
    }
    content.by.push_back(sum);
  }
  return {std::move(content), run};
}

}  // namespace saltus
