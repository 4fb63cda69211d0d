// SPDX-License-Identifier: BSD-2-Clause
// Tables of a state and of time, on every road.
#include <catch2/catch.hpp>

#include "../support/table_models.hpp"
#include "roads.hpp"

namespace saltus::test {
namespace {

Case pump() {
  return {.fmu = "pump",
          .native = make<Pump>,
          .variables = {"level", "taken"},
          .folder = SALTUS_TEST_FMU_DIR};
}

void check(const Result& result) {
  const PumpTruth truth;
  REQUIRE(result.events.size() == truth.events.size());
  for (std::size_t i = 0; i < truth.events.size(); ++i) {
    CHECK(result.events[i] == Approx(truth.events[i]).margin(1e-9).epsilon(0));
  }
  CHECK(result.rows.back()[0] == Approx(truth.level).margin(1e-8).epsilon(0));
  CHECK(result.rows.back()[1] == 0.2);
}

}  // namespace

TEST_CASE("the points of tables are events on every road", "[agreement]") {
  SECTION("natively") { check(run_natively(pump())); }
  SECTION("Model Exchange") { check(run_model_exchange(pump())); }
  SECTION("Co-Simulation with event mode") { check(run_co_simulation(pump(), true, true)); }
}

}  // namespace saltus::test
