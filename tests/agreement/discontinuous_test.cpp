// SPDX-License-Identifier: BSD-2-Clause
// Models that slide, and models that are not defined beyond their surfaces, on every road: each
// gives the events of the literature, no more and no fewer.
#include <catch2/catch.hpp>
#include <cmath>

#include "problems/belt_oscillator.hpp"
#include "problems/curved_belt.hpp"
#include "problems/pounding.hpp"
#include "problems/relay_feedback.hpp"
#include "problems/stick_slip_pair.hpp"
#include "problems/two_masses.hpp"
#include "roads.hpp"

namespace saltus::test {
namespace {

struct SwitchedCase {
  Case model;
  problems::Problem truth;
  std::vector<problems::Published> published = {};

  double tolerance() const { return model.native()->info().tolerance; }
  /// Ten times the tolerance or, where the problem makes more of errors, what its authors reach.
  double margin(double problems::Published::*error) const {
    double margin = 10.0 * tolerance();
    for (const problems::Published& row : published) {
      if (row.tolerance == tolerance()) {
        margin = std::max(margin, row.*error);
      }
    }
    return margin;
  }
};

std::vector<SwitchedCase> cases() {
  return {
      {{"stick_slip_pair", make<reference::StickSlipPair>, {"p1", "p2", "v1", "v2", "force"}},
       problems::stick_slip_pair()},
      {{"belt_oscillator", make<reference::BeltOscillator>, {"x", "v"}}, problems::gesda_belt()},
      {{"relay_feedback", make<reference::RelayFeedback>, {"y1", "y2", "y3"}},
       problems::relay_feedback(),
       problems::relay_feedback_published()},
      {{"pounding", make<reference::Pounding>, {"y", "v"}},
       problems::pounding(),
       problems::pounding_published()},
      {{.fmu = "curved_belt",
        .native = make<problems::CurvedBelt>,
        .variables = {"y1", "y2"},
        .folder = SALTUS_TEST_FMU_DIR},
       problems::curved_belt(),
       problems::curved_belt_published()},
      {{.fmu = "two_masses",
        .native = make<problems::TwoMasses>,
        .variables = {"y1", "y2", "v1", "v2"},
        .folder = SALTUS_TEST_FMU_DIR},
       problems::two_masses(),
       problems::two_masses_published()},
  };
}

void check_end(const SwitchedCase& c, const Result& result) {
  CHECK(result.run.time == Approx(c.truth.stop).epsilon(1e-14));
  for (std::size_t i = 0; i < c.truth.last.size(); ++i) {
    CHECK(result.rows.back()[i] ==
          Approx(c.truth.last[i]).margin(c.margin(&problems::Published::last_error)).epsilon(0));
  }
}

void check_truth(const SwitchedCase& c, const Result& result) {
  check_end(c, result);
  REQUIRE(result.events.size() == c.truth.events.size());
  for (std::size_t i = 0; i < result.events.size(); ++i) {
    CHECK(result.events[i] == Approx(c.truth.events[i].time)
                                  .margin(c.margin(&problems::Published::time_error))
                                  .epsilon(0));
  }
}

}  // namespace

TEST_CASE("a switched model has its events, natively and as an FMU of either kind", "[agreement]") {
  for (const SwitchedCase& c : cases()) {
    DYNAMIC_SECTION(c.model.fmu << ", native") { check_truth(c, run_natively(c.model)); }
    DYNAMIC_SECTION(c.model.fmu << ", Model Exchange") {
      check_truth(c, run_model_exchange(c.model));
    }
    DYNAMIC_SECTION(c.model.fmu << ", Model Exchange in an importer that knows no sliding") {
      check_truth(c, run_model_exchange(c.model, false));
    }
    DYNAMIC_SECTION(c.model.fmu << ", Co-Simulation with event mode") {
      check_truth(c, run_co_simulation(c.model, true, true));
    }
    DYNAMIC_SECTION(c.model.fmu << ", Co-Simulation without event mode") {
      check_end(c, run_co_simulation(c.model, false, false));
    }
  }
}

TEST_CASE("what switches shows Filippov's mixture while the model slides, on every road",
          "[agreement]") {
  // Stuck together, both bodies are shaken alike: half of the force goes through the friction.
  const Case pair = cases().front().model;
  for (const Result& result :
       {run_natively(pair), run_model_exchange(pair), run_model_exchange(pair, false),
        run_co_simulation(pair, true, true), run_co_simulation(pair, false, false)}) {
    CHECK(result.rows.back()[4] == Approx(std::sin(10.0) / 2.0).margin(1e-9).epsilon(0));
  }
}

}  // namespace saltus::test
