// SPDX-License-Identifier: BSD-2-Clause
// Conditions that hold for a moment only, on every method, of models that show their parts and of
// black boxes that do not.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <vector>

#include "problems.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/control/sliding_described_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/integrators/taylor.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;

// x = 2 (1 - exp(-t)) passes a window, and a border that has nothing to do with it.
template <class Real>
struct Window {
  State<Real> x{"x"};
  Parameter<Real> begin{"begin", {.start = 0.5}};
  Parameter<Real> width{"width", {.start = 1e-6}};
  Parameter<Real> border{"border", {.start = 1.7}};
  Discrete<int> count{"count"};
  void equations(Equations<Real>&) { der(x) = 2.0 - x + (x > border ? 1e-3 : 0.0); }
  void events(Events<Real>& ev) {
    if (ev.when(x > begin && x < begin + width)) {
      count = count + 1;
    }
  }
};

// x = exp(t) passes a window early in steps that reach far beyond.
template <class Real>
struct EarlyWindow {
  State<Real> x{"x", {.start = 1.0}};
  Parameter<Real> begin{"begin", {.start = 2.0}};
  Parameter<Real> width{"width", {.start = 1e-6}};
  Discrete<int> count{"count"};
  void equations(Equations<Real>&) { der(x) = x; }
  void events(Events<Real>& ev) {
    if (ev.when(x > begin && x < begin + width)) {
      count = count + 1;
    }
  }
};

void set(DescribedModel& model, const std::string& name, double value) {
  for (std::size_t i = 0; i < model.variables().size(); ++i) {
    if (model.variables()[i].name == name) {
      model.set_number(i, value);
    }
  }
}

std::unique_ptr<Integrator> integrator(int which, Model& model, const IntegratorOptions& options) {
  if (which == 0) return std::make_unique<DormandPrince>(model, options);
  if (which == 1) return std::make_unique<Radau>(model, options);
  return std::make_unique<Taylor>(model, options);
}

std::size_t events_of(Model& model, int method, double tolerance) {
  const auto steps = integrator(method, model, {.relative_tolerance = tolerance});
  IntegratedModel system(model, *steps);
  ModeController controller(system);
  return controller.run({.stop = 3.0, .tolerance = tolerance}).events;
}

}  // namespace

TEST_CASE("a window is met however narrow, on every method", "[parts]") {
  const int method = GENERATE(0, 1, 2);
  const double width = GENERATE(1e-2, 1e-5, 1e-8, 1e-10);
  for (int k = 0; k < 40; ++k) {
    const double tolerance = std::pow(10.0, -3.0 - 0.15 * k), begin = 0.03 + 0.045 * k;
    INFO("method " << method << ", width " << width << ", tolerance " << tolerance << ", begin "
                   << begin);
    NativeModel<Window> model{"Window"};
    set(model, "width", width);
    set(model, "begin", begin);
    CHECK(events_of(model, method, tolerance) == 3);
    CHECK(model.whole(model.variables().size() - 1) == 1);
  }
}

TEST_CASE("a narrow window is met early in a long step", "[parts]") {
  const int method = GENERATE(0, 1, 2);
  const double width = GENERATE(1e-5, 1e-8, 1e-10);
  for (int k = 0; k < 200; ++k) {
    const double tolerance = std::pow(10.0, -3.0 - 0.03 * k), begin = std::exp(0.0149 * (k + 1));
    INFO("method " << method << ", width " << width << ", tolerance " << tolerance << ", begin "
                   << begin);
    NativeModel<EarlyWindow> model{"EarlyWindow"};
    set(model, "width", width);
    set(model, "begin", begin);
    CHECK(events_of(model, method, tolerance) == 2);
    CHECK(model.whole(model.variables().size() - 1) == 1);
  }
}

TEST_CASE("a model that slides still shows the parts of conditions", "[parts]") {
  const double width = GENERATE(1e-5, 1e-8);
  for (int k = 0; k < 40; ++k) {
    const double tolerance = std::pow(10.0, -3.0 - 0.15 * k), begin = 0.03 + 0.045 * k;
    INFO("width " << width << ", tolerance " << tolerance << ", begin " << begin);
    SlidingDescribedModel model(std::make_unique<NativeModel<Window>>("Window"), {});
    set(model, "width", width);
    set(model, "begin", begin);
    CHECK(events_of(model, 0, tolerance) == 3);
    CHECK(model.whole(model.variables().size() - 1) == 1);
  }
}

TEST_CASE("a black box shows a window in the slopes of its indicator", "[CrossingLocator]") {
  const int method = GENERATE(0, 1);
  const double width = GENERATE(1e-2, 1e-4, 1e-6);
  for (int k = 0; k < 40; ++k) {
    const double tolerance = std::pow(10.0, -3.0 - 0.15 * k), begin = 0.03 + 0.045 * k;
    INFO("method " << method << ", width " << width << ", tolerance " << tolerance << ", begin "
                   << begin);
    FunctionModel model({0.0});
    model.f = [](double, ConstVec y, Vec yp) { yp[0] = 2.0 - y[0]; };
    model.z = {[=](double, ConstVec y) { return std::min(y[0] - begin, begin + width - y[0]); },
               [](double, ConstVec y) { return y[0] - 1.7; }};
    CHECK(events_of(model, method, tolerance) == 3);
  }
}

}  // namespace saltus::test
