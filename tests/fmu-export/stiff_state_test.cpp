// SPDX-License-Identifier: BSD-2-Clause
// A co-simulation of an explicit model that turns out to be stiff: it goes on with an implicit
// method, which belongs to its saved states.
#include <catch2/catch.hpp>
#include <cmath>

#include "rig.hpp"
#include "saved.hpp"

using rig::Fmu;
using rig::Saved;

TEST_CASE("an explicit model that is stiff takes long steps", "[fmu_state]") {
  std::size_t steps = 0;
  Fmu fmu = Fmu::co_simulation({.callback = [&](rig::Intermediate&) { ++steps; }});
  fmu.initialize();
  for (int k = 0; k < 10; ++k) {
    REQUIRE(fmu.step(k, 1.0).time == k + 1.0);
  }
  CHECK(std::fabs(fmu.number("x") - std::cos(10.0)) < 2e-6);  // it lags behind by a microsecond
  CHECK(std::fabs(fmu.number("area") - std::sin(10.0)) < 1e-5);
  CHECK(fmu.whole("turns") == 2);
  CHECK(steps < 1000);  // three million, with an explicit method
}

TEST_CASE("a stiff run is saved and goes on anywhere with the same bits", "[fmu_state]") {
  for (const rig::CoSimulation& way :
       {rig::CoSimulation{}, rig::CoSimulation{.event_mode = true, .early_return = true}}) {
    const Fmu fmu = Fmu::co_simulation(way);
    fmu.initialize();
    if (way.event_mode) {
      fmu.settle_and_leave();
    }
    // The first states lie where an explicit method is still at work.
    double t = 0.0;
    for (const double size : {1e-6, 1e-6, 1e-5, 1e-4, 1e-3, 0.125, 0.5, 1.0, 1.0}) {
      INFO("saved at " << t);
      const Saved saved(fmu);
      const std::vector<double> once = fmu.run(t, t + size, size / 4);
      saved.into(fmu);
      REQUIRE(rig::difference(fmu.run(t, t + size, size / 4), once) == "");
      const Fmu other = Fmu::co_simulation(way);
      saved.as_bytes_into(other);
      REQUIRE(rig::difference(other.run(t, t + size, size / 4), once) == "");
      t += size;
    }
    CHECK(fmu.whole("turns") == 1);
  }
}
