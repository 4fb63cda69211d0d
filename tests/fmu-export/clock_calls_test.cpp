// SPDX-License-Identifier: BSD-2-Clause
// The functions of FMI 3.0 about clocks, called as an importer does and as none should.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "clock_fraction.hpp"
#include "exported.hpp"
#include "fmi2/description.hpp"
#include "fmi3/description.hpp"
#include "rig.hpp"
#include "saltus/core/described_model.hpp"

using Catch::Matchers::Contains;
using rig::Fmu;
using rig::reference;

namespace {

fmi3Status set_clock(const Fmu& fmu, const std::string& name, bool active = true) {
  const fmi3ValueReference vr = reference(name);
  const fmi3Clock value = active;
  return fmi3SetClock(fmu.instance(), &vr, 1, &value);
}

struct Interval {
  double length = -1.0;
  fmi3IntervalQualifier qualifier = fmi3IntervalNotYetKnown;
  fmi3Status status = fmi3Fatal;
};
Interval interval(const Fmu& fmu, const std::string& name) {
  const fmi3ValueReference vr = reference(name);
  Interval answer;
  answer.status = fmi3GetIntervalDecimal(fmu.instance(), &vr, 1, &answer.length, &answer.qualifier);
  return answer;
}
double shift(const Fmu& fmu, const std::string& name) {
  const fmi3ValueReference vr = reference(name);
  double length = -1.0;
  CHECK(fmi3GetShiftDecimal(fmu.instance(), &vr, 1, &length) == fmi3OK);
  return length;
}

void go_to(const Fmu& fmu, double t, double x) {
  REQUIRE(fmi3SetTime(fmu.instance(), t) == fmi3OK);
  REQUIRE(fmi3SetContinuousStates(fmu.instance(), &x, 1) == fmi3OK);
}

TEST_CASE("the description declares clocks") {
  const auto exported =
      saltus::fmu_export::exported_ode(saltus::fmu_export::Interface::model_exchange);
  const std::string xml = saltus::fmu_export::fmi3::model_description(exported, {}, {});
  CHECK_THAT(xml, Contains("<Clock name=\"sample\"") &&
                      Contains("intervalVariability=\"tunable\"/>") &&
                      Contains("intervalVariability=\"constant\" intervalDecimal=\"0.25\" "
                               "shiftDecimal=\"0.05\" supportsFraction=\"true\" "
                               "resolution=\"20\" intervalCounter=\"5\" shiftCounter=\"1\"/>") &&
                      Contains("intervalVariability=\"fixed\"/>"));
  CHECK_THAT(
      xml, Contains("<Clock name=\"alarm\" valueReference=\"" + std::to_string(reference("alarm")) +
                    "\" description=\"x rises above the limit\" causality=\"output\" "
                    "variability=\"discrete\" intervalVariability=\"triggered\"/>"));
  CHECK_THAT(xml, Contains("<Output valueReference=\"" + std::to_string(reference("alarm"))));
  // FMI 3.0, 2.4.8: an output that is not clocked, and whose start is computed.
  CHECK_THAT(xml,
             Contains("<InitialUnknown valueReference=\"" + std::to_string(reference("alarm"))));
  CHECK_THROWS_WITH(saltus::fmu_export::fmi2::model_description(exported, {}, {}),
                    Contains("\"reset\" is a triggered clock") && Contains("export FMI 3.0 alone"));
}

TEST_CASE("intervals are told before the run, and where they have changed") {
  Fmu fmu = Fmu::model_exchange();
  fmu.enter_initialization();
  CHECK(interval(fmu, "sample").length == 0.1);
  CHECK(interval(fmu, "slow").length == 0.25);
  CHECK(interval(fmu, "slow").qualifier == fmi3IntervalUnchanged);
  CHECK(interval(fmu, "paced").qualifier == fmi3IntervalChanged);
  CHECK(interval(fmu, "paced").qualifier == fmi3IntervalUnchanged);
  CHECK(fmu.set("pace", 0.5) == fmi3OK);
  CHECK(interval(fmu, "paced").length == 0.5);
  CHECK(shift(fmu, "sample") == 0.0);
  CHECK(shift(fmu, "slow") == 0.05);
  CHECK(shift(fmu, "paced") == 0.1);
  REQUIRE(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  CHECK(interval(fmu, "sample").qualifier == fmi3IntervalUnchanged);
  CHECK(fmu.set("period", 0.2) == fmi3OK);
  fmu.update();
  const Interval tuned = interval(fmu, "sample");
  CHECK(tuned.length == 0.2);
  CHECK(tuned.qualifier == fmi3IntervalChanged);
  CHECK(interval(fmu, "sample").qualifier == fmi3IntervalUnchanged);
  CHECK(interval(fmu, "paced").qualifier == fmi3IntervalUnchanged);
}

TEST_CASE("a constant interval that is a short decimal is told as a fraction") {
  Fmu fmu = Fmu::model_exchange();
  fmu.enter_initialization();
  const fmi3ValueReference vr = reference("slow");
  fmi3UInt64 counter = 0, resolution = 0;
  fmi3IntervalQualifier qualifier{};
  REQUIRE(fmi3GetIntervalFraction(fmu.instance(), &vr, 1, &counter, &resolution, &qualifier) ==
          fmi3OK);
  CHECK(counter == 5);
  CHECK(resolution == 20);
  CHECK(qualifier == fmi3IntervalUnchanged);
  REQUIRE(fmi3GetShiftFraction(fmu.instance(), &vr, 1, &counter, &resolution) == fmi3OK);
  CHECK(counter == 1);
  CHECK(resolution == 20);
}

TEST_CASE("fractions of clocks") {
  const auto fraction = [](double interval, double shift) {
    return saltus::fmu_export::fraction_of({.kind = saltus::modeling::ClockTiming::Kind::periodic,
                                            .interval = interval,
                                            .shift = shift});
  };
  const auto tenth = fraction(0.1, 0.0);
  REQUIRE(tenth);
  CHECK(tenth->interval == 1);
  CHECK(tenth->resolution == 10);
  CHECK(tenth->shift == 0);
  const auto seconds = fraction(3.0, 0.125);
  REQUIRE(seconds);
  CHECK(seconds->interval == 24);
  CHECK(seconds->shift == 1);
  CHECK(seconds->resolution == 8);
  CHECK_FALSE(fraction(1.0 / 3.0, 0.0));
  CHECK_FALSE(fraction(0.5, 1.0 / 3.0));
  CHECK_FALSE(fraction(1e-300, 0.0));
  CHECK_FALSE(fraction(1e14, 1e-14));  // more than the counters hold
  CHECK_FALSE(saltus::fmu_export::fraction_of({.interval = 0.1}));
}

TEST_CASE("a clock is active from its activation to the update") {
  for (const bool me : {true, false}) {
    Fmu fmu =
        me ? Fmu::model_exchange() : Fmu::co_simulation({.event_mode = true, .early_return = true});
    INFO((me ? "Model Exchange" : "Co-Simulation"));
    fmu.initialize();
    CHECK(fmu.whole("sample") == 0);
    CHECK(set_clock(fmu, "sample") == fmi3OK);
    CHECK(fmu.whole("sample") == 1);
    CHECK(fmu.whole("slow") == 0);
    CHECK(fmu.whole("samples") == 1);  // as the update will leave it
    CHECK(fmu.number("u") == Approx(2.1));
    const rig::Update first = fmu.update();
    CHECK(first.iterate);
    CHECK_FALSE(first.defined);  // ticks are the importer's business
    CHECK(fmu.whole("sample") == 0);
    CHECK(fmu.whole("samples") == 1);
    CHECK_FALSE(fmu.update().iterate);
    CHECK(fmu.whole("samples") == 1);
    // Another instant at the same time, and one without a tick.
    CHECK(set_clock(fmu, "reset") == fmi3OK);
    CHECK(set_clock(fmu, "slow") == fmi3OK);
    fmu.settle_and_leave();
    CHECK(fmu.whole("samples") == 1);
    CHECK(fmu.whole("resets") == 1);
    CHECK(fmu.whole("slows") == 1);
  }
}

TEST_CASE("a clock that is deactivated has not ticked") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  CHECK(set_clock(fmu, "sample") == fmi3OK);
  CHECK(fmu.whole("samples") == 1);
  CHECK(set_clock(fmu, "sample", false) == fmi3OK);
  CHECK(fmu.whole("samples") == 0);
  fmu.settle_and_leave();
  CHECK(fmu.whole("samples") == 0);
}

TEST_CASE("an output clock is active in the instant in which the model ticks it") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  CHECK(fmu.whole("alarm") == 0);
  fmu.settle_and_leave();
  go_to(fmu, 0.5, 0.9);
  CHECK(fmu.whole("alarm") == 0);
  REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  CHECK(fmu.whole("alarm") == 1);
  CHECK(fmu.whole("alarm") == 1);
  fmu.update();
  CHECK(fmu.whole("alarm") == 0);
  fmu.settle_and_leave();
  CHECK(fmu.whole("alarms") == 1);
}

