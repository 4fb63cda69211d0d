// SPDX-License-Identifier: BSD-2-Clause
// Surfaces of a black box at which a memory changes, and at which nothing slides although the
// fields before and after push towards them.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/configurations.hpp"
#include "saltus/core/warning.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::black_box_memory_test {
namespace {

/// A room whose heater is switched off at 22 and on at 18, beside a relay with x' = -2 above x = 0
/// and x' = 1 below, on which the motion may slide. With wear each switching weakens the heater,
/// and it is switched on again as soon as the room is below 22.
class Room : public OdeModel, public Configurations {
 public:
  Room(double x, double wear) : x_(x), wear_(wear) {}
  Shape shape() const override { return {.states = 2, .indicators = 3}; }
  void initialize(const Experiment&, Vec y) override {
    y[0] = 20.0;
    y[1] = x_;
  }
  Eval derivatives(double, ConstVec, Vec yp) override {
    yp[0] = now().on ? 5.0 - wear_ * now().switched : -3.0;
    yp[1] = now().above ? -2.0 : 1.0;
    return Eval::ok;
  }
  Eval indicators(double, ConstVec y, Vec z) override {
    z[0] = y[0] - 22.0;
    z[1] = y[0] - 18.0;
    z[2] = y[1];
    return Eval::ok;
  }
  std::string indicator_name(std::size_t i) const override {
    return std::array<const char*, 3>{"too warm", "not too cold", "relay"}.at(i);
  }
  EventUpdate update_discrete_states(double, Vec y) override {
    const Memory before = now();
    const double cold = wear_ > 0.0 ? 22.0 : 18.0;
    now().above = y[1] > 0.0;
    now().on = y[0] > 22.0 ? false : y[0] <= cold ? true : now().on;
    now().switched += now().on != before.on ? 1 : 0;
    return {.iterate = before.on != now().on || before.above != now().above};
  }
  Capabilities capabilities() override { return {.is_explicit = true, .configurations = this}; }
  Slot selected() const override { return selected_; }
  Slot fork() override {
    slots_.push_back(now());
    return slots_.size() - 1;
  }
  void select(Slot slot) override { selected_ = slot; }
  void drop(Slot) override {}

 private:
  struct Memory {
    bool on = true, above = true;
    int switched = 0;
  };
  Memory& now() { return slots_[selected_]; }
  const Memory& now() const { return slots_[selected_]; }
  double x_, wear_;
  std::vector<Memory> slots_{1};
  Slot selected_ = 0;
};

struct RoomRun {
  explicit RoomRun(double x, double wear = 0.0, double stop = 10.0) {
    Room model{x, wear};
    SlidingModel sliding{model};
    DormandPrince solver{sliding, {.relative_tolerance = 1e-8, .absolute_tolerance = 1e-8}};
    IntegratedModel system{sliding, solver};
    ModeController controller{system};
    controller.run({.stop = stop, .tolerance = 1e-8});
    for (const Warning& warning : controller.warnings()) {
      warnings.push_back(warning.subject + ": " + warning.message);
    }
    end.assign(system.unknowns().begin(), system.unknowns().end());
  }
  std::vector<double> end;
  std::vector<std::string> warnings;
};

// Up to 22 at t = 0.4, down to 18 in 4/3, up in 4/5: the ninth switching is at 8.9333.
constexpr double kAtTen = 22.0 - 3.0 * (10.0 - 0.4 - 4.0 * (4.0 / 3.0 + 4.0 / 5.0));

}  // namespace

TEST_CASE("a memory that changes at a surface is no sliding, and nothing to warn of", "[sliding]") {
  const RoomRun run(1000.0);
  CHECK(run.end[0] == Approx(kAtTen).epsilon(1e-7));
  CHECK(run.warnings.empty());
}

TEST_CASE("a memory that changes while the motion slides elsewhere is no sliding", "[sliding]") {
  const RoomRun run(0.1);
  CHECK(run.end[0] == Approx(kAtTen).epsilon(1e-7));
  CHECK(run.end[1] == Approx(0.0).margin(1e-7));
  CHECK(run.warnings.empty());
}

TEST_CASE("a counter of switches that enters the equations is still warned of", "[sliding]") {
  const RoomRun run(1000.0, 0.01, 0.4 + 1e-12);
  REQUIRE(!run.warnings.empty());
  CHECK_THAT(run.warnings.front(),
             Catch::Contains("too warm: both sides may push") && Catch::Contains("lead back"));
}

}  // namespace saltus::black_box_memory_test
