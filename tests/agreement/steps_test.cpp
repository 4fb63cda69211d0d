// SPDX-License-Identifier: BSD-2-Clause
// Functions that jump, and bodies that ask what was before them, on every road.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "../support/step_models.hpp"
#include "roads.hpp"

namespace saltus::test {
namespace {

Case steps() {
  return {.fmu = "steps",
          .native = make<Steps>,
          .variables = {"rest", "above", "near", "branch", "saw", "phase"},
          .folder = SALTUS_TEST_FMU_DIR};
}
Case exchange() {
  return {.fmu = "exchange",
          .native = make<Exchange>,
          .variables = {"a", "b", "m", "n", "on", "off", "lamp", "last", "x", "y", "q[0]", "q[1]",
                        "q[2]", "buckets.left", "buckets.right"},
          .folder = SALTUS_TEST_FMU_DIR};
}

void check_steps(const Result& result) {
  const StepsTruth truth;
  const std::vector<double>& end = result.rows.back();
  CHECK(end[0] == Approx(truth.rest).margin(1e-7));
  CHECK(end[1] == Approx(truth.above).epsilon(1e-7));
  CHECK(end[2] == Approx(truth.near).epsilon(1e-7));
  CHECK(end[3] == Approx(truth.branch).epsilon(1e-7));
  CHECK(end[4] == Approx(truth.saw).epsilon(1e-7));
  CHECK(end[5] == Approx(truth.phase).epsilon(1e-7));
  for (const double t : truth.events) {
    const auto near = [&](double event) { return std::fabs(event - t) < 1e-6; };
    INFO("event at " << t);
    CHECK(std::any_of(result.events.begin(), result.events.end(), near));
  }
}
void check_exchange(const Result& result) {
  CHECK(result.rows.back() == std::vector<double>{3, 4, 5, 6, 1, 0, 0, 2, 2, -2, 3, 1, 2, 1, 2});
  REQUIRE(result.events.size() == 2);
  CHECK(result.events[0] == 1.0);
  CHECK(result.events[1] == 2.0);
}

}  // namespace

TEST_CASE("functions that jump have their events on every road", "[agreement]") {
  SECTION("natively") { check_steps(run_natively(steps())); }
  SECTION("Model Exchange") { check_steps(run_model_exchange(steps())); }
  SECTION("Model Exchange in an importer that knows no sliding") {
    check_steps(run_model_exchange(steps(), false));
  }
  SECTION("Co-Simulation with event mode") { check_steps(run_co_simulation(steps(), true, true)); }
}

TEST_CASE("bodies exchange what was before them on every road", "[agreement]") {
  SECTION("natively") { check_exchange(run_natively(exchange())); }
  SECTION("Model Exchange") { check_exchange(run_model_exchange(exchange())); }
  SECTION("Co-Simulation with event mode") {
    check_exchange(run_co_simulation(exchange(), true, true));
  }
}

}  // namespace saltus::test
