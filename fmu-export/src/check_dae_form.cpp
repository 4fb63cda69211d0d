// SPDX-License-Identifier: BSD-2-Clause
#include "check_dae_form.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "dae_model.hpp"
#include "driver.hpp"
#include "exported.hpp"
#include "saltus/core/error.hpp"

namespace saltus::fmu_export {
namespace {

// Both modes find their values to some ten digits, from states that hold their constraints to the
// tolerance of the run.
constexpr double kSame = 1e-4;
constexpr double kBeside = 1e-3;  // of the value and its nominal value

class Comparison {
 public:
  Comparison(DaeModel& model, FoundDaeForm& found) : model_(model), found_(found) {}

  void at(double t, ConstVec y) {
    if (!found_.why_not.empty() || model_.evaluate(t, y) == Eval::discard) return;
    const DaeForm& form = model_.form();
    std::vector<double> algebraics, slopes(model_.shape().states), states;
    for (std::size_t i = 0; i < form.algebraics.size(); ++i) {
      algebraics.push_back(model_.number(model_.algebraic(i)));
    }
    for (const modeling::Variable& v : model_.variables()) {
      const auto position = static_cast<std::size_t>(&v - model_.variables().data());
      if (v.role == modeling::Variable::Role::derivative) slopes[v.index] = model_.number(position);
      if (v.role == modeling::Variable::Role::state) states.push_back(model_.number(position));
    }
    for (std::size_t i = 0; i < form.residuals.size(); ++i) {
      compare(t, model_.residual(i), model_.number(model_.residual(i)), 0.0, largest(algebraics));
    }
    ++seen_.points;
    model_.set_whole(model_.dae_switch().position, 1);
    solve_from_beside(t, states, algebraics, slopes);
    model_.set_whole(model_.dae_switch().position, 0);
  }
  const DaeSelfTest& seen() const { return seen_; }

 private:
  static double largest(const std::vector<double>& values) {
    double most = 1.0;
    for (const double x : values) most = std::max(most, std::fabs(x));
    return most;
  }

  void solve_from_beside(double t, const std::vector<double>& y,
                         const std::vector<double>& algebraics, const std::vector<double>& slopes) {
    for (std::size_t i = 0; i < algebraics.size(); ++i) {
      const std::size_t place = model_.algebraic(i);
      const double nominal = model_.variables()[place].nominal.value_or(1.0);
      model_.set_number(place, algebraics[i] + kBeside * (std::fabs(algebraics[i]) + nominal));
    }
    if (!model_.solve(t, y)) {
      found_ = {.form = {},
                .dependencies = {},
                .why_not = "its residuals are not solved from beside their solution at t = " +
                           symbolic(t)};
      return;
    }
    for (std::size_t i = 0; i < algebraics.size(); ++i) {
      const std::size_t place = model_.algebraic(i);
      compare(t, place, model_.number(place), algebraics[i], 1.0);
    }
    std::vector<double> found(slopes.size());
    if (model_.derivatives(t, y, found) == Eval::discard) {
      throw std::runtime_error("its slopes cannot be evaluated in DAE mode at t = " + symbolic(t));
    }
    for (const modeling::Variable& v : model_.variables()) {
      if (v.role != modeling::Variable::Role::derivative) continue;
      const auto position = static_cast<std::size_t>(&v - model_.variables().data());
      compare(t, position, found[v.index], slopes[v.index], largest(slopes));
    }
  }

  void compare(double t, std::size_t position, double as_dae, double as_ode, double scale) {
    const modeling::Variable& v = model_.variables()[position];
    const double size = std::max(v.nominal.value_or(1.0) * scale, std::fabs(as_ode));
    seen_.largest = std::max(seen_.largest, std::fabs(as_dae - as_ode) / size);
    if (std::fabs(as_dae - as_ode) <= kSame * size) return;
    throw std::runtime_error("DAE mode and ODE mode of its FMU differ at t = " + symbolic(t) +
                             ": \"" + v.name + "\" is " + symbolic(as_dae) + " and " +
                             symbolic(as_ode) + ". This is a fault of the exporter: report it");
  }

  DaeModel& model_;
  FoundDaeForm& found_;
  DaeSelfTest seen_;
};

// The equations that the default experiment comes to, as far as that does not take long: each of
// these configurations has to have the form.
void visit_configurations(FoundDaeForm& found) {
  constexpr int kMostSteps = 10000;
  const auto model = exported_ode(Interface::co_simulation).model;
  const auto& reduced = dynamic_cast<const modeling::ReducedDescribedModel&>(*model).reduced();
  const Shape shape = exported_ode(Interface::model_exchange).model->shape();
  int steps = 0;
  const auto completed = [&](double t, ConstVec) {
    if (!determines_slopes(reduced.analysis(), shape)) {
      found = {.form = {},
               .dependencies = {},
               .why_not =
                   "its equations are not of index 1 in all configurations that its default "
                   "experiment comes to, as at t = " +
                   symbolic(t)};
    }
    return StepVerdict{.pause = ++steps > kMostSteps || !found.why_not.empty()};
  };
  const Log silent({}, false);
  const modeling::ModelInfo& info = model->info();
  Driver driver(
      *model, info.tolerance, completed,
      [&] { return steps > kMostSteps || !found.why_not.empty(); }, silent);
  try {
    driver.controller.run({.start = info.start, .stop = info.stop, .tolerance = info.tolerance});
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): whoever runs it that far hears of it
  }
}

}  // namespace

DaeSelfTest check_dae_form(FoundDaeForm& found) {
  if (found.form.switched) visit_configurations(found);
  if (found.form.empty()) return {};
  const int last = found.form.switched ? 500 : 20;
  DaeModel model(exported_ode(Interface::model_exchange).model, Interface::model_exchange,
                 found.form);
  Comparison comparison(model, found);
  int steps = 0;
  const Log silent({}, false);
  const modeling::ModelInfo& info = model.info();
  const auto completed = [&](double t, ConstVec y) {
    if (steps % 10 == 0) comparison.at(t, y);
    return StepVerdict{.pause = ++steps > last};
  };
  Driver driver(
      model, info.tolerance, completed, [&] { return steps > last; }, silent);
  driver.controller.run({.start = info.start, .stop = info.start, .tolerance = info.tolerance});
  comparison.at(info.start, driver.system.unknowns());
  if (!found.why_not.empty()) return comparison.seen();
  try {
    driver.controller.run({.start = info.start, .stop = info.stop, .tolerance = info.tolerance});
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): whoever runs it that far hears of it
  }
  return comparison.seen();
}

}  // namespace saltus::fmu_export
