// SPDX-License-Identifier: BSD-2-Clause
// What every HybridSystem promises, on one model in all the shapes it can take.
#include <catch2/catch.hpp>
#include <functional>
#include <memory>

#include "bouncing_ball/bouncing_ball.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/dormand_prince.hpp"

namespace saltus::test {
namespace {

constexpr double kFirstBounce = 0.4515236409857309;

// A system together with what it stands on.
struct Driven {
  std::unique_ptr<Model> model;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<HybridSystem> owned;
  HybridSystem* operator->() const { return owned.get(); }
};

Driven integrate(std::unique_ptr<Model> model) {
  Driven driven{std::move(model), nullptr, nullptr};
  driven.integrator = std::make_unique<DormandPrince>(*driven.model);
  driven.owned = std::make_unique<IntegratedModel>(*driven.model, *driven.integrator);
  return driven;
}

struct Shape {
  const char* name;
  std::function<Driven()> make;
};

std::vector<Shape> every_shape() {
  static const std::string fmu = SALTUS_FMU_DIR "/bouncing_ball.fmu";
  return {
      {"native model",
       [] {
         return integrate(
             std::make_unique<modeling::NativeModel<reference::BouncingBall>>("BouncingBall"));
       }},
      {"Model Exchange FMU",
       [] { return integrate(importer::Fmu::open(fmu).instantiate_model_exchange("ball")); }},
      {"Co-Simulation FMU with event mode",
       [] {
         return Driven{nullptr, nullptr,
                       importer::Fmu::open(fmu).instantiate_co_simulation("ball")};
       }},
  };
}

void start(const Driven& system) {
  system->initialize({.stop = 10.0});
  for (int passes = 0; system->update_discrete_states().iterate; ++passes) {
    REQUIRE(passes < 10);
  }
  system->leave_event_mode();
}

}  // namespace

TEST_CASE("a system keeps the promises of advance", "[contract]") {
  for (const Shape& shape : every_shape()) {
    DYNAMIC_SECTION(shape.name) {
      const Driven system = shape.make();
      start(system);

      // Nothing moves where there is nowhere to go.
      CHECK(system->advance({.barrier = 0.0}).why == Stop::barrier);

      Arrival arrival = system->advance({.report = 0.1, .barrier = 0.3});
      CHECK(arrival.why == Stop::report);
      CHECK(arrival.time == 0.1);

      // At one time a barrier wins over a report, and it is reached bitwise.
      arrival = system->advance({.report = 0.3, .barrier = 0.3});
      CHECK(arrival.why == Stop::barrier);
      CHECK(arrival.time == 0.3);

      arrival = system->advance({.report = 0.4, .barrier = 2.0});
      CHECK(arrival.why == Stop::report);

      // An event comes before everything that lies behind it.
      arrival = system->advance({.report = 1.0, .barrier = 2.0});
      CHECK(arrival.why == Stop::event);
      CHECK(arrival.time == Approx(kFirstBounce).margin(1e-9).epsilon(0));

      system->enter_event_mode();
      const EventUpdate update = system->update_discrete_states();
      CHECK(update.iterate);
      CHECK_FALSE(system->update_discrete_states().iterate);
      system->leave_event_mode();

      // The same event is not found again.
      arrival = system->advance({.barrier = 1.0});
      CHECK(arrival.why == Stop::barrier);
      CHECK(arrival.time == 1.0);
      system->terminate();
    }
  }
}

TEST_CASE("a system can be initialised again and gives the same run", "[contract]") {
  for (const Shape& shape : every_shape()) {
    DYNAMIC_SECTION(shape.name) {
      const Driven system = shape.make();
      std::vector<RunResult> results;
      for (int i = 0; i < 2; ++i) {
        ModeController controller(*system.owned, {.report_interval = 0.1});
        results.push_back(controller.run({.stop = 3.0}));
      }
      CHECK(results[0].events == 11);
      CHECK(results[1].events == results[0].events);
      CHECK(results[1].reports == results[0].reports);
    }
  }
}

}  // namespace saltus::test
