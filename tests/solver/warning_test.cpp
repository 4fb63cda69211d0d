// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/warning.hpp"

#include <catch2/catch.hpp>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"

namespace saltus::test {
namespace {

/// Doubts its start, and every one of its steps.
class DoubtfulModel : public OdeModel {
 public:
  Shape shape() const override { return {.states = 1}; }
  void initialize(const Experiment& experiment, Vec y) override {
    experiment_ = experiment;
    y[0] = 1.0;
    warn(experiment_, {.time = experiment.start, .subject = "y[0]", .message = "it was moved"});
  }
  Eval derivatives(double t, ConstVec y, Vec yp) override {
    yp[0] = t > fails_after ? throw ModelError("derivatives", t, "gave up") : -y[0];
    return Eval::ok;
  }
  StepVerdict completed_step(double t, ConstVec) override {
    warn(experiment_, {.time = t, .subject = "", .message = "a step"});
    return {};
  }
  double fails_after = kNever;

 private:
  Experiment experiment_;
};

class Listener : public Observer {
 public:
  void sample(double, Moment) override {}
  void warning(const Warning& warning) override { heard.push_back(to_string(warning)); }
  std::vector<std::string> heard;
};

struct Run {
  DoubtfulModel model;
  DormandPrince integrator{model, {}};
  IntegratedModel system{model, integrator};
};

}  // namespace

TEST_CASE("warnings of a model reach the result, the observers and the caller", "[Warnings]") {
  Run run;
  ModeController controller(run.system);
  Listener listener;
  controller.add(listener);
  const auto callers = std::make_shared<Warnings>();
  const RunResult result = controller.run({.stop = 1.0, .warnings = callers});
  REQUIRE(result.warnings.size() == 2);
  CHECK(to_string(result.warnings[0]) == "at t = 0: y[0]: it was moved");
  CHECK(result.warnings[1].count == run.integrator.stats().steps);
  REQUIRE(listener.heard.size() == 2);
  CHECK(listener.heard[0] == "at t = 0: y[0]: it was moved");
  CHECK(callers->all().size() == 2);
}

TEST_CASE("a run that fails keeps its warnings, and the next one begins without them",
          "[Warnings]") {
  Run run;
  run.model.fails_after = 0.5;
  ModeController controller(run.system);
  CHECK_THROWS_AS(controller.run({.stop = 1.0}), ModelError);
  CHECK(controller.warnings().size() == 2);
  run.model.fails_after = kNever;
  CHECK(controller.run({.stop = 1e-9}).warnings[1].count == 1);
}

TEST_CASE("a model may warn after the controller is gone", "[Warnings]") {
  Run run;
  {
    ModeController controller(run.system);
    (void)controller.run({.stop = 1.0});
  }
  const double y[] = {1.0};
  CHECK_NOTHROW(run.model.completed_step(1.0, y));
}

TEST_CASE("a thousand different warnings are kept, and the last one counts the rest",
          "[Warnings]") {
  Warnings warnings;
  for (int i = 0; i < 1500; ++i) {
    warnings.add({.time = 0.0, .subject = std::to_string(i), .message = "?"});
  }
  CHECK(warnings.all().size() == 1001);
  CHECK(warnings.all().back().count == 500);
}

TEST_CASE("a warning from before the run names no time", "[Warnings]") {
  CHECK(to_string(
            Warning{.time = kBeforeTheRun, .subject = "", .message = "no effect", .count = 3}) ==
        "no effect (3 times)");
}

}  // namespace saltus::test
