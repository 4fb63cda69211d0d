// SPDX-License-Identifier: BSD-2-Clause
// States of an FMU whose model is implicit (index 3), saved anywhere: a run that is restored goes
// on as the first one did, bit by bit.
#include <catch2/catch.hpp>

#include "rig.hpp"
#include "saved.hpp"

using rig::Fmu;
using rig::Saved;

namespace {

constexpr double kStep = 1.0 / 256;

// An importer with Euler's method, whose errors lead away from the constraints so fast that the
// FMU asks for events to correct them.
class Euler {
 public:
  explicit Euler(const Fmu& fmu) : fmu_(fmu) {
    size_t states = 0;
    REQUIRE(fmi3GetNumberOfContinuousStates(fmu.instance(), &states) == fmi3OK);
    x_.resize(states);
    slope_.resize(states);
  }
  std::vector<double> run(int from, int to) {
    std::vector<double> rows;
    for (int k = from; k < to; ++k) {
      REQUIRE(fmi3GetContinuousStates(fmu_.instance(), x_.data(), x_.size()) == fmi3OK);
      REQUIRE(fmi3GetContinuousStateDerivatives(fmu_.instance(), slope_.data(), x_.size()) ==
              fmi3OK);
      for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += kStep * slope_[i];
      REQUIRE(fmi3SetTime(fmu_.instance(), (k + 1) * kStep) == fmi3OK);
      REQUIRE(fmi3SetContinuousStates(fmu_.instance(), x_.data(), x_.size()) == fmi3OK);
      fmi3Boolean event = fmi3False, end = fmi3False;
      REQUIRE(fmi3CompletedIntegratorStep(fmu_.instance(), fmi3True, &event, &end) == fmi3OK);
      if (event) {
        ++events;
        REQUIRE(fmi3EnterEventMode(fmu_.instance()) == fmi3OK);
        fmu_.settle_and_leave();
      }
      const std::vector<double> row = fmu_.everything();
      rows.insert(rows.end(), row.begin(), row.end());
    }
    return rows;
  }
  int events = 0;

 private:
  const Fmu& fmu_;
  std::vector<double> x_, slope_;
};

}  // namespace

TEST_CASE("a model exchange run of an implicit model is saved and goes on anywhere",
          "[fmu_state]") {
  const Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  Euler importer(fmu);
  for (int k = 0; k < 512; k += 16) {
    const Saved saved(fmu);
    const std::vector<double> once = importer.run(k, k + 16);
    INFO("saved at " << k * kStep);
    saved.into(fmu);
    REQUIRE(rig::difference(importer.run(k, k + 16), once) == "");
    const Fmu other = Fmu::model_exchange();
    saved.as_bytes_into(other);
    REQUIRE(rig::difference(Euler(other).run(k, k + 16), once) == "");
  }
  CHECK(importer.events > 0);
  const double x = fmu.number("x"), y = fmu.number("y");
  CHECK(x * x + y * y == Approx(1.0).margin(1e-6).epsilon(0));
}

TEST_CASE("a state saved within an event of an implicit model is handled again", "[fmu_state]") {
  const Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  const Saved before(fmu);
  fmu.settle_and_leave();
  const std::vector<double> once = Euler(fmu).run(0, 16);
  before.into(fmu);
  fmu.settle_and_leave();
  REQUIRE(rig::difference(Euler(fmu).run(0, 16), once) == "");
  const Fmu other = Fmu::model_exchange();
  before.as_bytes_into(other);
  other.settle_and_leave();
  REQUIRE(rig::difference(Euler(other).run(0, 16), once) == "");
}

TEST_CASE("a co-simulation of an implicit model is saved and goes on anywhere", "[fmu_state]") {
  for (const rig::CoSimulation& way :
       {rig::CoSimulation{}, rig::CoSimulation{.event_mode = true, .early_return = true}}) {
    const auto begun = [&] {
      Fmu fmu = Fmu::co_simulation(way);
      fmu.initialize();
      if (way.event_mode) fmu.settle_and_leave();
      return fmu;
    };
    const Fmu fmu = begun();
    for (double t = 0.0; t < 4.0; t += 0.25) {
      const Saved saved(fmu);
      const std::vector<double> once = fmu.run(t, t + 0.25, 0.0625);
      INFO("saved at " << t << ", event mode " << way.event_mode);
      saved.into(fmu);
      REQUIRE(rig::difference(fmu.run(t, t + 0.25, 0.0625), once) == "");
      const Fmu other = begun();
      saved.as_bytes_into(other);
      REQUIRE(rig::difference(other.run(t, t + 0.25, 0.0625), once) == "");
    }
  }
}

TEST_CASE("algebraic unknowns are guesses before the start and consistent values from there",
          "[values]") {
  Fmu fmu = Fmu::model_exchange();
  CHECK(fmu.set("force", 5.0) == fmi3OK);
  fmu.enter_initialization();
  CHECK(fmu.set("force", 6.0) == fmi3Error);
}

TEST_CASE("inconsistent start values are moved at the first event", "[values]") {
  Fmu fmu = Fmu::model_exchange();
  REQUIRE(fmu.set("x", 0.6) == fmi3OK);
  REQUIRE(fmu.set("y", -0.7) == fmi3OK);
  fmu.enter_initialization();
  CHECK(fmu.number("x") == 0.6);
  REQUIRE(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  const rig::Update first = fmu.update();
  CHECK(first.states);
  CHECK(first.iterate);
  fmu.settle_and_leave();
  const double x = fmu.number("x"), y = fmu.number("y");
  CHECK(x * x + y * y == Approx(1.0).margin(1e-12).epsilon(0));
  CHECK(fmu.number("force") == Approx(-9.81 * y).margin(1e-9).epsilon(0));
}

TEST_CASE("an implicit FMU can be read after an error before it is initialised", "[fmu_state]") {
  for (const bool integrates : {true, false}) {
    for (const bool entered : {false, true}) {
      Fmu fmu = integrates ? Fmu::model_exchange() : Fmu::co_simulation();
      if (entered) fmu.enter_initialization();
      (void)fmu.set("force", 1.0);  // an unknown: not settable in Initialization Mode
      const fmi3ValueReference nobody = 100000;
      double value = 0.0;
      REQUIRE(fmi3GetFloat64(fmu.instance(), &nobody, 1, &value, 1) == fmi3Error);
      for (fmi3ValueReference reference = 0; reference <= rig::indicator_reference(0);
           ++reference) {
        CHECK(fmi3GetFloat64(fmu.instance(), &reference, 1, &value, 1) != fmi3Fatal);
      }
      CHECK(fmi3Reset(fmu.instance()) == fmi3OK);
      fmu.initialize();
      CHECK(fmu.number("x") == Fmu::model_exchange().number("x"));
    }
  }
}
