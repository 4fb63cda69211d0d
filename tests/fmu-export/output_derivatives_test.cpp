// SPDX-License-Identifier: BSD-2-Clause
// fmi3GetOutputDerivatives and fmi2GetRealOutputDerivatives.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "fmi2_rig.hpp"
#include "rig.hpp"

namespace {

const std::vector<std::string> kOutputs{"mixed", "shifted", "logarithmic"};

std::vector<double> expected(double t, double x) {
  return {-4.0 * x * x + 3.0 * std::cos(3.0 * t), -6.0 * x, -4.0};
}

std::vector<fmi3ValueReference> references(const std::vector<std::string>& names) {
  std::vector<fmi3ValueReference> found;
  for (const std::string& name : names) found.push_back(rig::reference(name));
  return found;
}

fmi3Status rates(const rig::Fmu& fmu, const std::vector<std::string>& names,
                 std::vector<double>& values, fmi3Int32 order = 1) {
  const std::vector<fmi3ValueReference> which = references(names);
  const std::vector<fmi3Int32> orders(which.size(), order);
  values.assign(which.size(), 0.0);
  return fmi3GetOutputDerivatives(fmu.instance(), which.data(), which.size(), orders.data(),
                                  values.data(), values.size());
}

TEST_CASE("the derivatives of outputs are those along the solution", "[fmu_export]") {
  for (const bool event_mode : {false, true}) {
    rig::Fmu fmu = rig::Fmu::co_simulation({.event_mode = event_mode});
    fmu.initialize();
    if (event_mode) fmu.settle_and_leave();
    std::vector<double> values;
    double t = 0.0;
    for (int i = 1; i <= 8; ++i) {
      const rig::Step step = fmu.step(t, 0.1);
      t = step.time;
      if (step.event) {
        REQUIRE(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
        fmu.settle_and_leave();
      }
      REQUIRE(rates(fmu, kOutputs, values) == fmi3OK);
      const std::vector<double> truth = expected(t, fmu.number("x"));
      for (std::size_t j = 0; j < truth.size(); ++j) {
        CAPTURE(t, kOutputs[j]);
        CHECK(values[j] == Approx(truth[j]).epsilon(1e-9).margin(1e-9));
      }
    }
    // The friction is the opposite of the pull by now.
    REQUIRE(rates(fmu, {"friction"}, values) == fmi3OK);
    CHECK(fmu.number("friction") == Approx(-fmu.number("x")).margin(1e-9));
    CHECK(values[0] == Approx(2.0 * fmu.number("x")).margin(1e-6));
  }
}

TEST_CASE("derivatives that there are not are refused by name", "[fmu_export]") {
  const auto refused = [](const std::string& name, fmi3Int32 order, const std::string& why) {
    rig::Fmu fmu = rig::Fmu::co_simulation();
    fmu.initialize();
    fmu.step(0.0, 0.1);
    fmu.messages();
    std::vector<double> values;
    CHECK(rates(fmu, {name}, values, order) == fmi3Error);
    CHECK_THAT(fmu.messages(), Catch::Contains(name) && Catch::Contains(why));
  };
  refused("mixed", 2, "maxOutputDerivativeOrder is 1");
  refused("mixed", 0, "0 is not allowed");
  refused("x", 1, "continuous real outputs");
  refused("u", 1, "continuous real outputs");
  refused("held", 1, "continuous real outputs");
  rig::Fmu early = rig::Fmu::co_simulation();
  std::vector<double> values;
  CHECK(rates(early, {"mixed"}, values) == fmi3Error);
}

TEST_CASE("in an intermediate update derivatives are those of the moment", "[fmu_export]") {
  int seen = 0;
  rig::Fmu fmu = rig::Fmu::co_simulation(
      {.intermediate = {"mixed", "x"}, .callback = [&](rig::Intermediate& now) {
         const std::vector<fmi3ValueReference> which = references({"mixed", "x"});
         const fmi3Int32 order = 1;
         double rate = 0.0, x = 0.0;
         REQUIRE(fmi3GetFloat64(now.instance, &which[1], 1, &x, 1) == fmi3OK);
         REQUIRE(fmi3GetOutputDerivatives(now.instance, which.data(), 1, &order, &rate, 1) ==
                 fmi3OK);
         CHECK(rate == Approx(expected(now.time, x)[0]).epsilon(1e-9).margin(1e-9));
         ++seen;
       }});
  fmu.initialize();
  fmu.step(0.0, 1.0);
  CHECK(seen > 3);
}

TEST_CASE("FMI 2.0 gives the same derivatives of outputs", "[fmu_export]") {
  const rig2::Fmu fmu = rig2::Fmu::co_simulation();
  fmu.set_up();
  fmu.initialize();
  fmu.step(0.0, 0.3);
  const std::vector<fmi3ValueReference> which = references(kOutputs);
  const std::array<fmi2Integer, 3> first{1, 1, 1};
  std::array<double, 3> values{};
  REQUIRE(fmi2GetRealOutputDerivatives(fmu.c(), which.data(), 3, first.data(), values.data()) ==
          fmi2OK);
  const std::vector<double> truth = expected(0.3, fmu.number("x"));
  for (std::size_t j = 0; j < truth.size(); ++j) {
    CHECK(values[j] == Approx(truth[j]).epsilon(1e-9).margin(1e-9));
  }
}

}  // namespace
