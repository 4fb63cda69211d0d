// SPDX-License-Identifier: BSD-2-Clause
// Every event of the sliding problems, held against their references: how many, of what kind, in
// what order, when.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>

#include "problem_run.hpp"
#include "problems/belt_oscillator.hpp"
#include "problems/curved_belt.hpp"
#include "problems/pounding.hpp"
#include "problems/relay_feedback.hpp"
#include "problems/stick_slip_pair.hpp"
#include "problems/two_masses.hpp"

namespace saltus::test {
namespace {

using namespace problems;
using benchmarks::Outcome;

Outcome run_sliding(Model& model, const Problem& problem, double tolerance) {
  return benchmarks::run_sliding(model, problem, benchmarks::at_tolerance(tolerance));
}

// The kinds in their order; a missing or an additional event shows where the lists part.
void check_list(const Outcome& outcome, const Problem& problem) {
  INFO(outcome.failure);
  CHECK(outcome.began_sliding == problem.begins_sliding);
  CHECK(outcome.events.size() == problem.events.size());
  for (std::size_t i = 0; i < std::min(outcome.events.size(), problem.events.size()); ++i) {
    INFO("event " << i + 1 << " at " << outcome.events[i].time << ", expected at "
                  << problem.events[i].time);
    REQUIRE(to_string(outcome.events[i].kind) == std::string(to_string(problem.events[i].kind)));
  }
}

// All tolerances of the published table: complete lists, and events no worse in time than those
// that were published.
template <template <class> class M>
void check_against(const Problem& problem, const std::vector<Published>& published) {
  for (const Published& line : published) {
    INFO(problem.name << " at tolerance " << line.tolerance);
    NativeModel<M> model("model");
    const Outcome outcome = run_sliding(model, problem, line.tolerance);
    check_list(outcome, problem);
    CAPTURE(outcome.time_error(problem), line.time_error);
    CHECK(outcome.is_as_good_in_time(problem, line));
    CAPTURE(outcome.last_error(problem), line.last_error);
    CHECK(outcome.is_as_good_at_the_end(problem, line));
  }
}

TEST_CASE("The curved belt crosses, slides and leaves seven times", "[sliding]") {
  check_against<CurvedBelt>(curved_belt(), curved_belt_published());
}

TEST_CASE("The pounding building has eighteen events, none of them sliding", "[sliding]") {
  check_against<reference::Pounding>(pounding(), pounding_published());
}

TEST_CASE("The relay slides from the start and has all its small arcs", "[sliding]") {
  check_against<reference::RelayFeedback>(relay_feedback(), relay_feedback_published());
}

TEST_CASE("Two masses start where surfaces meet and come to rest one after the other",
          "[sliding]") {
  check_against<TwoMasses>(two_masses(), two_masses_published());
}

// Steps fall differently at every tolerance: a search that is right by luck is found out here.
template <template <class> class M>
void check_many_tolerances(const Problem& problem) {
  for (int i = 0; i <= 140; ++i) {
    const double tolerance = std::pow(10.0, -3.0 - 0.05 * i);
    INFO(problem.name << " at tolerance " << tolerance);
    NativeModel<M> model("model");
    check_list(run_sliding(model, problem, tolerance), problem);
  }
}

TEST_CASE("Lists of events are complete between the usual tolerances", "[sliding]") {
  SECTION("curved belt") { check_many_tolerances<CurvedBelt>(curved_belt()); }
  SECTION("pounding") { check_many_tolerances<reference::Pounding>(pounding()); }
  SECTION("relay") { check_many_tolerances<reference::RelayFeedback>(relay_feedback()); }
  SECTION("two masses") { check_many_tolerances<TwoMasses>(two_masses()); }
  SECTION("pair") { check_many_tolerances<reference::StickSlipPair>(stick_slip_pair()); }
}

TEST_CASE("The stick-slip pair has six events in few steps", "[sliding]") {
  NativeModel<reference::StickSlipPair> model("StickSlipPair");
  const Problem problem = stick_slip_pair();
  const Outcome outcome = run_sliding(model, problem, 1e-8);
  check_list(outcome, problem);
  CHECK(outcome.time_error(problem) < 1e-8);
  CHECK(outcome.integrator.steps <= 250);
  // Bodies that stick have one velocity, to the last digits of what they are projected to.
  REQUIRE(outcome.last.size() == 4);
  CHECK(outcome.last[2] == Approx(outcome.last[3]).margin(1e-11));
}

TEST_CASE("With a band in place of sliding the stick-slip pair switches 395 times", "[sliding]") {
  NativeModel<StickSlipPairWithBand> model("StickSlipPairWithBand");
  const Problem anything{.name = "", .stop = 10.0, .events = {}, .last = {}};
  const Outcome outcome = benchmarks::run(model, anything, benchmarks::at_tolerance(1e-10));
  REQUIRE(outcome.events.size() == kStickSlipSwitches);
  // Errors of a hundred switches add up.
  CHECK(outcome.events[78].time == Approx(kStickSlipSwitch79).margin(1e-8));
  CHECK(outcome.events[187].time == Approx(kStickSlipSwitch188).margin(1e-8));
  CHECK(outcome.events[298].time == Approx(kStickSlipSwitch299).margin(1e-8));
  CHECK(outcome.events[394].time == Approx(kStickSlipSwitch395).margin(1e-8));
}

TEST_CASE("The belt oscillator has seven events in few steps", "[sliding]") {
  const auto model = make_belt(kGesdaBelt);
  const Problem problem = gesda_belt();
  const Outcome outcome = run_sliding(*model, problem, 1e-8);
  check_list(outcome, problem);
  CHECK(outcome.time_error(problem) < 1e-6);
  CHECK(outcome.integrator.steps <= 500);
}

TEST_CASE("Ten digits of every event are right at tolerance 1e-12", "[sliding]") {
  SECTION("stick-slip of Dieci and Lopez") {
    const auto model = make_belt(kDieciLopezBelt);
    const Outcome outcome = run_sliding(*model, dieci_lopez_belt(), 1e-12);
    check_list(outcome, dieci_lopez_belt());
    CHECK(outcome.time_error(dieci_lopez_belt()) < 1e-10);
  }
  SECTION("relay of Piiroinen and Kuznetsov") {
    const auto model = make_small_start_relay();
    const Outcome outcome = run_sliding(*model, small_start_relay(), 1e-12);
    check_list(outcome, small_start_relay());
    CHECK(outcome.time_error(small_start_relay()) < 1e-10);
  }
}

TEST_CASE("The belt with weakening starts at rest on the belt and has nine events", "[sliding]") {
  const auto model = make_belt(kRestingBelt);
  const Problem problem = resting_belt();
  const Outcome outcome = run_sliding(*model, problem, 1e-9);
  check_list(outcome, problem);
  REQUIRE(outcome.last.size() == 2);
  CHECK(outcome.last[0] == Approx(problem.last[0]).margin(1e-7));
}

}  // namespace
}  // namespace saltus::test
