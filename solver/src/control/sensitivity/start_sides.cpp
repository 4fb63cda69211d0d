// SPDX-License-Identifier: BSD-2-Clause
#include "start_sides.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/method.hpp"

namespace saltus::modeling {

using Role = Variable::Role;

namespace {

// What is this near to zero, in its scale, is on its surface.
constexpr double kOnSurface = 1e-11;
// How far beside the start others are looked at, in the size of a parameter. What is smooth, or a
// root, differs less for the smaller one.
constexpr std::array<double, 2> kStrides{1e-5, 1e-7};
constexpr double kShrinks = 0.3;
// What differs by less, in its size, is noise.
constexpr double kNoise = 1e-11;

}  // namespace

// Values and slopes of the states, and what is discrete.
StartSides::Point StartSides::start(const Experiment& experiment) {
  const std::unique_ptr<Integrator> integrator =
      make_integrator(model_.is_explicit() ? Method::dormand_prince : Method::radau, model_,
                      {.relative_tolerance = experiment.tolerance});
  IntegratedModel system(model_, *integrator);
  ModeController controller(system);
  controller.start(experiment);
  const double t = system.time();
  const ConstVec y = system.unknowns();
  Point point;
  point.indicators.resize(model_.shape().indicators);
  std::vector<double> nominals(y.size()), slopes(y.size(), 0.0);
  model_.nominals(nominals);
  const bool known = model_.evaluate(t, y) == Eval::ok &&
                     model_.indicators(t, y, point.indicators) == Eval::ok &&
                     (!model_.is_explicit() || model_.derivatives(t, y, slopes) == Eval::ok);
  if (!known) return {};
  double fastest = 0.0;
  for (std::size_t i = 0; i < model_.variables().size(); ++i) {
    const Variable& v = model_.variables()[i];
    if (v.role == Role::derivative && !model_.is_explicit()) slopes[v.index] = model_.number(i);
    if (v.role != Role::discrete || v.is_text()) continue;
    const double value = v.is_number()  ? model_.number(i)
                         : v.is_whole() ? static_cast<double>(model_.whole(i))
                                        : 0.0;
    point.compared.push_back(value);
    point.sizes.push_back(std::max(std::fabs(value), v.nominal.value_or(1.0)));
  }
  for (std::size_t i = 0; i < model_.shape().states; ++i) {
    fastest = std::max(fastest, std::fabs(slopes[i]) / nominals[i]);
  }
  for (std::size_t i = 0; i < model_.shape().states; ++i) {
    point.compared.insert(point.compared.end(), {y[i], slopes[i]});
    point.sizes.insert(point.sizes.end(),
                       {std::max(std::fabs(y[i]), nominals[i]), fastest * nominals[i]});
  }
  find_surfaces(t, y, point);
  return point;
}

// An indicator changes by its scale where everything that it may depend on does.
void StartSides::find_surfaces(double t, ConstVec y, const Point& point) {
  // Small enough for a straight line, and far above rounding: it only scales what is compared with
  // the tolerance.
  constexpr double kPart = 1e-3;
  std::vector<double> nominals(y.size()), there(point.indicators.size());
  std::vector<double> scale(there.size(), 0.0), moved(y.begin(), y.end());
  model_.nominals(nominals);
  const double length = experiment_.stop < kNever ? experiment_.stop - experiment_.start : 1.0;
  for (const double sign : {1.0, -1.0}) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double weight = 0.75 + 0.5 * std::fmod(0.618034 * static_cast<double>(i + 1), 1.0);
      const double size = std::isfinite(nominals[i]) ? nominals[i] : 1.0;
      moved[i] = y[i] + sign * kPart * weight * std::max(size, std::fabs(y[i]));
    }
    if (model_.indicators(t + sign * kPart * length, moved, there) == Eval::discard) continue;
    for (std::size_t i = 0; i < there.size(); ++i) {
      scale[i] = std::max(scale[i], std::fabs(there[i] - point.indicators[i]) / kPart);
    }
  }
  on_.clear();
  for (std::size_t i = 0; i < scale.size(); ++i) {
    if (std::fabs(point.indicators[i]) <= kOnSurface * scale[i]) on_.push_back(i);
  }
}

