// SPDX-License-Identifier: BSD-2-Clause
// Implicit models whose conditions look at algebraic unknowns, as FMUs: no event is lost and none
// counted twice, at any tolerance, whatever is recorded.
#include "algebraic_conditions.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "roads.hpp"

namespace saltus::test {
namespace {

constexpr int kTolerances = 100;  // from 1e-3 to 1e-11

std::vector<Result> run_all(const Case& c, double tolerance) {
  return {run_model_exchange(c, true, tolerance), run_model_exchange(c, false, tolerance),
          run_co_simulation(c, true, true, tolerance),
          run_co_simulation(c, false, false, tolerance)};
}

template <template <class> class M>
Case case_of(const std::string& fmu, std::vector<std::string> variables) {
  return {.fmu = fmu,
          .native = make<M>,
          .variables = std::move(variables),
          .folder = SALTUS_TEST_FMU_DIR};
}

double tolerance_of(int k) { return std::pow(10.0, -3.0 - 8.0 * k / (kTolerances - 1)); }

}  // namespace

TEST_CASE("a logarithm passes its level once on every road, at every tolerance", "[agreement]") {
  for (int k = 0; k < kTolerances; ++k) {
    CAPTURE(tolerance_of(k));
    const bool records_more = k % 2 == 0;
    const Case c = case_of<LogarithmCount>(
        "logarithm_count",
        records_more ? std::vector<std::string>{"n", "z", "x"} : std::vector<std::string>{"n"});
    for (const Result& result : run_all(c, tolerance_of(k))) {
      CHECK(result.rows.back()[0] == 1.0);
      CHECK(result.events.size() <= 1);
    }
  }
}

TEST_CASE("three modes that an algebraic unknown switches, at every tolerance", "[agreement]") {
  for (int k = 0; k < kTolerances; ++k) {
    CAPTURE(tolerance_of(k));
    const bool records_more = k % 2 == 0;
    const Case c = case_of<ThreeModes>(
        "three_modes", records_more ? std::vector<std::string>{"n", "mode", "x", "z"}
                                    : std::vector<std::string>{"n", "mode", "x"});
    // Up to 2 at the rate 1, down to 0.327 at 0.5, to -0.625 at 2, and again.
    const double up = 2.0, middle = 0.3 + 0.027, low = -0.5 - 0.125;
    const double cycle = (up - low) + 2.0 * (up - middle) + 0.5 * (middle - low);
    const double rest =
        20.0 - (up / 1.0 + 2.0 * (up - middle) + 0.5 * (middle - low)) - 2.0 * cycle;
    for (const Result& result : run_all(c, tolerance_of(k))) {
      CHECK(result.rows.back()[0] == 9.0);
      CHECK(result.rows.back()[1] == 0.0);
      CHECK(result.rows.back()[2] == Approx(low + rest).margin(20.0 * tolerance_of(k) + 1e-9));
    }
  }
}

TEST_CASE("a diode bridge switches twenty times on every road", "[agreement]") {
  for (const int k : {0, 7, 21, 33, 42, 58, 66, 75, 84, 91, 99}) {
    CAPTURE(tolerance_of(k));
    const Case c = case_of<DiodeBridge>("diode_bridge", {"v"});
    for (const Result& result : run_all(c, tolerance_of(k))) {
      CHECK(result.rows.back()[0] == Approx(0.73735).epsilon(0.02));
      if (!result.events.empty()) CHECK(result.events.size() == 20);
    }
  }
}

}  // namespace saltus::test
