// SPDX-License-Identifier: BSD-2-Clause
// Derivatives where clocks, conditions and comparisons of time are due at one instant. Random ones
// are in tests/truth/meeting_clocks.cpp.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "saltus/gradient.hpp"
#include "saltus/simulation.hpp"

namespace {

using namespace saltus;
using namespace saltus::modeling;
using Catch::Contains;

// At the instant 1: two clocks, a crossing (of a line or of an exponential), a comparison of time.
// What is in the body of one reads what that of another writes.
template <class Real>
struct Meeting {
  State<Real> x{"x", {.start = 2.0}}, y{"y", {.start = 1.0}};
  State<Real> u{"u"}, v{"v"}, w{"w"}, sum{"sum"};
  State<Real> line{"line"}, growing{"growing", {.start = 1.0}};
  Parameter<Real> one{"one", {.start = 9.0}}, other{"other", {.start = 9.0}};
  Parameter<Real> level{"level", {.start = 9.0}}, grown{"grown", {.start = 99.0}};
  Parameter<Real> later{"later", {.start = 9.0}}, gain{"gain", {.start = 0.5}};

  void equations(Equations<Real>&) {
    der(x) = gain;
    der(y) = -y;
    der(u) = der(v) = der(w) = 0.1;
    der(sum) = y + u + v + w;
    der(line) = 1.0;
    der(growing) = growing;
  }
  void events(Events<Real>& ev) {
    if (ev.every(one)) x = gain * x;
    if (ev.at(other)) y = y + x;
    if (ev.when(line > level)) u = 2.0 * u + x;
    if (ev.when(growing > grown)) v = 3.0 * v + x;
    if (ev.when(ev.time > later)) w = 4.0 * w + x;
  }
};

std::string warning(std::map<std::string, double> values, const std::string& by) {
  const auto run =
      simulate<Meeting>({.stop = 1.5, .tolerance = 1e-10, .values = values, .sensitivities = {by}});
  const double found = run["d(sum)/d(" + by + ")"].back();
  if (run.warnings().empty()) return {};
  const std::string said = to_string(run.warnings().front());
  const bool goes_on = said.find("not a number") == std::string::npos;
  CHECK(std::isnan(found) != goes_on);
  return said;
}

TEST_CASE("instants that meet and depend on a parameter in different ways are told",
          "[sensitivity]") {
  CHECK_THAT(warning({{"one", 1.0}, {"other", 1.0}}, "one"), Contains("two clocks"));
  CHECK_THAT(warning({{"one", 0.5}, {"other", 1.0}}, "other"), Contains("two clocks"));
  CHECK_THAT(warning({{"one", 1.0}, {"level", 1.0}}, "one"), Contains("line > level"));
  CHECK_THAT(warning({{"one", 1.0}, {"level", 1.0}}, "level"), Contains("line > level"));
  CHECK_THAT(warning({{"later", 1.0}, {"level", 1.0}}, "later"), Contains("line > level"));
  CHECK_THAT(warning({{"later", 1.0}, {"other", 1.0}}, "later"), Contains("first"));
  CHECK_THAT(warning({{"one", 1.0}, {"grown", std::exp(1.0)}}, "one"),
             Contains("which of them is first"));
  CHECK_THAT(warning({{"later", 1.0}, {"grown", std::exp(1.0)}}, "grown"),
             Contains("which of them is first"));
}

TEST_CASE("instants that meet and do not depend on what is asked for are followed",
          "[sensitivity]") {
  // At 1, x is 2 + gain and y is 1 / e. Where both clocks are due, each body sees these.
  const double gain = 0.5, fades = std::exp(-0.5);
  const auto run = simulate<Meeting>({.stop = 1.5,
                                      .tolerance = 1e-11,
                                      .values = {{"one", 1.0}, {"other", 1.0}},
                                      .sensitivities = {"gain", "x"}});
  REQUIRE(run.warnings().empty());
  CHECK(run["d(y)/d(gain)"].back() == Approx(fades).epsilon(1e-9));
  CHECK(run["d(x)/d(gain)"].back() == Approx(2.0 + 2.0 * gain + 0.5).epsilon(1e-9));
  CHECK(run["d(y)/d(x)"].back() == Approx(fades).epsilon(1e-9));
  for (const auto& values : std::vector<std::map<std::string, double>>{
           {{"one", 1.0}, {"level", 1.0}}, {{"later", 1.0}, {"level", 1.0}}}) {
    CHECK(warning(values, "gain").empty());
  }
}

TEST_CASE("a gradient tells of events that meet", "[gradient]") {
  const auto said = [](std::map<std::string, double> values) -> std::string {
    try {
      const Gradient found = gradient<Meeting>(
          "sum", {"one", "other"}, {.stop = 1.5, .tolerance = 1e-10, .values = std::move(values)});
      return found.run().warnings().empty() ? "" : to_string(found.run().warnings().front());
    } catch (const GradientError& error) {
      return error.what();
    }
  };
  CHECK_THAT(said({{"one", 1.0}, {"other", 1.0}}), Contains("two clocks"));
  CHECK_THAT(said({{"one", 1.0}, {"level", 1.0}}), Contains("line > level"));
  CHECK_THAT(said({{"one", 1.0}, {"later", 1.0}}), Contains("first"));
  CHECK_THAT(said({{"one", 1.0}, {"grown", std::exp(1.0)}}), Contains("which of them is first"));
  CHECK(said({{"one", 1.0}, {"other", 0.7}}).empty());
}

// A clock chooses the equations, at the instant of a crossing.
template <class Real>
struct ImplicitMeeting {
  static constexpr ModelInfo info{.implicit = true};
  State<Real> x{"x"};
  Algebraic<Real> flow{"flow"};
  // The last number before the instant: the crossing is located where the clock is due.
  Parameter<Real> instant{"instant", {.start = 1.0}}, level{"level", {.start = 1.0 - 0x1p-53}};
  Discrete<int> mode{"mode"}, passed{"passed"};

  void equations(Equations<Real>& eq) {
    der(x) = flow;
    eq(flow, mode == 0 ? Real(1.0) : (passed == 0 ? Real(2.0) : Real(3.0)));
  }
  void events(Events<Real>& ev) {
    if (ev.at(instant)) mode = 1;
    if (ev.when(x > level)) passed = 1;
  }
};

TEST_CASE("a clock of implicit equations is not overlooked where a condition changes",
          "[sensitivity][dae]") {
  const auto run = simulate<ImplicitMeeting>({.stop = 2.0, .sensitivities = {"instant"}});
  REQUIRE_FALSE(run.warnings().empty());
  CHECK_THAT(to_string(run.warnings().front()), Contains("an event at a given time"));
  CHECK(std::isnan(run["d(x)/d(instant)"].back()));
}

TEST_CASE("a saved run knows of the clock that it waits for", "[sensitivity][dae]") {
  Simulation run = Simulation::of<ImplicitMeeting>({.stop = 2.0, .sensitivities = {"instant"}});
  run.start();
  const auto here = run.save();
  for (int i = 0; i < 2; ++i) {
    run.advance_to(1.5);
    CHECK(std::isnan(run.value("d(x)/d(instant)")));
    run.restore(here);
    CHECK(run.value("d(x)/d(instant)") == 0.0);
  }
}

}  // namespace
