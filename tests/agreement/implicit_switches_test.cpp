// SPDX-License-Identifier: BSD-2-Clause
// Implicit models whose equations switch, as FMUs: they slide where both sides of a surface push
// towards it, and a state that is zero to rounding makes no diode doubt.
#include "implicit_switches.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "roads.hpp"

namespace saltus::test {
namespace {

const double kPi = std::acos(-1.0);

template <template <class> class M>
Case case_of(const std::string& fmu, std::vector<std::string> variables) {
  return {.fmu = fmu,
          .native = make<M>,
          .variables = std::move(variables),
          .folder = SALTUS_TEST_FMU_DIR};
}

std::vector<Result> run_all(const Case& c) {
  return {run_model_exchange(c), run_model_exchange(c, false), run_co_simulation(c, true, true),
          run_co_simulation(c, false, false)};
}

void check_events(const Result& result, const std::vector<double>& exact, double margin) {
  // A Co-Simulation FMU that handles its events itself reports none.
  if (result.events.empty()) return;
  REQUIRE(result.events.size() == exact.size());
  for (std::size_t k = 0; k < exact.size(); ++k) {
    CHECK(result.events[k] == Approx(exact[k]).margin(margin).epsilon(0));
  }
}

// They stick from the start; |sin t| > 0.8 parts them, and the second time is when they have come
// to rest again: see "Sliding between configurations of index 1" in switched_test.cpp.
std::vector<double> stick_and_slip() {
  std::vector<double> times;
  for (int k = 0; k < 3; ++k) {
    times.push_back(std::asin(0.8) + k * kPi);
    times.push_back(2.8870039060 + k * kPi);
  }
  return times;
}

}  // namespace

TEST_CASE("an FMU of index 1 slides on every road", "[agreement]") {
  for (const Result& result :
       run_all(case_of<RubbingPair>("rubbing_pair", {"p1", "p2", "v1", "v2", "force"}))) {
    check_events(result, stick_and_slip(), 1e-6);
    const std::vector<double>& end = result.rows.back();
    CHECK(end[0] == Approx(6.3659078168).epsilon(1e-6));
    CHECK(end[1] == Approx(6.1781132941).epsilon(1e-6));
    CHECK(end[2] == Approx(0.9195357645).epsilon(1e-6));
    CHECK(end[3] == Approx(end[2]).epsilon(1e-7));
    CHECK(end[4] == Approx(0.5 * std::sin(10.0)).epsilon(1e-6));  // half of what shakes
  }
}

TEST_CASE("an FMU of index 3 slides on every road", "[agreement]") {
  for (const Result& result : run_all(case_of<RubbingBead>("rubbing_bead", {"x", "y", "u", "v"}))) {
    check_events(result, stick_and_slip(), 1e-6);
    const std::vector<double>& end = result.rows.back();
    CHECK(std::hypot(end[0], end[1]) == Approx(1.0).epsilon(1e-7));
    CHECK(std::atan2(end[1], end[0]) == Approx(6.3659078168 - 6.1781132941).epsilon(1e-6));
    CHECK(std::hypot(end[2], end[3]) == Approx(0.0).margin(1e-6));
  }
}

TEST_CASE("an ideal diode in series with a coil blocks and conducts on every road", "[agreement]") {
  // i = 0.4 (2 sin t - cos t + exp(-2 t)) from the start, and again from 2 pi on.
  const auto current = [](double t) {
    return 0.4 * (2.0 * std::sin(t) - std::cos(t) + std::exp(-2.0 * t));
  };
  double low = 3.0, high = 4.0;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (current(middle) > 0.0 ? low : high) = middle;
  }
  for (const Result& result : run_all(case_of<CoilAndDiode>("coil_and_diode", {"i", "u", "on"}))) {
    check_events(result, {low, 2.0 * kPi}, 1e-5);
    CHECK(result.rows.back()[0] == Approx(current(8.0 - 2.0 * kPi)).epsilon(1e-5));
    CHECK(result.rows.back()[2] == 1.0);
  }
}

TEST_CASE("an ideal diode that charges a capacitor blocks and conducts on every road",
          "[agreement]") {
  // i = 2 cos t + sin t ends at tan t = -2; then v decays until sin t meets it.
  const double blocks = kPi - std::atan(2.0);
  const auto gap = [&](double t) {
    return std::sin(t) - std::sin(blocks) * std::exp(-0.5 * (t - blocks));
  };
  double low = 6.0, high = 7.5;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (gap(middle) < 0.0 ? low : high) = middle;
  }
  for (const Result& result : run_all(case_of<Rectifier>("rectifier", {"v", "i", "on"}))) {
    check_events(result, {blocks, low}, 1e-5);
    CHECK(result.rows.back()[0] == Approx(std::sin(8.0)).epsilon(1e-5));
    CHECK(result.rows.back()[1] == Approx(2.0 * std::cos(8.0) + std::sin(8.0)).epsilon(1e-4));
  }
}

}  // namespace saltus::test