void StartSides::look(const Experiment& experiment, const std::vector<Parameter>& parameters) {
  experiment_ = experiment;
  on_.clear();
  loss_.reset();
  also_while_sliding_ = false;
  const Capabilities can = model_.capabilities();
  const bool is_fmu = can.directional != nullptr && can.derivatives == nullptr;
  if (model_.shape().indicators == 0 || is_fmu) return;
  std::vector<double> values;
  for (const Parameter& p : parameters) values.push_back(model_.number(p.variable));
  const auto collected = std::make_shared<Warnings>();
  Experiment silent = experiment;
  silent.warnings = collected;
  Point here;
  try {
    here = start(silent);
  } catch (...) {
    for (const Warning& warning : collected->all()) warn(experiment, warning);
    throw;
  }
  const std::vector<std::size_t> on = on_;
  for (std::size_t k = 0; k < parameters.size() && !on.empty(); ++k) {
    on_ = on;
    model_.set_number(parameters[k].variable, values[k]);
    compare(silent, parameters[k], here);
    model_.set_number(parameters[k].variable, values[k]);
  }
  on_ = on;
}

// Starts on both sides of this one, near to it and nearer.
void StartSides::compare(const Experiment& experiment, const Parameter& parameter,
                         const Point& here) {
  const std::vector<std::size_t> on = on_;
  const double value = model_.number(parameter.variable);
  std::array<std::array<Point, 2>, 2> beside;
  for (std::size_t stride = 0; stride < 2; ++stride) {
    for (std::size_t side = 0; side < 2; ++side) {
      const double step = (side == 0 ? -1.0 : 1.0) * kStrides[stride] * parameter.size;
      model_.set_number(parameter.variable, value + step);
      try {
        beside[stride][side] = start(experiment);
      } catch (const Error&) {
        beside[stride][side] = {};
      }
    }
  }
  const auto jump = [&](std::size_t i, std::size_t stride) {
    return std::fabs(beside[stride][1].compared[i] - beside[stride][0].compared[i]);
  };
  bool differs = false, known = true;
  for (const auto& both : beside) {
    for (const Point& point : both) known = known && point.compared.size() == here.compared.size();
  }
  for (std::size_t i = 0; i < here.compared.size() && known; ++i) {
    const double size = std::max(here.sizes[i], beside[1][0].sizes[i]);
    differs = differs || (jump(i, 1) > kNoise * size && jump(i, 1) > kShrinks * jump(i, 0));
  }
  std::optional<std::size_t> off;
  for (const std::size_t i : on) {
    const auto way = [&](std::size_t stride) {
      double farthest = 0.0;
      for (const Point& point : beside[stride]) {
        farthest = std::max(farthest, std::fabs(point.indicators[i] - here.indicators[i]));
      }
      return farthest;
    };
    if (known && !off && way(0) > 0.0 && way(1) <= kShrinks * way(0)) off = i;
  }
  if (known && !differs) return;
  if (loss_ && (also_while_sliding_ || !off)) return;
  also_while_sliding_ = off.has_value();
  loss_ = Loss{model_.indicator_name(off.value_or(on.front())),
               "is a surface on which the run starts, and what happens on its two sides differs: "
               "with another value of \"" +
                   parameter.name +
                   "\" the run would start on one side or on the other, and derivatives by it may "
                   "not exist"};
}

std::optional<StartSides::Loss> StartSides::loss(bool slides) const {
  return slides && !also_while_sliding_ ? std::nullopt : loss_;
}

double StartSides::least_shift() const {
  // Below what any event is located to, and above the rounding of time.
  constexpr double kPart = 1e-12;
  return kPart * (experiment_.stop < kNever ? experiment_.stop - experiment_.start : 1.0);
}

bool StartSides::is_at_stop(double t) const {
  constexpr double kRoundings = 16.0 * std::numeric_limits<double>::epsilon();
  return t >= experiment_.stop - kRoundings * std::fabs(t);
}
const char* StartSides::why_at_stop() {
  return "has its event where the run ends: with other parameters it would come before or not at "
         "all (choose another stop time)";
}

}  // namespace saltus::modeling
