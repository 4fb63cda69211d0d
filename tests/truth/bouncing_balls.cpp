// SPDX-License-Identifier: BSD-2-Clause
// Bouncing balls: heights, gravities and restitutions at random, through every integrator that an
// explicit model may have. The bounces and the height between them have closed forms.
#include <cmath>
#include <memory>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/events/trajectory.hpp"
#include "saltus/integrators/adams.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/integrators/taylor.hpp"
#include "saltus/modeling/native_model.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using namespace saltus::modeling;

template <class Real>
struct Ball {
  State<Real> h{"h", {.start = 1.0}};
  State<Real> v{"v", {.start = 0.0}};
  Parameter<Real> g{"g", {.start = 9.81}};
  Parameter<Real> e{"e", {.start = 0.7}};

  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -g;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h < 0.0)) {
      h = 0.0;
      v = -e * v;
    }
  }
};

std::size_t variable(const DescribedModel& model, const std::string& name) {
  std::size_t i = 0;
  while (model.variables()[i].name != name) {
    ++i;
  }
  return i;
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const double height = random.log_uniform(1e-3, 1e3);
  const double gravity = random.log_uniform(0.1, 100.0);
  const double restitution = random.uniform(0.3, 0.95);
  const double tolerance = random.log_uniform(1e-10, 1e-4);
  const int bounces = random.integer(1, 6);

  NativeModel<Ball> model{"Ball"};
  model.set_number(variable(model, "h"), height);
  model.set_number(variable(model, "g"), gravity);
  model.set_number(variable(model, "e"), restitution);

  std::vector<double> times{std::sqrt(2.0 * height / gravity)};
  for (int i = 1; i <= bounces; ++i) {
    times.push_back(times.back() + 2.0 * times.front() * std::pow(restitution, i));
  }
  const double stop = 0.5 * (times[static_cast<std::size_t>(bounces) - 1] + times.back());
  const double top = height * std::pow(restitution, 2 * bounces);

  const IntegratorOptions options{.relative_tolerance = tolerance};
  std::unique_ptr<Integrator> integrator;
  switch (random.integer(0, 3)) {
    case 0:
      integrator = std::make_unique<DormandPrince>(model, options);
      break;
    case 1:
      integrator = std::make_unique<Radau>(model, options);
      break;
    case 2:
      integrator = std::make_unique<Adams>(model, options);
      break;
    default:
      integrator = std::make_unique<Taylor>(model, options);
  }
  IntegratedModel system{model, *integrator};
  Trajectory trajectory{system};
  ModeController controller{system};
  controller.add(trajectory);
  (void)controller.run({.stop = stop, .tolerance = tolerance});

  if (trajectory.events().size() < static_cast<std::size_t>(bounces)) {
    return wrong(std::to_string(trajectory.events().size()) + " events for " +
                 std::to_string(bounces) + " bounces");
  }
  const double reached = trajectory.points().back().y[0];
  // Each bounce passes the error before it on, and adds its own.
  const double allowed = 10.0 * (bounces + 1) * tolerance * std::max(1.0, height);
  if (!(std::fabs(reached - top) <= allowed)) {
    return wrong("h = " + std::to_string(reached) + " for " + std::to_string(top));
  }
  return right();
}

const Family kFamily{"bouncing_balls", "impacts with closed forms, native integrators", run};

}  // namespace
}  // namespace saltus::truth
