// SPDX-License-Identifier: BSD-2-Clause
// Runs with clocks that go on from saved states.
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <span>
#include <vector>

#include "content_hash.hpp"
#include "rig.hpp"
#include "saved.hpp"

using rig::Fmu;
using rig::reference;

namespace {

/// An importer of clocks: ticks are at multiples of 0.05, in Co-Simulation with event mode.
class Importer {
 public:
  explicit Importer(bool with_early_return)
      : fmu(Fmu::co_simulation({.event_mode = true, .early_return = with_early_return})) {}

  void activate(int n) const {
    std::vector<fmi3ValueReference> due;
    if (n % 2 == 0) due.push_back(reference("sample"));
    if (n % 5 == 1) due.push_back(reference("slow"));
    if (n % 6 == 2) due.push_back(reference("paced"));
    if (n % 7 == 6) due.push_back(reference("reset"));
    const std::array<fmi3Clock, 4> active{true, true, true, true};
    REQUIRE(fmi3SetClock(fmu.instance(), due.data(), due.size(), active.data()) == fmi3OK);
  }
  void step_to(int n) const {
    double t = fmu.number("time");
    const double target = n * 0.05;
    while (t < target - 1e-12) {
      const rig::Step step = fmu.step(t, target - t);
      t = step.early ? step.time : target;
      if (step.event) {
        REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
        fmu.settle_and_leave();
      }
    }
  }
  std::vector<double> run(int from, int to) const {
    std::vector<double> rows;
    for (int n = from; n <= to; ++n) {
      step_to(n);
      REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
      activate(n);
      fmu.settle_and_leave();
      const std::vector<double> row = fmu.everything();
      rows.insert(rows.end(), row.begin(), row.end());
    }
    return rows;
  }

  Fmu fmu;
};

TEST_CASE("a run goes on from a state that was saved between ticks, to the last bit") {
  for (const bool early : {true, false}) {
    const Importer one(early);
    one.fmu.initialize();
    one.activate(0);
    one.fmu.settle_and_leave();
    one.run(1, 12);
    one.fmu.step(12 * 0.05, 0.02);
    const rig::Saved saved(one.fmu);
    const std::vector<double> rows = one.run(13, 30);
    saved.into(one.fmu);
    CHECK(rig::difference(one.run(13, 30), rows).empty());
    const Importer other(early);
    saved.as_bytes_into(other.fmu);
    CHECK(rig::difference(other.run(13, 30), rows).empty());
  }
}

TEST_CASE("a run goes on from a state that was saved while clocks are active") {
  const Importer one(true);
  one.fmu.initialize();
  one.activate(0);
  one.fmu.settle_and_leave();
  one.run(1, 11);
  one.step_to(12);
  REQUIRE(fmi3EnterEventMode(one.fmu.instance()) == fmi3OK);
  one.activate(12);
  CHECK(one.fmu.whole("sample") == 1);
  const rig::Saved saved(one.fmu);
  one.fmu.settle_and_leave();
  const std::vector<double> rows = one.run(13, 30);
  const Importer other(true);
  saved.as_bytes_into(other.fmu);
  CHECK(other.fmu.whole("sample") == 1);
  other.fmu.settle_and_leave();
  CHECK(rig::difference(other.run(13, 30), rows).empty());
}

TEST_CASE("clocks that tick by themselves go on from a saved state") {
  Fmu one = Fmu::co_simulation();
  one.initialize();
  one.run(0.0, 0.73, 0.01);
  const rig::Saved saved(one);
  const std::vector<double> rows = one.run(0.73, 1.5, 0.01);
  Fmu other = Fmu::co_simulation();
  saved.as_bytes_into(other);
  CHECK(rig::difference(other.run(0.73, 1.5, 0.01), rows).empty());
  CHECK(other.whole("samples") == 16);
}

// Every number in it is put far off; whatever that is taken for, the next steps come to an end.
TEST_CASE("a forged state of clocks that tick by themselves is refused or goes on") {
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
        status = fmi3DoStep(other.instance(), 0.73, 0.2, true, &event, &over, &early, &reached);
      }
      ++(status == fmi3OK ? went_on : refused);
    }
  }
  CHECK(refused > 0);
  CHECK(went_on > 0);
}

TEST_CASE("a state with other ticks is refused") {
  Fmu one = Fmu::co_simulation();
  one.initialize();
  const rig::Saved saved(one);
  Fmu other = Fmu::co_simulation({.event_mode = true});
  other.messages();
  fmi3FMUState state = nullptr;
  REQUIRE(fmi3GetFMUState(one.instance(), &state) == fmi3OK);
  CHECK(fmi3SetFMUState(other.instance(), state) == fmi3Error);
  CHECK_THAT(other.messages(), Catch::Matchers::Contains("another eventModeUsed"));
  fmi3FreeFMUState(one.instance(), &state);
}

TEST_CASE("what was told of an interval is part of a saved state") {
  Fmu one = Fmu::model_exchange();
  one.initialize();
  const fmi3ValueReference sample = reference("sample");
  double length = 0.0;
  fmi3IntervalQualifier qualifier{};
  const auto ask = [&](const Fmu& fmu) {
    REQUIRE(fmi3GetIntervalDecimal(fmu.instance(), &sample, 1, &length, &qualifier) == fmi3OK);
    return qualifier;
  };
  REQUIRE(one.set("period", 0.3) == fmi3OK);
  const rig::Saved before(one);
  CHECK(ask(one) == fmi3IntervalChanged);
  const rig::Saved after(one);
  Fmu other = Fmu::model_exchange();
  after.as_bytes_into(other);
  CHECK(ask(other) == fmi3IntervalUnchanged);
  before.as_bytes_into(other);
  CHECK(ask(other) == fmi3IntervalChanged);
  CHECK(length == 0.3);
}

}  // namespace
