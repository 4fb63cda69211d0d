// SPDX-License-Identifier: BSD-2-Clause
// Clocks whose ticks the model plans, and clocked variables: what an importer hears of them.
#include <catch2/catch.hpp>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "content_hash.hpp"
#include "exported.hpp"
#include "fmi2/description.hpp"
#include "fmi3/description.hpp"
#include "rig.hpp"
#include "saltus/core/described_model.hpp"
#include "saved.hpp"

using Catch::Matchers::Contains;
using rig::Fmu;
using rig::reference;

namespace {

void tick(const Fmu& fmu, const std::string& name, bool active = true) {
  const fmi3ValueReference vr = reference(name);
  const fmi3Clock value = active;
  REQUIRE(fmi3SetClock(fmu.instance(), &vr, 1, &value) == fmi3OK);
}

struct Interval {
  double length = -1.0;
  fmi3IntervalQualifier qualifier = fmi3IntervalNotYetKnown;
};
Interval interval(const Fmu& fmu, const std::string& name) {
  const fmi3ValueReference vr = reference(name);
  Interval answer;
  REQUIRE(fmi3GetIntervalDecimal(fmu.instance(), &vr, 1, &answer.length, &answer.qualifier) ==
          fmi3OK);
  return answer;
}
void check(const Fmu& fmu, const std::string& name, fmi3IntervalQualifier qualifier,
           double length = 0.0) {
  INFO(name);
  const Interval answer = interval(fmu, name);
  CHECK(answer.qualifier == qualifier);
  if (qualifier != fmi3IntervalNotYetKnown) {
    CHECK(answer.length == Approx(length).margin(1e-14));
  }
}

void go_to(const Fmu& fmu, double t, double x) {
  REQUIRE(fmi3SetTime(fmu.instance(), t) == fmi3OK);
  REQUIRE(fmi3SetContinuousStates(fmu.instance(), &x, 1) == fmi3OK);
  REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
}

TEST_CASE("the description declares planned clocks and clocked variables") {
  const auto exported =
      saltus::fmu_export::exported_ode(saltus::fmu_export::Interface::model_exchange);
  const std::string xml = saltus::fmu_export::fmi3::model_description(exported, {}, {});
  const auto vr = [](const char* name) { return std::to_string(reference(name)); };
  CHECK_THAT(xml, Contains("<Clock name=\"pulse\" valueReference=\"" + vr("pulse") +
                           "\" causality=\"input\" variability=\"discrete\" "
                           "canBeDeactivated=\"true\" intervalVariability=\"changing\"/>"));
  CHECK_THAT(xml, Contains("canBeDeactivated=\"true\" intervalVariability=\"countdown\"/>"));
  CHECK_THAT(xml, Contains("<Int32 name=\"pulses\" valueReference=\"" + vr("pulses") +
                           "\" causality=\"output\" variability=\"discrete\" clocks=\"" +
                           vr("pulse") + "\""));
  CHECK_THAT(xml, Contains("clocks=\"" + vr("pulse") + " " + vr("watchdog") + "\""));
  CHECK_THAT(xml, Contains("clocks=\"" + vr("full") + "\""));
  CHECK_THAT(xml, Contains("<Float64 name=\"pulse.next\""));
  const std::string old = saltus::fmu_export::fmi2::model_description(exported, {}, {});
  CHECK_THAT(old, Contains("pulse.next") && !Contains("clocks="));
}

TEST_CASE("intervals of planned clocks are told when the model knows them") {
  for (const bool me : {true, false}) {
    INFO((me ? "Model Exchange" : "Co-Simulation"));
    Fmu fmu =
        me ? Fmu::model_exchange() : Fmu::co_simulation({.event_mode = true, .early_return = true});
    CHECK(fmu.messages().empty());
    fmu.enter_initialization(5.0);
    check(fmu, "pulse", fmi3IntervalChanged, 0.1);
    check(fmu, "pulse", fmi3IntervalUnchanged, 0.1);
    check(fmu, "watchdog", fmi3IntervalNotYetKnown);
    check(fmu, "timeout", fmi3IntervalNotYetKnown);
    REQUIRE(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
    check(fmu, "pulse", fmi3IntervalUnchanged, 0.1);
    const rig::Update start = fmu.settle_and_leave();
    CHECK_FALSE(start.defined);  // ticks are the importer's business
    if (me) {
      go_to(fmu, 5.1, 0.1);
    } else {
      fmu.step(5.0, 0.1);
      REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
    }
    tick(fmu, "pulse");
    CHECK(fmu.whole("pulses") == 1);  // as the update will leave it
    CHECK_FALSE(fmu.update().defined);
    check(fmu, "pulse", fmi3IntervalChanged, 0.2);
    check(fmu, "pulse", fmi3IntervalUnchanged, 0.2);
    check(fmu, "watchdog", fmi3IntervalChanged, 0.45);
    check(fmu, "timeout", fmi3IntervalNotYetKnown);
    fmu.settle_and_leave();
    if (!me) continue;
    go_to(fmu, 5.3, 0.2);
    check(fmu, "watchdog", fmi3IntervalUnchanged, 0.25);
    tick(fmu, "pulse");
    fmu.settle_and_leave();
    go_to(fmu, 5.4, 0.35);
    check(fmu, "watchdog", fmi3IntervalChanged, 0.35);  // it has changed its mind
    fmu.settle_and_leave();
    go_to(fmu, 5.5, 0.35);
    check(fmu, "timeout", fmi3IntervalChanged, 0.3);  // since 5.4
    tick(fmu, "watchdog");
    fmu.update();
    check(fmu, "watchdog", fmi3IntervalNotYetKnown);
    fmu.settle_and_leave();
    CHECK(fmu.whole("barks") == 1);
    // Too late, and nobody has ticked it yet.
    go_to(fmu, 6.0, 0.9);
    check(fmu, "timeout", fmi3IntervalUnchanged, 0.0);
    tick(fmu, "timeout");
    fmu.settle_and_leave();
    CHECK(fmu.whole("timeouts") == 1);
  }
}

TEST_CASE("a planned tick that is deactivated stays planned") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  go_to(fmu, 0.1, 0.1);
  tick(fmu, "pulse");
  check(fmu, "watchdog", fmi3IntervalChanged, 0.45);
  tick(fmu, "pulse", false);
  check(fmu, "watchdog", fmi3IntervalNotYetKnown);
  fmu.settle_and_leave();
  CHECK(fmu.whole("pulses") == 0);
  CHECK(fmu.number("pulse.next") == 0.1);
  CHECK(fmu.number("watchdog.next") < 0.0);
}

TEST_CASE("a planned clock has no shift, and no interval that can be set") {
  const auto refused = [](const auto& call, const std::string& why) {
    Fmu fmu = Fmu::model_exchange();
    fmu.enter_initialization();
    const fmi3ValueReference vr = reference("pulse");
    double length = 0.5;
    CHECK(call(fmu.instance(), &vr, &length) == fmi3Error);
    CHECK_THAT(fmu.messages(), Contains("\"pulse\"") && Contains(why));
  };
  refused([](auto i, auto* vr, double* length) { return fmi3GetShiftDecimal(i, vr, 1, length); },
          "is no periodic clock, and has no shift");
  refused([](auto i, auto* vr, double* length) { return fmi3SetIntervalDecimal(i, vr, 1, length); },
          "the model computes it");
}

TEST_CASE("without early return a countdown may be late, which is said") {
  Fmu fmu = Fmu::co_simulation({.event_mode = true});
  const std::string said = fmu.messages();
  CHECK_THAT(said, Contains("\"timeout\" may tick late") && !Contains("\"pulse\""));
}

TEST_CASE("what is planned, and what of it was told, is part of a saved state") {
  Fmu one = Fmu::model_exchange();
  one.initialize();
  one.settle_and_leave();
  go_to(one, 0.1, 0.1);
  tick(one, "pulse");
  one.update();
  const rig::Saved before(one);
  check(one, "pulse", fmi3IntervalChanged, 0.2);
  const rig::Saved after(one);
  Fmu other = Fmu::model_exchange();
  after.as_bytes_into(other);
  check(other, "pulse", fmi3IntervalUnchanged, 0.2);
  check(other, "watchdog", fmi3IntervalChanged, 0.45);
  before.as_bytes_into(other);
  check(other, "pulse", fmi3IntervalChanged, 0.2);
}

TEST_CASE("planned clocks that tick by themselves go on from a saved state") {
  Fmu one = Fmu::co_simulation();
  one.initialize();
  one.run(0.0, 1.21, 0.01);
  CHECK(one.whole("pulses") == 4);
  const rig::Saved saved(one);
  const std::vector<double> rows = one.run(1.21, 1.98, 0.01);
  Fmu other = Fmu::co_simulation();
  saved.as_bytes_into(other);
  CHECK(rig::difference(other.run(1.21, 1.98, 0.01), rows).empty());
  CHECK(other.whole("pulses") == 5);
  CHECK(other.whole("barks") == 2);
  CHECK(other.whole("timeouts") == 2);
}

// Every number in it is put far off; whatever that is taken for, the next steps come to an end.
TEST_CASE("a forged state of planned clocks is refused or goes on") {
  Fmu one = Fmu::co_simulation();
  one.initialize();
  one.run(0.0, 0.73, 0.01);
  const std::vector<fmi3Byte> good = rig::Saved(one).bytes();
  const std::size_t content = good.size() - sizeof(std::uint64_t);
  int refused = 0, went_on = 0;
  for (std::size_t place = 0; place + sizeof(double) <= content; ++place) {
    for (const double far : {-1e300, 1e-300, -1.0}) {
      std::vector<fmi3Byte> bytes = good;
      std::memcpy(&bytes[place], &far, sizeof far);
      const std::uint64_t sum =
          saltus::fmu_export::content_hash(std::as_bytes(std::span(bytes).first(content)));
      std::memcpy(&bytes[content], &sum, sizeof sum);
      Fmu other = Fmu::co_simulation();
      fmi3FMUState state = nullptr;
      fmi3Status status =
          fmi3DeserializeFMUState(other.instance(), bytes.data(), bytes.size(), &state);
      if (status == fmi3OK) status = fmi3SetFMUState(other.instance(), state);
      if (state != nullptr) fmi3FreeFMUState(other.instance(), &state);
      if (status == fmi3OK) {
        fmi3Boolean event = false, over = false, early = false;
        double reached = 0.0;
        status = fmi3DoStep(other.instance(), 0.73, 0.8, true, &event, &over, &early, &reached);
      }
      ++(status == fmi3OK ? went_on : refused);
    }
  }
  CHECK(refused > 0);
  CHECK(went_on > 0);
}

}  // namespace
