// SPDX-License-Identifier: BSD-2-Clause
// Saved states of FMI 2.0: a run goes on from them with the same bits.
#include <catch2/catch.hpp>

#include "fmi2_rig.hpp"
#include "rig.hpp"

using Catch::Matchers::Contains;
using rig2::Fmu;
using rig2::Saved;

namespace {

// Euler steps, and an event at each quarter of a second.
std::vector<double> euler(const Fmu& fmu, double from, int steps) {
  std::vector<double> rows;
  constexpr double kStep = 1.0 / 256;
  for (int k = 1; k <= steps; ++k) {
    double x[2];
    double slope[2];
    REQUIRE(fmi2GetContinuousStates(fmu.c(), x, 2) == fmi2OK);
    REQUIRE(fmi2GetDerivatives(fmu.c(), slope, 2) == fmi2OK);
    x[0] += kStep * slope[0];
    x[1] += kStep * slope[1];
    REQUIRE(fmi2SetTime(fmu.c(), from + k * kStep) == fmi2OK);
    REQUIRE(fmi2SetContinuousStates(fmu.c(), x, 2) == fmi2OK);
    if (k % 64 == 0) {
      REQUIRE(fmi2EnterEventMode(fmu.c()) == fmi2OK);
      fmu.settle_and_leave();
    }
    const std::vector<double> row = fmu.everything();
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

}  // namespace

TEST_CASE("Model Exchange of FMI 2.0 goes on from a saved state with the same bits", "[fmi2]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  euler(fmu, 0.0, 128);
  const Saved saved(fmu);
  const std::vector<double> once = euler(fmu, 0.5, 192);
  CHECK(fmu.integer("bounces") > 0);
  saved.into(fmu);
  CHECK(rig::difference(euler(fmu, 0.5, 192), once) == "");
  Fmu other = Fmu::model_exchange();
  const Saved copied(other, saved.bytes());
  copied.into(other);
  CHECK(rig::difference(euler(other, 0.5, 192), once) == "");
}

TEST_CASE("Co-Simulation of FMI 2.0 goes on from a saved state with the same bits", "[fmi2]") {
  Fmu fmu = Fmu::co_simulation();
  REQUIRE(fmu.set("e", 0.8) == fmi2OK);
  fmu.initialize();
  fmu.run(0.0, 0.7, 0.1);
  const Saved saved(fmu);
  const std::vector<double> once = fmu.run(0.7, 2.4, 0.1);
  saved.into(fmu);
  CHECK(rig::difference(fmu.run(0.7, 2.4, 0.1), once) == "");
  Fmu other = Fmu::co_simulation();
  const Saved copied(other, saved.bytes());
  copied.into(other);
  CHECK(rig::difference(other.run(0.7, 2.4, 0.1), once) == "");
}

TEST_CASE("a step that failed can be taken back and repeated with another size", "[fmi2]") {
  Fmu fmu = Fmu::co_simulation();
  REQUIRE(fmu.set("h", 2.5) == fmi2OK);
  REQUIRE(fmu.set("v", 4.0) == fmi2OK);
  fmu.initialize();
  const Saved before(fmu);
  CHECK(fmi2DoStep(fmu.c(), 0.0, 1.0, fmi2True) == fmi2Discard);
  const std::vector<double> end = fmu.everything();
  const Saved failed(fmu);
  before.into(fmu);
  fmu.step(0.0, 0.0625);
  CHECK(fmu.number("time") == 0.0625);

  Fmu other = Fmu::co_simulation();
  const Saved copied(other, failed.bytes());
  copied.into(other);
  CHECK(rig::difference(other.everything(), end) == "");
  fmi2Boolean ended = fmi2False;
  CHECK(fmi2GetBooleanStatus(other.c(), fmi2Terminated, &ended) == fmi2OK);
  CHECK(ended == fmi2True);
  CHECK(fmi2DoStep(other.c(), end.front(), 0.1, fmi2True) == fmi2Error);
}

TEST_CASE("a state of the other version or the other interface is refused", "[fmi2]") {
  Fmu fmu = Fmu::co_simulation();
  fmu.initialize();
  const Saved saved(fmu);
  const std::vector<fmi2Byte> bytes = saved.bytes();
  Fmu me = Fmu::model_exchange();
  fmi2FMUstate state = nullptr;
  CHECK(fmi2DeSerializeFMUstate(me.c(), bytes.data(), bytes.size(), &state) == fmi2Error);
  CHECK_THAT(me.messages(), Contains("saved from the other interface than Model Exchange"));

  rig::Fmu third = rig::Fmu::co_simulation();
  fmi3FMUState other = nullptr;
  CHECK(fmi3DeserializeFMUState(third.instance(), reinterpret_cast<const fmi3Byte*>(bytes.data()),
                                bytes.size(), &other) == fmi3Error);
  CHECK_THAT(third.messages(), Contains("belongs to another FMU"));
}
