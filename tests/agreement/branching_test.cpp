// SPDX-License-Identifier: BSD-2-Clause
// Conditions that stand behind others, on every road.
#include <catch2/catch.hpp>
#include <cmath>

#include "../support/branching_models.hpp"
#include "roads.hpp"
#include "saltus/importer/fmu_simulation.hpp"

namespace saltus::test {
namespace {

Case sledge() {
  return {.fmu = "pulled_sledge",
          .native = make<PulledSledge>,
          .variables = {"x", "v", "turns", "returns"},
          .folder = SALTUS_TEST_FMU_DIR};
}

// Between its events the sledge accelerates evenly, but for the middle section of the track, where
// x'' = -2 |x - 1.25|: v^2 falls by as much as 2 (x - 1.25)^2 grows.
struct Truth {
  Truth() {
    // From 1 to 1.25 the pull grows with x, then it falls: u'' = 2 u, u'' = -2 u with u = x - 1.25.
    const double w = std::sqrt(2.0);
    const double middle = std::sqrt(1.0 - 2.0 * 0.0625);  // v at 1.25
    const double first = std::asinh(0.25 * w / middle) / w;
    const double last = std::asin(0.25 * w / middle) / w;
    const double fast = std::sqrt(middle * middle - 2.0 * 0.0625);  // v at 1.5
    const double stop = 1.0 + first + last + fast / 1.5;
    const double turned = 1.5 + fast * fast / 3.0;
    const double slow = 3.0 + std::sqrt(2.0 * (turned - 0.5));
    const double speed = -std::sqrt(2.0 * (turned - 0.5));
    const double at_seven = speed + 0.5 * (7.0 - slow);
    const double x_seven = 0.5 + speed * (7.0 - slow) + 0.25 * (7.0 - slow) * (7.0 - slow);
    const double rest = 7.0 - at_seven / 1.5;
    events = {1.0, 1.0 + first, 1.0 + first + last, stop, 3.0, slow, 7.0, rest};
    x = x_seven - at_seven * at_seven / 3.0;
  }
  std::vector<double> events;
  double x;
};

void check(const Result& result) {
  const Truth truth;
  REQUIRE(result.events.size() == truth.events.size());
  for (std::size_t i = 0; i < truth.events.size(); ++i) {
    CHECK(result.events[i] == Approx(truth.events[i]).margin(1e-7).epsilon(0));
  }
  CHECK(result.rows.back()[0] == Approx(truth.x).margin(1e-7).epsilon(0));
  CHECK(result.rows.back()[1] == Approx(0.0).margin(1e-7).epsilon(0));
  CHECK(result.rows.back()[2] == 1.0);
  CHECK(result.rows.back()[3] == 1.0);
}

}  // namespace

TEST_CASE("a model of conditions behind conditions has its events on every road", "[agreement]") {
  SECTION("natively") { check(run_natively(sledge())); }
  SECTION("Model Exchange") { check(run_model_exchange(sledge())); }
  SECTION("Model Exchange in an importer that knows no sliding") {
    check(run_model_exchange(sledge(), false));
  }
  SECTION("Co-Simulation") { check(run_co_simulation(sledge(), true, true)); }
}

TEST_CASE("an FMU that slides by itself runs without warnings", "[agreement]") {
  const auto me = importer::FmuSimulationOptions::Interface::model_exchange;
  const SimulationResult result =
      importer::simulate(SALTUS_TEST_FMU_DIR "/pulled_sledge.fmu", {}, {.interface = me});
  for (const Warning& warning : result.warnings()) {
    FAIL_CHECK(to_string(warning));
  }
  CHECK(result["returns"].back() == 1.0);
}

}  // namespace saltus::test