TEST_CASE("what a clock cannot is refused, by name") {
  const auto refused = [](const auto& call, const std::string& why) {
    Fmu fmu = Fmu::model_exchange();
    fmu.initialize();
    CHECK(call(fmu) == fmi3Error);
    const std::string said = fmu.messages();
    CHECK_THAT(said, Contains(why));
    CHECK(std::count(said.begin(), said.end(), '\n') == 1);
  };
  refused([](Fmu& fmu) { return set_clock(fmu, "alarm"); }, "\"alarm\"");
  refused([](Fmu& fmu) { return set_clock(fmu, "samples"); }, "\"samples\" is of type Int32");
  refused([](Fmu& fmu) { return fmu.set_whole("sample", 1); }, "\"sample\" is of type Clock");
  refused([](Fmu& fmu) { return interval(fmu, "reset").status; },
          "\"reset\" is a triggered clock, which has no interval");
  refused([](Fmu& fmu) { return interval(fmu, "x").status; }, "\"x\" is of type Float64");
  refused(
      [](Fmu& fmu) {
        const fmi3ValueReference vr = reference("slow");
        const double length = 0.5;
        return fmi3SetIntervalDecimal(fmu.instance(), &vr, 1, &length);
      },
      "\"slow\" has an interval of its own");
  refused(
      [](Fmu& fmu) {
        const fmi3ValueReference vr = reference("paced");
        fmi3UInt64 counter = 0, resolution = 1;
        fmi3IntervalQualifier qualifier{};
        return fmi3GetIntervalFraction(fmu.instance(), &vr, 1, &counter, &resolution, &qualifier);
      },
      "\"paced\" has no fractions: supportsFraction is false");
  refused(
      [](Fmu& fmu) {
        const fmi3ValueReference vr = reference("slow");
        return fmi3GetIntervalFraction(fmu.instance(), &vr, 1, nullptr, nullptr, nullptr);
      },
      "is NULL");
  refused(
      [](Fmu& fmu) {
        fmu.set("period", -1.0);
        return interval(fmu, "sample").status;
      },
      "\"sample\" has the interval -1, which the parameter \"period\" says");
  refused([](Fmu& fmu) { return fmi3SetClock(fmu.instance(), nullptr, 1, nullptr); }, "is NULL");
}

TEST_CASE("clocks are set in Event Mode alone") {
  Fmu fmu = Fmu::model_exchange();
  CHECK(set_clock(fmu, "sample") == fmi3Error);
  REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
  fmu.enter_initialization();
  CHECK(set_clock(fmu, "sample") == fmi3Error);
  REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
  fmu.initialize();
  fmu.settle_and_leave();
  CHECK(set_clock(fmu, "sample") == fmi3Error);
}

TEST_CASE("without event mode periodic clocks tick by themselves") {
  Fmu fmu = Fmu::co_simulation();
  CHECK_THAT(fmu.messages(), Contains("\"reset\" never ticks: eventModeUsed is fmi3False") &&
                                 Contains("\"alarm\" may tick unseen"));
  fmu.initialize();
  double t = 0.0;
  for (int n = 1; n <= 40; ++n) {
    fmu.step(t, 0.05);
    t = n * 0.05;
  }
  CHECK(fmu.whole("samples") == 21);
  CHECK(fmu.whole("slows") == 8);
  CHECK(fmu.whole("paces") == 7);
}

}  // namespace
