// SPDX-License-Identifier: BSD-2-Clause
// Reading leaves no trace: whoever looks at event indicators in the middle of an event sees the run
// of whoever does not.
#include <algorithm>
#include <catch2/catch.hpp>

#include "fmi2_rig.hpp"
#include "rig.hpp"

using rig::Fmu;

namespace {

constexpr double kStep = 1.0 / 64;

std::size_t number_of_indicators(const Fmu& fmu) {
  size_t count = 0;
  REQUIRE(fmi3GetNumberOfEventIndicators(fmu.instance(), &count) == fmi3OK);
  return count;
}

std::vector<double> indicators(const Fmu& fmu) {
  std::vector<double> z(number_of_indicators(fmu));
  REQUIRE(fmi3GetEventIndicators(fmu.instance(), z.data(), z.size()) == fmi3OK);
  return z;
}

// As a tool does that records all variables of the description.
void read_indicators(const Fmu& fmu, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const fmi3ValueReference indicator = rig::indicator_reference(i);
    double value = 0.0;
    REQUIRE(fmi3GetFloat64(fmu.instance(), &indicator, 1, &value, 1) == fmi3OK);
    fmu.everything();
  }
}

/// `read` is told how many updates of the event there have been.
template <class Read>
void settle(const Fmu& fmu, const Read& read) {
  int updates = 0;
  read(updates);
  while (fmu.update().iterate) read(++updates);
  read(++updates);
}

// Steps of Euler's method, with an event where one of them ends behind a surface: all values, and
// the indicators that each phase begins with.
template <class Read>
std::vector<double> model_exchange(const Fmu& fmu, const Read& read) {
  std::vector<double> rows, x(2), slope(2);
  const auto leave = [&] {
    settle(fmu, read);
    REQUIRE(fmi3EnterContinuousTimeMode(fmu.instance()) == fmi3OK);
    const std::vector<double> z = indicators(fmu);
    rows.insert(rows.end(), z.begin(), z.end());
  };
  fmu.initialize();
  leave();
  for (int k = 1; k <= 128; ++k) {
    const std::vector<double> before = indicators(fmu);
    REQUIRE(fmi3GetContinuousStates(fmu.instance(), x.data(), 2) == fmi3OK);
    REQUIRE(fmi3GetContinuousStateDerivatives(fmu.instance(), slope.data(), 2) == fmi3OK);
    for (std::size_t i = 0; i < 2; ++i) x[i] += kStep * slope[i];
    REQUIRE(fmi3SetTime(fmu.instance(), k * kStep) == fmi3OK);
    REQUIRE(fmi3SetContinuousStates(fmu.instance(), x.data(), 2) == fmi3OK);
    const std::vector<double> after = indicators(fmu);
    for (std::size_t i = 0; i < after.size(); ++i) {
      if ((before[i] > 0.0) != (after[i] > 0.0)) {
        REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
        leave();
        break;
      }
    }
    const std::vector<double> row = fmu.everything();
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

template <class Read>
std::vector<double> co_simulation(const Fmu& fmu, const Read& read) {
  const auto leave = [&] {
    settle(fmu, read);
    REQUIRE(fmi3EnterStepMode(fmu.instance()) == fmi3OK);
  };
  std::vector<double> rows;
  fmu.initialize();
  leave();
  for (double t = 0.0; t < 2.0;) {
    const rig::Step step = fmu.step(t, std::min(0.125, 2.0 - t));
    t = step.time;
    if (step.event) {
      REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
      leave();
    }
    const std::vector<double> row = fmu.everything();
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

}  // namespace

TEST_CASE("event indicators read in Event Mode leave no trace in Model Exchange", "[fmu_values]") {
  const Fmu fmu = Fmu::model_exchange();
  const std::vector<double> unseen = model_exchange(fmu, [](int) {});
  CHECK(fmu.whole("mode") == 2);
  CHECK(fmu.whole("turn") == 2);
  CHECK(fmu.number("x") == Approx(0.3 + 13 * kStep - 115 * kStep).margin(1e-9));
  for (const int first : {0, 1, 2}) {
    INFO("read after " << first << " updates");
    const Fmu seen = Fmu::model_exchange();
    const auto read = [&](int updates) {
      if (updates >= first) indicators(seen);
    };
    CHECK(rig::difference(model_exchange(seen, read), unseen) == "");
    const Fmu by_variables = Fmu::model_exchange();
    const auto read_variables = [&](int updates) {
      if (updates >= first) read_indicators(by_variables, number_of_indicators(by_variables));
    };
    CHECK(rig::difference(model_exchange(by_variables, read_variables), unseen) == "");
  }
}

TEST_CASE("event indicators read in Event Mode leave no trace in Co-Simulation", "[fmu_values]") {
  const rig::CoSimulation way{.event_mode = true, .early_return = true};
  const std::size_t count = number_of_indicators(Fmu::model_exchange());
  const Fmu fmu = Fmu::co_simulation(way);
  const std::vector<double> unseen = co_simulation(fmu, [](int) {});
  CHECK(fmu.whole("turn") == 2);
  for (const int first : {0, 1, 2}) {
    INFO("read after " << first << " updates");
    const Fmu seen = Fmu::co_simulation(way);
    const auto read = [&](int updates) {
      if (updates >= first) read_indicators(seen, count);
    };
    CHECK(rig::difference(co_simulation(seen, read), unseen) == "");
  }
}

TEST_CASE("event indicators read in Event Mode leave no trace in FMI 2.0", "[fmu_values]") {
  const std::size_t count = number_of_indicators(Fmu::model_exchange());
  const rig2::Fmu fmu = rig2::Fmu::model_exchange();
  fmu.initialize();
  std::vector<double> z(count);
  while (fmu.update().newDiscreteStatesNeeded == fmi2True) {
    REQUIRE(fmi2GetEventIndicators(fmu.c(), z.data(), count) == fmi2OK);
  }
  CHECK(fmu.integer("mode") == 2);
}
