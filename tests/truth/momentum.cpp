// SPDX-License-Identifier: BSD-2-Clause
// Conservation of momentum: three inertias and two clutches that close and open at random times, so
// that configurations are visited again; the speeds follow from the momenta. Alone and within every
// order of decorators that are told to do nothing: right, or refused by name.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/modeling/native_model.hpp"
#include "saltus/switching/hysteresis_model.hpp"
#include "saltus/switching/resting_model.hpp"
#include "saltus/switching/sliding_model.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using namespace saltus::modeling;

template <class Real>
struct Shafts {
  State<Real> w0{"w0"}, w1{"w1"}, w2{"w2"};
  Algebraic<Real> left{"left"}, right{"right"};
  Parameter<Real> j0{"j0", {.start = 1.0}}, j1{"j1", {.start = 1.0}}, j2{"j2", {.start = 1.0}};
  Parameter<Real> drive{"drive", {.start = 0.0}};
  Parameter<Real> t0{"t0", {.start = 0.0}}, t1{"t1", {.start = 0.0}}, t2{"t2", {.start = 0.0}},
      t3{"t3", {.start = 0.0}}, t4{"t4", {.start = 0.0}}, t5{"t5", {.start = 0.0}};
  Discrete<bool> first{"first"}, second{"second"};
  void equations(Equations<Real>& eq) {
    eq(j0 * der(w0), drive - left);
    eq(j1 * der(w1), left - right);
    eq(j2 * der(w2), right);
    if (first) {
      eq(w0, w1);
    } else {
      eq(left, 0.0);
    }
    if (second) {
      eq(w1, w2);
    } else {
      eq(right, 0.0);
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(ev.time >= t0)) first = true;
    if (ev.when(ev.time >= t1)) second = true;
    if (ev.when(ev.time >= t2)) first = false;
    if (ev.when(ev.time >= t3)) first = true;
    if (ev.when(ev.time >= t4)) second = false;
    if (ev.when(ev.time >= t5)) second = true;
  }
};

Verdict run(std::uint64_t seed) {
  Random random(seed);
  NativeModel<Shafts> model{"Shafts"};
  const auto set = [&](const std::string& name, double value) {
    std::size_t k = 0;
    while (model.variables()[k].name != name) ++k;
    model.set_number(k, value);
    return value;
  };
  std::array<double, 3> w{}, j{};
  for (std::size_t i = 0; i < 3; ++i) {
    w[i] = set("w" + std::to_string(i), random.uniform(-10.0, 10.0));
    j[i] = set("j" + std::to_string(i), random.log_uniform(0.1, 10.0));
  }
  const double drive = set("drive", random.uniform(-5.0, 5.0));
  std::vector<double> times(6);
  for (double& time : times) time = random.uniform(0.1, 1.9);
  std::sort(times.begin(), times.end());
  for (std::size_t i = 0; i < 6; ++i) set("t" + std::to_string(i), times[i]);

  // The truth: shafts that are coupled share their momentum and the drive.
  bool coupled[2] = {false, false};
  double now = 0.0;
  const auto until = [&](double then) {
    std::size_t last = 0;
    while (last < 2 && coupled[last]) ++last;
    double inertia = 0.0;
    for (std::size_t i = 0; i <= last; ++i) inertia += j[i];
    for (std::size_t i = 0; i <= last; ++i) w[i] += drive / inertia * (then - now);
    now = then;
  };
  const auto join = [&] {
    for (std::size_t i = 0; i < 3;) {
      std::size_t last = i;
      while (last < 2 && coupled[last]) ++last;
      double inertia = 0.0, momentum = 0.0;
      for (std::size_t k = i; k <= last; ++k) inertia += j[k], momentum += j[k] * w[k];
      for (std::size_t k = i; k <= last; ++k) w[k] = momentum / inertia;
      i = last + 1;
    }
  };
  const std::array<std::pair<int, bool>, 6> switches{
      {{0, true}, {1, true}, {0, false}, {0, true}, {1, false}, {1, true}}};
  for (std::size_t i = 0; i < 6; ++i) {
    until(times[i]);
    coupled[switches[i].first] = switches[i].second;
    join();
  }
  until(2.0);

  // The roads: one of the two forms, and up to two decorators outside or, one, inside.
  const bool explicit_form = random.chance(0.7);
  std::vector<std::unique_ptr<Model>> stack;
  Model* top = &model;
  std::string road;
  const auto decorate = [&](int which) {
    if (which == 1) stack.push_back(std::make_unique<HysteresisModel>(*top, HysteresisOptions{}));
    if (which == 2) stack.push_back(std::make_unique<SlidingModel>(*top));
    if (which == 3) stack.push_back(std::make_unique<RestingModel>(*top));
    if (which > 0) {
      top = stack.back().get();
      road += std::string(which == 1 ? "H" : which == 2 ? "S" : "R");
    }
  };
  const double tolerance = random.log_uniform(1e-10, 1e-4);
  try {
    decorate(random.chance(0.2) ? 1 : 0);
    stack.push_back(std::make_unique<ReducedModel>(
        *top, ReductionOptions{.form = explicit_form ? ReductionOptions::Form::explicit_form
                                                     : ReductionOptions::Form::implicit_form}));
    top = stack.back().get();
    road += explicit_form ? "(explicit)" : "(implicit)";
    // The last two are for explicit models.
    const int last = explicit_form || random.chance(0.02) ? 3 : 1;
    decorate(random.integer(0, last));
    decorate(random.integer(0, last));
  } catch (const std::invalid_argument& error) {
    return refused(error.what());
  }
  const IntegratorOptions options{.relative_tolerance = tolerance};
  std::unique_ptr<Integrator> integrator;
  if (explicit_form) {
    integrator = std::make_unique<DormandPrince>(*top, options);
  } else {
    integrator = std::make_unique<Radau>(*top, options);
  }
  IntegratedModel system{*top, *integrator};
  ModeController{system}.run({.stop = 2.0, .tolerance = tolerance});
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(std::fabs(system.unknowns()[i] - w[i]) <= 1e-8 + 100.0 * tolerance)) {
      return wrong(road + ": w" + std::to_string(i) + " = " + std::to_string(system.unknowns()[i]) +
                   " instead of " + std::to_string(w[i]));
    }
  }
  return right();
}

const Family kFamily{"momentum", "clutches between inertias, within every order of decorators",
                     run};

}  // namespace
}  // namespace saltus::truth
