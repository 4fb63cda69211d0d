// SPDX-License-Identifier: BSD-2-Clause
// What became of the conditions at an event.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "saltus/simulation.hpp"

namespace saltus::event_changes_test {
namespace {

using namespace modeling;
using Changes = std::vector<std::string>;

// A room whose heater is switched at two temperatures, beside a relay on which it slides from 0.05
// on. At each switching a condition turns true, and false again at the same instant.
template <class Real>
struct Room {
  static constexpr ModelInfo info{.stop = 2.0};
  State<Real> T{"T", {.start = 20.0}};
  State<Real> x{"x", {.start = 0.1}};
  Discrete<bool> on{"on", {.start = true}};
  void equations(Equations<Real>&) {
    der(T) = on ? Real(5.0) : Real(-3.0);
    der(x) = x > 0.0 ? -2.0 : 1.0;
  }
  void events(Events<Real>& ev) {
    if (ev.when(T > 22.0)) on = false;
    if (ev.when(T < 18.0)) on = true;
  }
};

// Crosses, back and forth.
template <class Real>
struct Wave {
  static constexpr ModelInfo info{.stop = 7.0};
  State<Real> y{"y"};
  Output<Real> side{"side"};
  void equations(Equations<Real>& eq) {
    der(y) = cos(eq.time);
    side = y > 0.5 ? 1.0 : 0.0;
  }
};

Changes changes_of(const SimulationResult& run) {
  Changes all;
  for (const auto& event : run.events()) {
    REQUIRE(event.changes.size() == event.conditions.size());
    for (std::size_t i = 0; i < event.conditions.size(); ++i) {
      all.push_back(with_change(event.conditions[i], event.changes[i]));
    }
  }
  return all;
}

}  // namespace

TEST_CASE("events tell what became of their conditions", "[simulation]") {
  const auto run = simulate<Room>();
  CHECK(changes_of(run) == Changes{"x > 0", "T > 22 became true", "T > 22 became false",
                                   "T < 18 became true", "T < 18 became false"});
  CHECK_THAT(run.summary(), Catch::Contains("T < 18 became true\n"));
  CHECK(changes_of(simulate<Wave>()) ==
        Changes{"y > 0.5 became true", "y > 0.5 became false", "y > 0.5 became true"});
  CHECK(changes_of(simulate<Room>({.sensitivities = {"start(T)"}})).size() == 5);
}

}  // namespace saltus::event_changes_test
